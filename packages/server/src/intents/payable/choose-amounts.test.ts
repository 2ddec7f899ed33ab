import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { WalletIdentity } from '../../core/ids.ts'
import { minor } from '../../core/money.ts'
import { amountKey, amountLocks, candidatesOf, chooseAmounts } from './choose-amounts.ts'
import { OpenAmounts } from './open-amounts.ts'
import { RESTS, uniqueAmounts } from './unique-amounts.ts'

const [one, other] = ['w1' as WalletIdentity, 'w2' as WalletIdentity]
const request = (base: bigint, identity = one, most = 99) => ({
  identity,
  base: minor(base),
  setting: { direction: 'more', most } as const,
})

test('82: a batch of one order amount gets the smallest additions in its order; another wallet has its own', () => {
  const chosen = chooseAmounts([request(150_000n), request(150_000n), request(150_000n, other)], new Map())
  assert.deepEqual(chosen, [150_100n, 150_200n, 150_100n])
})

test('82: overlapping order amounts share no amount', () => {
  assert.deepEqual(chooseAmounts([request(150_000n), request(150_100n)], new Map()), [150_100n, 150_200n])
})

const held = RESTS.length

test('82: what is held is passed over, and where nothing is free the order’s own amount is asked for', () => {
  const classes = new Map([[amountKey(one, minor(150_100n)), held]])
  assert.deepEqual(chooseAmounts([request(150_000n)], classes), [150_200n])
  assert.deepEqual(chooseAmounts([request(150_000n, one, 1)], classes), [150_000n])
})

test('82: of the amounts that have rested longest the smallest is taken; others only where there is none', () => {
  const classes = new Map([
    [amountKey(one, minor(150_100n)), 2],
    [amountKey(one, minor(150_200n)), 1],
    [amountKey(one, minor(150_300n)), 1],
  ])
  assert.deepEqual(chooseAmounts([request(150_000n)], classes), [150_400n])
  const three = () => request(150_000n, one, 3)
  assert.deepEqual(chooseAmounts([three(), three(), three(), three()], classes), [
    150_200n,
    150_300n,
    150_100n,
    150_000n,
  ])
})

test('82: whatever is asked for and held, no amount is given twice, none that is held, the smallest free one first', () => {
  const asked = fc.record({
    identity: fc.constantFrom(one, other),
    base: fc.bigInt(1n, 60n).map((units) => minor(units * 50n)),
    setting: fc.record({
      direction: fc.constantFrom('more' as const, 'less' as const),
      most: fc.integer({ min: 1, max: 5 }),
    }),
  })
  fc.assert(
    fc.property(fc.array(asked, { maxLength: 40 }), fc.array(asked, { maxLength: 10 }), (requests, before) => {
      const taken = new Set(candidatesOf(before).map(({ request, amount }) => amountKey(request.identity, amount)))
      const chosen = chooseAmounts(requests, new Map([...taken].map((key) => [key, held])))
      for (const [i, { identity, base, setting }] of requests.entries()) {
        const free = uniqueAmounts(base, setting).filter((amount) => !taken.has(amountKey(identity, amount)))
        const earlier = chosen.slice(0, i).map((payable, n) => ({ ...requests[n]!, payable }))
        const open = new OpenAmounts(earlier.filter((before) => before.identity === identity))
        assert.equal(chosen[i], free.find((payable) => !open.isNear({ base, payable })) ?? free[0] ?? base)
        taken.add(amountKey(identity, chosen[i]!))
      }
    }),
  )
})

test('82: while several intents are open, a smaller amount that is near one of theirs is passed over', () => {
  const open = [1_501, 1_502, 2_004, 3_006, 4_008].map((units) => ({
    identity: one,
    base: minor(BigInt(units - (units % 100)) * 100n),
    payable: minor(BigInt(units) * 100n),
  }))
  // 2501, 2502, 2504, 2506 and 2508 are what is left of two parts.
  assert.deepEqual(chooseAmounts([request(250_000n), request(250_000n, other)], new Map(), open), [250_300n, 250_100n])
  const [near] = chooseAmounts([request(250_000n, one, 2)], new Map(), open)
  assert.equal(near, 250_100n)
  // Not near is more than a long rest.
  const rested = new Map([[amountKey(one, minor(250_300n)), 3]])
  assert.deepEqual(chooseAmounts([request(250_000n, one, 4)], rested, open), [250_300n])
})

test('82: orders of one amount get the smallest additions one after another, however many are open', () => {
  const requests = Array.from({ length: 12 }, () => request(100_000n))
  const smallest = uniqueAmounts(minor(100_000n), requests[0]!.setting).slice(0, 12)
  assert.deepEqual(chooseAmounts(requests, new Map()), smallest)
})

test('locks are sorted, and one for each real wallet', () => {
  const locks = amountLocks([one, other, one])
  assert.equal(locks.length, 2)
  assert.ok(locks[0]! < locks[1]!)
})
