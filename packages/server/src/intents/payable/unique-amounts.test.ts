import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hour_ms } from '../../core/duration.ts'
import { LARGEST_AMOUNT, minor } from '../../core/money.ts'
import {
  chooseAmount,
  LONGEST_REST,
  REST_PAID_MS,
  REST_UNPAID_MS,
  RESTS,
  restClass,
  uniqueAmounts,
} from './unique-amounts.ts'

test('additions are whole units, smallest first; zero and amounts that are multiples of 10 are left out', () => {
  const found = uniqueAmounts(minor(150_000n), { direction: 'more', most: 99 })
  assert.equal(found[0], 150_100n)
  assert.equal(found.length, 90)
  assert.ok(found.every((amount) => amount % 1_000n !== 0n))
  assert.ok(!found.includes(minor(150_000n)))
})

test('with direction less, amounts go down and stay above zero', () => {
  assert.deepEqual(uniqueAmounts(minor(300n), { direction: 'less', most: 99 }), [200n, 100n])
  assert.equal(uniqueAmounts(minor(150_000n), { direction: 'less', most: 3 })[0], 149_900n)
})

test('a fraction of a unit stays, and no amount is above the largest', () => {
  assert.equal(uniqueAmounts(minor(150_050n), { direction: 'more', most: 1 })[0], 150_150n)
  assert.deepEqual(uniqueAmounts(LARGEST_AMOUNT, { direction: 'more', most: 99 }), [])
})

test('an amount is held while its intent is open, and then for the shortest rest', () => {
  const now = 1_000 * 24 * 3_600_000
  const used = (unpaid_ms: number | null, paid_ms: number | null = null, open = false) =>
    restClass(
      { open, unpaidAt: unpaid_ms === null ? null : now - unpaid_ms, paidAt: paid_ms === null ? null : now - paid_ms },
      now,
    )
  const held = RESTS.length
  assert.equal(used(null), 0)
  assert.equal(used(null, null, true), held)
  assert.equal(used(REST_UNPAID_MS - 1), held)
  assert.equal(used(REST_UNPAID_MS), held - 1)
  assert.equal(used(null, REST_PAID_MS - 1), held)
  assert.equal(used(null, REST_PAID_MS), held - 1)
  assert.equal(used(LONGEST_REST.unpaid_ms, LONGEST_REST.paid_ms), 0)
  // The shorter rest of the two counts.
  assert.equal(used(LONGEST_REST.unpaid_ms, REST_PAID_MS - 1), held)
})

test('the rests are sorted, the longest first', () => {
  for (const [i, { unpaid_ms, paid_ms }] of RESTS.slice(1).entries())
    assert.ok(RESTS[i]!.unpaid_ms >= unpaid_ms && RESTS[i]!.paid_ms >= paid_ms)
})

test('the rests are 10 days, 7 days, 4 days, 2 days and 1 day after an unpaid intent; after a paid one 2 days to 6 hours', () => {
  assert.deepEqual(
    RESTS.map(({ unpaid_ms, paid_ms }) => [unpaid_ms / hour_ms, paid_ms / hour_ms]),
    [
      [240, 48],
      [168, 24],
      [96, 24],
      [48, 12],
      [24, 6],
    ],
  )
})

test('the smallest amount is above zero, and the largest amount itself may be asked for', () => {
  assert.deepEqual(uniqueAmounts(minor(101n), { direction: 'less', most: 2 }), [1n])
  assert.deepEqual(uniqueAmounts(minor(100n), { direction: 'less', most: 2 }), [])
  assert.deepEqual(uniqueAmounts(minor(LARGEST_AMOUNT - 100n), { direction: 'more', most: 2 }), [LARGEST_AMOUNT])
})

test('a far amount is chosen before a near one, then the longest rested, then the first', () => {
  const choose = (...amounts: (readonly [rested: number, near?: 'near'])[]) =>
    chooseAmount(
      amounts.map((_, n) => n),
      (n) => amounts[n]![0],
      (n) => amounts[n]![1] === 'near',
    )
  const held = RESTS.length
  assert.equal(choose([held], [held, 'near']), undefined)
  assert.equal(choose([held], [held - 1, 'near']), 1)
  assert.equal(choose([0, 'near'], [held - 1]), 1)
  assert.equal(choose([2, 'near'], [1, 'near'], [1, 'near']), 1)
  assert.equal(choose([3], [1], [1], [2]), 1)
  assert.equal(choose([1], [0, 'near'], [0]), 2)
  assert.equal(choose([4, 'near'], [3, 'near'], [3]), 2)
})
