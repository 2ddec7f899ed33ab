import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LARGEST_AMOUNT, minor } from '../../core/money.ts'
import { uniqueAmounts } from './unique-amounts.ts'

test('82: additions are whole, smallest first, never none and never a multiple of 10', () => {
  const found = uniqueAmounts(minor(150_000n), { direction: 'more', most: 99 })
  assert.equal(found[0], 150_100n)
  assert.equal(found.length, 90)
  assert.ok(found.every((amount) => amount % 1_000n !== 0n))
  assert.ok(!found.includes(minor(150_000n)))
})

test('82: a little less is the same downwards, and never reaches zero', () => {
  assert.deepEqual(uniqueAmounts(minor(300n), { direction: 'less', most: 99 }), [200n, 100n])
  assert.equal(uniqueAmounts(minor(150_000n), { direction: 'less', most: 3 })[0], 149_900n)
})

test('82: an amount with a fraction keeps it, and the largest amount is not passed', () => {
  assert.equal(uniqueAmounts(minor(150_050n), { direction: 'more', most: 1 })[0], 150_150n)
  assert.deepEqual(uniqueAmounts(LARGEST_AMOUNT, { direction: 'more', most: 99 }), [])
})
