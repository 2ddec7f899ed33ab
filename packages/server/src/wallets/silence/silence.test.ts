import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hour_ms, minute_ms } from '../../core/duration.ts'
import type { PhoneSigns } from './phone-signs.ts'
import { agentHeartbeat_s, isSilent, longestHeartbeat_s, pingPeriod_s, silenceOf } from './silence.ts'

const now = Date.parse('2026-01-02T03:04:05.678Z')

const agent: PhoneSigns = {
  paired: true,
  forwards: false,
  pairedAt: now - 10 * hour_ms,
  heartbeatAt: now,
  heartbeat_s: 60,
  lastSeenAt: now,
  rhythm: null,
}
const forwarder: PhoneSigns = { ...agent, paired: false, forwards: true, heartbeatAt: null, heartbeat_s: null }

test('our agent is silent after three missed heartbeats, also if it never sent one', () => {
  for (const phone of [agent, { ...agent, heartbeatAt: null, heartbeat_s: null }]) {
    assert.equal(isSilent(phone, now + 3 * minute_ms), false)
    assert.equal(isSilent(phone, now + 3 * minute_ms + 1), true)
  }
})

test('a forwarding app that pings is silent after three missed pings', () => {
  const phone = { ...forwarder, heartbeatAt: now, heartbeat_s: 300 }
  assert.deepEqual(silenceOf(phone), { kind: 'heartbeat', period_s: 300, alarmAt: now + 15 * minute_ms })
  assert.equal(isSilent(phone, now + 15 * minute_ms), false)
  assert.equal(isSilent(phone, now + 15 * minute_ms + 1), true)
})

test('pings that are hours apart, and pings of the previous app, do not count', () => {
  const seldom = { ...forwarder, heartbeatAt: now, heartbeat_s: 7200 }
  const before = { ...forwarder, heartbeatAt: now - 11 * hour_ms, heartbeat_s: 60 }
  const replaced = { ...forwarder, paired: true, heartbeatAt: now - 11 * hour_ms, heartbeat_s: 60 }
  for (const phone of [seldom, before, replaced]) {
    assert.deepEqual(silenceOf(phone), { kind: 'unjudged', reason: 'learning' })
    assert.equal(isSilent(phone, now + 1000 * hour_ms), false)
  }
})

test('a forwarding app without pings is judged by its usual messages, or not at all', () => {
  const rhythm = { unjudged: '' as const, heardAt: now, usualAt: now + 3 * hour_ms, alarmAt: now + 7 * hour_ms }
  const phone = { ...forwarder, rhythm }
  assert.equal(isSilent(phone, now + 7 * hour_ms), false)
  assert.equal(isSilent(phone, now + 7 * hour_ms + 1), true)
  // After a contact the limit moves by the same time.
  const later = { ...phone, lastSeenAt: now + 5 * minute_ms }
  assert.deepEqual(silenceOf(later), {
    kind: 'rhythm',
    usualAt: rhythm.usualAt + 5 * minute_ms,
    alarmAt: rhythm.alarmAt + 5 * minute_ms,
  })
  for (const reason of ['learning', 'too_few'] as const) {
    const unknown = { ...forwarder, rhythm: { unjudged: reason } }
    assert.deepEqual(silenceOf(unknown), { kind: 'unjudged', reason })
    assert.equal(isSilent(unknown, now + 1000 * hour_ms), false)
  }
})

test('a phone that never made contact is silent; a phone without an app is not judged', () => {
  assert.equal(isSilent({ ...agent, lastSeenAt: null }, now), true)
  assert.equal(isSilent({ ...forwarder, lastSeenAt: null }, now), true)
  const simulated = { ...forwarder, forwards: false }
  assert.deepEqual(silenceOf(simulated), { kind: 'unjudged', reason: 'no_app' })
  assert.equal(isSilent(simulated, now + 1000 * hour_ms), false)
})

test('after jitter, an outage or a burst, a phone that pings regularly is not silent', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 30, max: 1200 }),
      fc.array(fc.record({ jitter: fc.double({ min: 0.8, max: 1.25, noNaN: true }), odd: fc.nat({ max: 9 }) }), {
        minLength: 3,
        maxLength: 200,
      }),
      (period, pings) => {
        let measured: number | null = null
        let regular = 0
        for (const { jitter, odd } of pings) {
          // Some pings are irregular, each after at least three regular ones: it comes one second after the previous
          // ping (both were queued), or after an hour without network.
          const isOdd = odd === 0 && regular > 2
          regular = isOdd ? 0 : regular + 1
          const gap = isOdd ? (jitter > 1 ? 3600 : 1) : period * jitter
          if (!isOdd && measured !== null && measured >= period * 0.5)
            assert.ok(gap <= 3 * measured, `${gap} s after a period of ${measured} s`)
          measured = pingPeriod_s(measured, gap)
        }
      },
    ),
  )
})

test('a longer or shorter period is learned within a few pings', () => {
  let measured: number | null = null
  const after = (gap: number, pings: number): number | null => {
    for (let n = 0; n < pings; n++) measured = pingPeriod_s(measured, gap)
    return measured
  }
  assert.equal(after(60, 1), 60)
  assert.equal(after(900, 15), 900)
  assert.equal(after(60, 10), 60)
  assert.equal(after(7 * 3600, 1), 75)
  assert.equal(after(2, 20), 75)
})

test('our agent sends a heartbeat each minute; pings up to an hour apart count, also one at the moment of pairing', () => {
  assert.deepEqual([agentHeartbeat_s, longestHeartbeat_s], [60, 3600])
  const pings = (heartbeat_s: number) => ({ ...forwarder, heartbeatAt: now, heartbeat_s })
  assert.equal(silenceOf(pings(3600)).kind, 'heartbeat')
  assert.equal(silenceOf(pings(3601)).kind, 'unjudged')
  const atPairing = { ...pings(300), pairedAt: now - 1000, heartbeatAt: now - 1000 }
  assert.equal(silenceOf(atPairing).kind, 'heartbeat')
})

test('the measured period: pings within 10 s do not count, a gap is a day at most, and changes it by a third or a quarter', () => {
  assert.equal(pingPeriod_s(null, 9.9), null)
  assert.equal(pingPeriod_s(null, 10), 10)
  assert.equal(pingPeriod_s(null, 1e9), 86_400)
  assert.equal(pingPeriod_s(300, 15), 200)
  assert.equal(pingPeriod_s(300, 250), 250)
  assert.equal(pingPeriod_s(300, 300), 300)
  assert.equal(pingPeriod_s(300, 310), 310)
  assert.equal(pingPeriod_s(300, 900), 375)
})
