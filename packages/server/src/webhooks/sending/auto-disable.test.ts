/** An endpoint that only fails is disabled, and its owners are warned before. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { webhookDefaults } from '../settings.ts'
import { afterOutcome, disableDecision as decisionBy, type Failing, notFailing } from './auto-disable.ts'

const disableDecision = (failing: Failing, now: number) => decisionBy(failing, now, webhookDefaults)

const start = Date.parse('2026-01-02T03:04:05Z')
const day = 86_400_000
const failing = (failures: number, warnedAt: number | null = null): Failing => ({
  failingSince: start,
  failures,
  warnedAt,
})

test('owners are warned after three days and ten failures, with the day on which the endpoint will be disabled', () => {
  assert.equal(disableDecision(notFailing, start).kind, 'fine')
  assert.equal(disableDecision(failing(500), start + 3 * day - 1).kind, 'fine')
  assert.equal(disableDecision(failing(9), start + 30 * day).kind, 'fine')
  assert.deepEqual(disableDecision(failing(10), start + 3 * day), { kind: 'warn', disablesAt: start + 5 * day })
})

test('an endpoint is disabled after five days without a success and twenty failures, and not before', () => {
  const warnedAt = start + 3 * day
  assert.deepEqual(disableDecision(failing(19, warnedAt), start + 9 * day), {
    kind: 'warned',
    disablesAt: start + 5 * day,
  })
  assert.equal(disableDecision(failing(20, warnedAt), start + 5 * day - 1).kind, 'warned')
  assert.equal(disableDecision(failing(20, warnedAt), start + 5 * day).kind, 'disable')
})

test('an endpoint is never disabled before the warning is a day old', () => {
  assert.deepEqual(disableDecision(failing(999), start + 9 * day), { kind: 'warn', disablesAt: start + 10 * day })
  assert.equal(disableDecision(failing(999, start + 9 * day), start + 10 * day - 1).kind, 'warned')
  assert.equal(disableDecision(failing(999, start + 9 * day), start + 10 * day).kind, 'disable')
})

test('one success resets the failures and the warning', () => {
  assert.deepEqual(afterOutcome(failing(19, start + 3 * day), true, start + 4 * day), notFailing)
})

test('a month without deliveries does not count as a month of failures', () => {
  const first = afterOutcome(notFailing, false, start + 30 * day)
  assert.deepEqual(first, { failingSince: start + 30 * day, failures: 1, warnedAt: null })
})

test('in any order of results, disabling follows twenty failures in a row over five days and a warning a day before', () => {
  const attempts = fc.array(fc.record({ ok: fc.boolean(), later_ms: fc.nat(day) }), { maxLength: 80 })
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
          assert.ok(inARow >= 20 && now - since >= 5 * day && now - state.warnedAt! >= day)
          return
        }
        assert.ok(!(inARow >= 20 && now - since >= 5 * day && now - (state.warnedAt ?? now) >= day))
      }
    }),
  )
})
