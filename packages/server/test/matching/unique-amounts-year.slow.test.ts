/**
 * A short simulation of shops with unique amounts (`node bench/unique-amounts.ts` runs and prints the long one). Honest buyers
 * and strangers cause no false match, and the service verifies nearly all payments.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usual } from '../../../../bench/amounts/scenario.ts'
import { shopFigures } from '../../../../bench/amounts/simulate-shop.ts'

for (const perDay of [10, 100, 500])
  test(`honest buyers cause no false match in a shop with ${perDay} orders a day`, () => {
    const { exact, exactVerified, ...rest } = shopFigures({ ...usual, perDay, days: 365 })
    assert.equal(rest.false, 0, JSON.stringify(rest.falseBy))
    assert.ok(exactVerified > 0.99 * exact, `${exactVerified} of ${exact}`)
    assert.ok(rest.forMember < 0.25 * rest.credits)
  })

test('round amounts, and amounts that are given again at once, would cause false matches', () => {
  const days = 40
  assert.ok(shopFigures({ ...usual, days, avoided: 100, round: 0.2 }).false > 0)
  assert.equal(shopFigures({ ...usual, days, round: 0.2 }).false, 0)
  assert.ok(shopFigures({ ...usual, days, rests: [{ unpaid_ms: 0, paid_ms: 0 }] }).false > 10)
})

test('if no amount is free, only a reference verifies: there is no false match, and members book the rest', () => {
  const { noFree, ...rest } = shopFigures({ ...usual, days: 10, prices: 1 })
  assert.ok(noFree > 0)
  assert.equal(rest.false, 0)
  assert.ok((rest.reasons.amount_not_unique ?? 0) + (rest.reasons.amount_of_several ?? 0) > 0)
})

test('a dishonest buyer who pays nothing gets nothing from the money of others', () => {
  const { gained } = shopFigures({ ...usual, days: 365, dishonest: 0.01 })
  assert.equal(gained, 0)
})
