import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remainingText } from './remaining.ts'

test('a pause is shown as minutes and seconds, and ends at its last second', () => {
  assert.equal(remainingText(60_000, 0), '1:00')
  assert.equal(remainingText(60_000, 1), '1:00')
  assert.equal(remainingText(60_000, 55_000), '0:05')
  assert.equal(remainingText(14_400_000, 0), '240:00')
  assert.equal(remainingText(60_000, 60_000), undefined)
})
