/** When a delivery is tried again, and what an answer means for it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { day_ms, hour_ms } from '../../core/duration.ts'
import type { AttemptResult } from '../calling/read-answer.ts'
import { webhookDefaults } from '../settings.ts'
import {
  mostAttempts as mostAttemptsBy,
  nextAttemptAt as nextBy,
  nextStepOf as nextStepBy,
  type RetryInputs,
  readRetryAfter,
  type Verdict,
  verdictOf,
} from './schedule.ts'

const now = Date.parse('2026-01-02T03:04:05.678Z')
const atOnce = () => 0
const waits_ms = webhookDefaults.retry_waits_s.map((wait_s) => wait_s * 1000)
const mostAttempts = waits_ms.length
const nextAttemptAt = (attempt: number, finishedAt: number, drawn: RetryInputs) =>
  nextBy(attempt, finishedAt, drawn, webhookDefaults)
const nextStepOf = (verdict: Verdict, attempt: number, finishedAt: number, random: () => number) =>
  nextStepBy(verdict, attempt, finishedAt, random, webhookDefaults)
const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })
const answer = (status: number, more: { location?: string; retryAfter?: string } = {}): AttemptResult => ({
  kind: 'answer',
  status,
  ...more,
})

test('there are 14 attempts, spread over three days', () => {
  assert.equal(mostAttempts, 14)
  const readable = waits_ms.map((ms) =>
    ms < 60_000 ? `${ms / 1000} s` : ms < hour_ms ? `${ms / 60_000} m` : `${ms / hour_ms} h`,
  )
  assert.equal(readable.join(', '), '0 s, 5 s, 30 s, 2 m, 10 m, 30 m, 1 h, 2 h, 4 h, 8 h, 12 h, 12 h, 12 h, 24 h')
  const days = waits_ms.reduce((all, one) => all + one, 0) / day_ms
  assert.ok(days > 3 && days < 3.5)
})

test('an attempt is never early, and at most a fifth late', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 13 }), chance, (attempt, drawn) => {
      const wait_ms = nextAttemptAt(attempt, now, { random: () => drawn })! - now
      assert.ok(Number.isSafeInteger(wait_ms))
      assert.ok(wait_ms >= waits_ms[attempt]!)
      assert.ok(wait_ms <= waits_ms[attempt]! * 1.2)
    }),
  )
})

test('a Retry-After delays an attempt by up to 12 hours, and never makes it earlier', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 13 }), chance, fc.nat(10_000_000), (attempt, drawn, retryAfter_s) => {
      const wait_ms = nextAttemptAt(attempt, now, { random: () => drawn, retryAfter_s })! - now
      const least = Math.max(waits_ms[attempt]!, Math.min(retryAfter_s * 1000, 12 * hour_ms))
      assert.ok(wait_ms >= least)
      assert.ok(wait_ms <= least * 1.2)
    }),
  )
})

test('the waits of the schedule never become shorter, even without jitter', () => {
  for (let attempt = 2; attempt < mostAttempts; attempt++) {
    assert.ok(nextAttemptAt(attempt, now, { random: atOnce })! >= now + waits_ms[attempt - 1]!)
  }
})

test('after the 14th attempt there is no other', () => {
  assert.equal(nextAttemptAt(13, now, { random: atOnce }), now + day_ms)
  assert.equal(nextAttemptAt(14, now, { random: atOnce }), null)
  assert.equal(nextAttemptAt(99, now, { random: atOnce, retryAfter_s: 5 }), null)
  for (const wrong of [0, -1, 1.5]) assert.throws(() => nextAttemptAt(wrong, now, { random: atOnce }), /counted from 1/)
})

test('an operator may shorten the schedule, and change the limit of Retry-After', () => {
  const rules = { retry_waits_s: [0, 60], retry_jitter: 0, retry_after_most_s: 90 }
  assert.equal(nextBy(1, now, { random: () => 0.9 }, rules), now + 60_000)
  assert.equal(nextBy(1, now, { random: () => 0.9, retryAfter_s: 3600 }, rules), now + 90_000)
  assert.equal(nextBy(2, now, { random: atOnce }, rules), null)
})

test('70 any 2xx is a success, and nothing else is', () => {
  for (let status = 100; status < 600; status++) {
    assert.equal(verdictOf(answer(status), now).kind, status >= 200 && status < 300 ? 'ok' : 'failed', `${status}`)
  }
})

test('70 a redirect fails, and its target is shown', () => {
  assert.deepEqual(verdictOf(answer(301, { location: 'https://shop.example/new' }), now), {
    kind: 'failed',
    reason: 'redirect',
    misconfigured: true,
    location: 'https://shop.example/new',
  })
  assert.deepEqual(verdictOf(answer(304), now), { kind: 'failed', reason: 'redirect', misconfigured: true })
})

test('70 a 410 ends the delivery and disables the endpoint, at the first attempt too', () => {
  const verdict = verdictOf(answer(410), now)
  assert.deepEqual(verdict, { kind: 'failed', reason: 'gone', misconfigured: false })
  assert.deepEqual(nextStepOf(verdict, 1, now, atOnce), { kind: 'gone' })
})

test('any other 4xx is tried again and flagged: the merchant has something to fix', () => {
  for (const status of [400, 401, 403, 404, 405, 408, 413, 418, 422]) {
    const verdict = verdictOf(answer(status), now)
    assert.deepEqual(verdict, { kind: 'failed', reason: 'misconfigured', misconfigured: true }, `${status}`)
    assert.deepEqual(nextStepOf(verdict, 1, now, atOnce), { kind: 'retry', at: now + 5000 })
  }
})

test('a 429 means a busy receiver, not a misconfigured one', () => {
  assert.deepEqual(verdictOf(answer(429), now), { kind: 'failed', reason: 'busy', misconfigured: false })
})

test('Retry-After is honoured on 429 and 503, and on nothing else', () => {
  const nextStep = (status: number) =>
    nextStepOf(verdictOf(answer(status, { retryAfter: '3600' }), now), 1, now, atOnce)
  for (const status of [429, 503]) assert.deepEqual(nextStep(status), { kind: 'retry', at: now + hour_ms }, `${status}`)
  for (const status of [301, 400, 500, 502])
    assert.deepEqual(nextStep(status), { kind: 'retry', at: now + 5000 }, `${status}`)
})

test('Retry-After is seconds or a date; anything else is ignored', () => {
  assert.equal(readRetryAfter('120', now), 120)
  assert.equal(readRetryAfter(' 0 ', now), 0)
  assert.equal(readRetryAfter('9'.repeat(400), now), 365 * 86_400)
  // 03:05:05.000, so 59.322 s ahead: rounded up.
  assert.equal(readRetryAfter('Fri, 02 Jan 2026 03:05:05 GMT', now), 60)
  assert.equal(readRetryAfter('Fri, 02 Jan 2026 03:00:00 GMT', now), 0)
  assert.equal(readRetryAfter('Sat, 02 Jan 2126 03:00:00 GMT', now), 365 * 86_400)
  for (const text of ['', '-5', '1.5', '1e3', 'soon', '2026-01-02', 'Fri, 99 Jan 2026 03:00:00 GMT', '٥']) {
    assert.equal(readRetryAfter(text, now), undefined, text)
  }
})

test('a call without an answer is tried again; so is a refused address, which is flagged as well', () => {
  const reset = verdictOf({ kind: 'network', error: 'connection reset' }, now)
  assert.deepEqual(reset, { kind: 'failed', reason: 'network', misconfigured: false })
  const blocked = verdictOf({ kind: 'blocked', error: '169.254.169.254' }, now)
  assert.deepEqual(blocked, { kind: 'failed', reason: 'blocked', misconfigured: true })
  for (const verdict of [reset, blocked]) assert.equal(nextStepOf(verdict, 3, now, atOnce).kind, 'retry')
})

test('a delivery ends after at most 14 attempts, or with the first success', () => {
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    assert.deepEqual(nextStepOf(verdictOf(answer(204), now), attempt, now, atOnce), { kind: 'delivered' })
    assert.equal(
      nextStepOf(verdictOf(answer(500), now), attempt, now, atOnce).kind,
      attempt < 14 ? 'retry' : 'exhausted',
    )
  }
})

test('without a Retry-After, a wait of 0 s means at once', () => {
  const rules = { retry_waits_s: [0, 0], retry_jitter: 0.2, retry_after_most_s: 90 }
  assert.equal(nextBy(1, now, { random: () => 0.9 }, rules), now)
})

test('3xx is a redirect, 4xx a mistake of the merchant, 5xx and anything else a failure to try again', () => {
  const reasonOf = (status: number) => {
    const verdict = verdictOf(answer(status), now)
    return verdict.kind === 'ok' ? 'ok' : `${verdict.reason}${verdict.misconfigured ? ', misconfigured' : ''}`
  }
  assert.deepEqual([100, 199, 200, 299, 300, 399, 400, 499, 500, 599].map(reasonOf), [
    ...['failed', 'failed', 'ok', 'ok', 'redirect, misconfigured', 'redirect, misconfigured'],
    ...['misconfigured, misconfigured', 'misconfigured, misconfigured', 'failed', 'failed'],
  ])
})

test('a delivery whose workers keep dying ends after 1,000 attempts more than scheduled', () => {
  assert.equal(mostAttemptsBy(webhookDefaults), 1_014)
})
