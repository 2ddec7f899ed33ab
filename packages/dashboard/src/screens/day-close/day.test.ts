import assert from 'node:assert/strict'
import { test } from 'node:test'
import { shifted } from './day.ts'

test('the day before and after a day, over months, years and a leap day', () => {
  assert.equal(shifted('2026-01-01', -1), '2025-12-31')
  assert.equal(shifted('2026-02-28', 1), '2026-03-01')
  assert.equal(shifted('2028-02-28', 1), '2028-02-29')
  assert.equal(shifted('2026-10-25', 1), '2026-10-26')
})
