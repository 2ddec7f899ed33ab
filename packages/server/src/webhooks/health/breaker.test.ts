/** An endpoint that cannot be reached gets only probes; when it answers again, it gets more calls step by step. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { webhookDefaults } from '../settings.ts'
import { afterResult as afterBy, type Breaker, callLimit, fullSpeed } from './breaker.ts'

const afterResult = (breaker: Breaker, reached: boolean, now: number) => afterBy(breaker, reached, now, webhookDefaults)

const start = Date.parse('2026-01-02T03:04:05Z')
const times = (n: number, breaker: Breaker, reached: boolean, now: number): Breaker =>
  n === 0 ? breaker : times(n - 1, afterResult(breaker, reached, now), reached, now)
const closedBreaker: Breaker = { networkFailures: 0, openUntil: null, openStep: 0, slowStart: fullSpeed }
const opened = times(5, closedBreaker, false, start)

test('five network failures in a row open the breaker, four do not', () => {
  assert.equal(callLimit(times(4, closedBreaker, false, start), start), fullSpeed)
  assert.equal(callLimit(opened, start), 0)
})

test('an answer resets the count of network failures', () => {
  const answered = afterResult(times(4, closedBreaker, false, start), true, start)
  assert.equal(callLimit(times(4, answered, false, start), start), fullSpeed)
  assert.equal(callLimit(times(5, answered, false, start), start), 0)
})

test('one probe may be sent after 30 s, then after twice as long each time, up to 5 min', () => {
  let breaker = opened
  let now = start
  const waits_s: number[] = []
  for (let probe = 0; probe < 8; probe++) {
    const due = breaker.openUntil!
    waits_s.push((due - now) / 1000)
    assert.equal(callLimit(breaker, due - 1), 0)
    assert.equal(callLimit(breaker, due), 1)
    now = due
    breaker = afterResult(breaker, false, now)
  }
  assert.deepEqual(waits_s, [30, 60, 120, 240, 300, 300, 300, 300])
})

test('failures of calls that began before the breaker opened do not delay the probe', () => {
  assert.deepEqual(times(3, opened, false, start + 10_000), opened)
})

test('an answered probe closes the breaker with a slow start: 1, 2, 4, and then 8, the limit of an endpoint', () => {
  assert.equal(webhookDefaults.calls_per_endpoint, 8)
  let breaker = opened
  const limits: number[] = []
  for (let answers = 0; answers < 5; answers++) {
    breaker = afterResult(breaker, true, start + 30_000)
    limits.push(callLimit(breaker, start + 30_000))
  }
  assert.deepEqual(limits, [1, 2, 4, fullSpeed, fullSpeed])
  assert.deepEqual(breaker, closedBreaker)
})

test('an operator may change the first limit and the growth of the slow start; it ends at the limit of an endpoint', () => {
  const limitsWith = (changes: Partial<typeof webhookDefaults>): number[] => {
    let breaker = opened
    return Array.from({ length: 5 }, () => {
      breaker = afterBy(breaker, true, start + 30_000, { ...webhookDefaults, ...changes })
      return callLimit(breaker, start + 30_000)
    })
  }
  assert.deepEqual(limitsWith({ breaker_start: 2, breaker_growth: 3, calls_per_endpoint: 20 }), [
    2,
    6,
    18,
    fullSpeed,
    fullSpeed,
  ])
  assert.deepEqual(limitsWith({ breaker_start: 8 }), Array(5).fill(fullSpeed))
  assert.deepEqual(limitsWith({ calls_per_endpoint: 32 }), [1, 2, 4, 8, 16])
  assert.deepEqual(limitsWith({ calls_per_endpoint: 1 }), Array(5).fill(fullSpeed))
})

test('a failure during the slow start opens the breaker at once, for twice as long as the last time', () => {
  const now = start + 30_000
  const again = afterResult(times(2, opened, true, now), false, now)
  assert.equal(again.openUntil, now + 60_000)
})

test('after a full recovery the next pause is 30 s again', () => {
  const recovered = times(4, afterResult(opened, false, start + 30_000), true, start + 90_000)
  assert.equal(times(5, recovered, false, start + 91_000).openUntil, start + 121_000)
})

test('in any order of results, the state stays within its bounds, and the breaker closes only after an answer', () => {
  const results = fc.array(fc.tuple(fc.boolean(), fc.nat(400_000)), { maxLength: 200 })
  fc.assert(
    fc.property(results, (events) => {
      let breaker = closedBreaker
      let now = start
      for (const [reached, later_ms] of events) {
        now += later_ms
        const before = breaker
        breaker = afterResult(before, reached, now)
        assert.ok([0, 1, 2, 4, fullSpeed].includes(callLimit(breaker, now)))
        assert.ok([1, 2, 4, fullSpeed].includes(breaker.slowStart))
        assert.ok(breaker.networkFailures >= 0 && breaker.networkFailures < 5)
        assert.ok(breaker.openStep >= 0 && breaker.openStep <= 4)
        assert.ok(breaker.openUntil === null || breaker.openUntil <= now + 300_000)
        if (before.openUntil !== null && !reached) assert.notEqual(breaker.openUntil, null)
        if (reached) assert.equal(breaker.openUntil, null)
        // Every pause is at least half a minute.
        if (breaker.openUntil !== null && breaker !== before) assert.ok(breaker.openUntil >= now + 30_000)
      }
    }),
  )
})

test('the value for full speed is the greatest that the column of the database holds', () => {
  assert.equal(fullSpeed, 32_767)
})

test('a failure before the full recovery doubles the last pause; after the full recovery the first pause is 30 s again', () => {
  const third = [1, 2].reduce((breaker) => afterResult(breaker, false, breaker.openUntil!), opened)
  const probedAt = third.openUntil!
  const recovering = afterResult(third, true, probedAt)
  assert.equal(afterResult(recovering, false, probedAt).openUntil, probedAt + 240_000)
  const recovered = times(4, third, true, probedAt)
  assert.equal(times(5, recovered, false, probedAt).openUntil, probedAt + 30_000)
})

test('an open breaker counts no failures, and its step is bounded however long the endpoint is away', () => {
  let breaker = opened
  for (let probe = 0; probe < 100; probe++) breaker = afterResult(breaker, false, breaker.openUntil!)
  assert.deepEqual([breaker.networkFailures, breaker.openStep], [0, 4])
})
