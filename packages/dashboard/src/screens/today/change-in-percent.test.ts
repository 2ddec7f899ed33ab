import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeInPercent } from './change-in-percent.ts'

test('the change against an earlier sum is in whole per cent, and is zero only if the sums are equal', () => {
  for (const [now, before, change] of [
    ['1500.00', '1000.00', 50],
    ['500.00', '1000.00', -50],
    ['0.00', '1000.00', -100],
    ['1000.00', '1000.00', 0],
    ['1000.01', '1000.00', 1],
    ['999.99', '1000.00', -1],
    ['1004.00', '1000.00', 1],
    ['1015.00', '1000.00', 2],
    ['99999999999999.00', '0.01', 999],
  ] as const)
    assert.equal(changeInPercent(now, before), change, `${now} and ${before}`)
})
