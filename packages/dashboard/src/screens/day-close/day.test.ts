import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from './day.ts'

test('the day before and after a day, over months, years and a leap day', () => {
  assert.equal(addDays('2026-01-01', -1), '2025-12-31')
  assert.equal(addDays('2026-02-28', 1), '2026-03-01')
  assert.equal(addDays('2028-02-28', 1), '2028-02-29')
  assert.equal(addDays('2026-10-25', 1), '2026-10-26')
})
