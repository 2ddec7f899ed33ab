import assert from 'node:assert/strict'
import { test } from 'node:test'
import { randomId, type ShiftId, type UserId } from '../../core/ids.ts'
import { endNow, endOf, isOpen, longestShift_ms, type Shift, startNow } from './shift.ts'

const shift = (times: Partial<Shift> = {}): Shift => ({
  id: randomId<ShiftId>(),
  userId: randomId<UserId>(),
  startedAt: 1_000,
  latestEnd: 1_000 + longestShift_ms,
  endedAt: null,
  endedBy: '',
  ...times,
})

test('a shift that nobody ends is over after 24 hours', () => {
  const open = shift()
  assert.ok(isOpen(open, 1_000 + longestShift_ms))
  assert.ok(!isOpen(open, 1_000 + longestShift_ms + 1))
  assert.equal(endOf(open), 1_000 + 24 * 3_600_000)
  assert.ok(!isOpen(shift({ endedAt: 2_000 }), 1_500))
})

test('a shift never ends before its start or after 24 hours, also if the clock of another node is behind', () => {
  assert.equal(endNow(shift(), 5_000), 5_000)
  assert.equal(endNow(shift(), 400), 1_000)
  assert.equal(endNow(shift(), 1_000 + 2 * longestShift_ms), 1_000 + longestShift_ms)
})

test('a new shift begins after the shift before it has ended, also if the clock of another node is behind', () => {
  assert.deepEqual(startNow(undefined, 7_000), { startedAt: 7_000, latestEnd: 7_000 + longestShift_ms })
  assert.equal(startNow(shift({ endedAt: 9_000 }), 8_000).startedAt, 9_001)
  assert.equal(startNow(shift({ endedAt: 9_000 }), 9_500).startedAt, 9_500)
})
