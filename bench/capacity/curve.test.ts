import assert from 'node:assert/strict'
import { test } from 'node:test'
import { adenDay, busiestHour, ratesOf } from './curve.ts'

test('the shares of the 24 hours are the whole day', () => {
  assert.equal(adenDay.length, 24)
  assert.ok(Math.abs(adenDay.reduce((sum, share) => sum + share, 0) - 100) < 1e-9)
  assert.ok(adenDay.every((share) => share > 0))
})

test('the rates of the hours add up to the payments of the day, and a busiest minute is twice its hour', () => {
  const rates = ratesOf(86_400)
  assert.ok(Math.abs(rates.reduce((sum, { mean }) => sum + mean * 3600, 0) - 86_400) < 1e-6)
  for (const { mean, busiest } of rates) assert.equal(busiest, 2 * mean)
  assert.equal(busiestHour(), 19)
  assert.ok(Math.abs(rates[19]!.mean - (86_400 * 0.09) / 3600) < 1e-9)
})
