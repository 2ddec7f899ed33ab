/** Which intents are of today, at the edges of the day. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { day_ms, hour_ms } from '../core/duration.ts'
import { oldestOfToday_ms, openAfterMidnight_ms, todayIn } from '../core/scope.ts'
import { zoneOf } from '../core/zone.ts'
import type { Intent, Status } from './intent.ts'
import { isOfDay } from './intent-today.ts'

const midnight = Date.parse('2026-03-05T00:00:00+03:00')
const now = midnight + 10 * hour_ms
const today = todayIn(zoneOf('Asia/Aden'), now)

test('the day begins at midnight of the zone; money that waits is open work for six hours, never for less than the day', () => {
  assert.equal(today.since, midnight)
  assert.equal(today.openSince, midnight)
  const early = todayIn(zoneOf('Asia/Aden'), midnight + hour_ms)
  assert.deepEqual([early.since, early.openSince], [midnight, midnight + hour_ms - openAfterMidnight_ms])
  assert.equal(todayIn(zoneOf('Asia/Aden'), midnight).since, midnight)
  assert.equal(todayIn(zoneOf('Asia/Aden'), midnight - 1).since, midnight - day_ms)
})

test('the day on which clocks are moved begins at its midnight', () => {
  const zone = zoneOf('Europe/Berlin')
  assert.equal(todayIn(zone, Date.parse('2026-03-29T12:00:00+02:00')).since, Date.parse('2026-03-29T00:00:00+01:00'))
})

const intent = (status: Status, more: Partial<Intent> = {}) =>
  ({
    status,
    createdAt: midnight - hour_ms,
    expiresAt: midnight - 1,
    verifiedAt: null,
    matched: null,
    ...more,
  }) as Intent

test('of another day: paid, wrong, cancelled or expired before midnight', () => {
  for (const status of ['PENDING', 'EXPIRED', 'CANCELLED'] as const)
    assert.equal(isOfDay({ today }, intent(status)), false, status)
  const paid = { verifiedAt: midnight - 1, expiresAt: midnight + hour_ms }
  assert.equal(isOfDay({ today }, intent('VERIFIED', paid)), false, 'a window that reaches into today changes nothing')
  assert.equal(isOfDay({ today: null }, intent('VERIFIED', paid)), true)
})

test('of today: made today, paid today, or unpaid with a window that reached into today; not what is a month old', () => {
  assert.equal(isOfDay({ today }, intent('CANCELLED', { createdAt: midnight })), true)
  assert.equal(isOfDay({ today }, intent('VERIFIED', { verifiedAt: midnight })), true)
  assert.equal(isOfDay({ today }, intent('PENDING', { expiresAt: midnight })), true)
  const matched = { receivedAt: midnight } as Intent['matched']
  assert.equal(isOfDay({ today }, intent('WRONG_AMOUNT', { matched })), true)
  const old = { createdAt: midnight - oldestOfToday_ms - 1, verifiedAt: midnight }
  assert.equal(isOfDay({ today }, intent('VERIFIED', old)), false)
})
