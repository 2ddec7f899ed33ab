/** An endpoint that only fails is disabled, and its owners are warned before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { day_ms } from '../../core/duration.ts'
import { webhookDefaults } from '../settings.ts'
import { afterOutcome, disableDecision as decisionBy, type Failing, notFailing } from './auto-disable.ts'

const disableDecision = (failing: Failing, now: number) => decisionBy(failing, now, webhookDefaults)

const start = Date.parse('2026-01-02T03:04:05Z')
const failing = (failures: number, warnedAt: number | null = null): Failing => ({
  failingSince: start,
  failures,
  warnedAt,
})

test('owners are warned after three days and ten failures, with the day on which the endpoint will be disabled', () => {
  assert.equal(disableDecision(notFailing, start).kind, 'fine')
  assert.equal(disableDecision(failing(500), start + 3 * day_ms - 1).kind, 'fine')
  assert.equal(disableDecision(failing(9), start + 30 * day_ms).kind, 'fine')
  assert.deepEqual(disableDecision(failing(10), start + 3 * day_ms), { kind: 'warn', disablesAt: start + 5 * day_ms })
})

test('an endpoint is disabled after five days without a success and twenty failures, and not before', () => {
  const warnedAt = start + 3 * day_ms
  assert.deepEqual(disableDecision(failing(19, warnedAt), start + 9 * day_ms), {
    kind: 'warned',
    disablesAt: start + 5 * day_ms,
  })
  assert.equal(disableDecision(failing(20, warnedAt), start + 5 * day_ms - 1).kind, 'warned')
  assert.equal(disableDecision(failing(20, warnedAt), start + 5 * day_ms).kind, 'disable')
})

test('an endpoint is never disabled before the warning is a day old', () => {
  assert.deepEqual(disableDecision(failing(999), start + 9 * day_ms), { kind: 'warn', disablesAt: start + 10 * day_ms })
  assert.equal(disableDecision(failing(999, start + 9 * day_ms), start + 10 * day_ms - 1).kind, 'warned')
  assert.equal(disableDecision(failing(999, start + 9 * day_ms), start + 10 * day_ms).kind, 'disable')
})

test('one success resets the failures and the warning', () => {
  assert.deepEqual(afterOutcome(failing(19, start + 3 * day_ms), true, start + 4 * day_ms), notFailing)
})

test('a month without deliveries does not count as a month of failures', () => {
  const first = afterOutcome(notFailing, false, start + 30 * day_ms)
  assert.deepEqual(first, { failingSince: start + 30 * day_ms, failures: 1, warnedAt: null })
})

test('in any order of results, disabling follows twenty failures in a row over five days and a warning a day before', () => {
  const attempts = fc.array(fc.record({ ok: fc.boolean(), later_ms: fc.nat(day_ms) }), { maxLength: 80 })
  fc.assert(
    fc.property(attempts, fc.integer({ min: 0, max: 20 }), (events, lastSuccess) => {
      let state = notFailing
      let now = start
      let since = start
      let inARow = 0
      for (const [i, { ok, later_ms }] of events.entries()) {
        now += later_ms
        const succeeded = ok && i < lastSuccess
        state = afterOutcome(state, succeeded, now)
        inARow = succeeded ? 0 : inARow + 1
        if (inARow === 1) since = now
        const decision = disableDecision(state, now)
        if (decision.kind === 'warn') state = { ...state, warnedAt: now }
        if (decision.kind === 'disable') {
          assert.ok(inARow >= 20 && now - since >= 5 * day_ms && now - state.warnedAt! >= day_ms)
          return
        }
        assert.ok(!(inARow >= 20 && now - since >= 5 * day_ms && now - (state.warnedAt ?? now) >= day_ms))
      }
    }),
  )
})
