import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Call, fullest, ReferenceLimits } from '../../../test/support/pure/reference-limits.ts'
import { MemoryLimits } from './memory-limits.ts'
import { DEFAULT_RULES, type Rule } from './rule.ts'
import { SlidingWindow, spansOf } from './sliding-window.ts'

const NINE = Date.UTC(2025, 0, 15, 9)

// Small windows that a few calls can fill. Limits above 1,000, which count in slots, have a test of their own.
const windows = (most_ms: number) => fc.oneof(fc.integer({ min: 1, max: 80 }), fc.integer({ min: 1, max: most_ms }))
const rules = fc.record({
  burst: fc.record({ max: fc.integer({ min: 1, max: 6 }), window_ms: windows(4000) }),
  sustained: fc.record({ max: fc.integer({ min: 1, max: 12 }), window_ms: windows(12_000) }),
})
const gaps = (min: number) =>
  fc.array(fc.oneof({ weight: 3, arbitrary: fc.integer({ min, max: 40 }) }, fc.integer({ min, max: 3000 })), {
    maxLength: 80,
  })

const timesOf = (steps: readonly number[]): number[] => {
  let now = NINE
  return steps.map((step) => {
    now += step
    return now
  })
}

// Capacity for few keys: preparing for 50,000 takes longer than the calls.
const fresh = () => new MemoryLimits(4)

const callAll = (limits: MemoryLimits, rule: Rule, times: readonly number[]): Call[] =>
  times.map((now) => ({ now, verdict: limits.take('b', 'k', rule, now) }))

test('no window of either length ever holds more accepted calls than its limit', () => {
  fc.assert(
    fc.property(rules, gaps(0), (rule, steps) => {
      const calls = callAll(fresh(), rule, timesOf(steps))
      assert.ok(fullest(calls, rule.burst) <= rule.burst.max)
      assert.ok(fullest(calls, rule.sustained) <= rule.sustained.max)
    }),
    { numRuns: 500 },
  )
})

test('every verdict equals that of the reference model, even if the clock steps back', () => {
  fc.assert(
    fc.property(rules, gaps(-1500), (rule, steps) => {
      const reference = new ReferenceLimits(rule)
      for (const { now, verdict } of callAll(fresh(), rule, timesOf(steps))) {
        assert.deepEqual(verdict, reference.take(now))
      }
    }),
    { numRuns: 500 },
  )
})

test('a large limit counts in slots, never admits more than its maximum, and agrees with the reference model', () => {
  const rule: Rule = { burst: { max: 400, window_ms: 50 }, sustained: { max: 1200, window_ms: 144_000 } }
  const crowds = fc.array(
    fc.record({ step: fc.integer({ min: 0, max: 60_000 }), calls: fc.integer({ min: 1, max: 450 }) }),
    { minLength: 3, maxLength: 5 },
  )
  fc.assert(
    fc.property(crowds, (steps) => {
      const reference = new ReferenceLimits(rule)
      const limits = fresh()
      const calls: Call[] = []
      let now = NINE
      for (const { step, calls: n } of steps) {
        now += step
        for (let i = 0; i < n; i += 1) {
          const verdict = limits.take('b', 'k', rule, now)
          assert.deepEqual(verdict, reference.take(now))
          calls.push({ now, verdict })
          if (!verdict.allowed) break
        }
      }
      assert.ok(fullest(calls, rule.burst) <= rule.burst.max)
      assert.ok(fullest(calls, rule.sustained) <= rule.sustained.max)
    }),
    { numRuns: 15 },
  )
})

test('a refused call is not counted: without it every other verdict is the same', () => {
  fc.assert(
    fc.property(rules, gaps(0), (rule, steps) => {
      const calls = callAll(fresh(), rule, timesOf(steps))
      const accepted = calls.filter(({ verdict }) => verdict.allowed)
      const repeated = callAll(
        fresh(),
        rule,
        accepted.map(({ now }) => now),
      )
      assert.deepEqual(repeated, accepted)
    }),
    { numRuns: 500 },
  )
})

test('Retry-After is exact: a call is accepted after it, and refused a second earlier', () => {
  fc.assert(
    fc.property(rules, gaps(-1500), (rule, steps) => {
      const times = timesOf(steps)
      const calls = callAll(fresh(), rule, times)
      const index = calls.findIndex(({ verdict }) => !verdict.allowed)
      const refused = calls[index]
      if (refused === undefined || refused.verdict.allowed) return
      const { retryAfterS } = refused.verdict
      // Each call uses new limits with the same earlier calls: an accepted call would change the next result.
      const isAllowedAt = (now: number) => {
        const limits = fresh()
        callAll(limits, rule, times.slice(0, index + 1))
        return limits.take('b', 'k', rule, now).allowed
      }
      assert.equal(isAllowedAt(refused.now + retryAfterS * 1000), true)
      assert.equal(isAllowedAt(refused.now + (retryAfterS - 1) * 1000), false)
    }),
    { numRuns: 500 },
  )
})

test('two calls exactly one window apart are in different windows; one millisecond less apart, in the same', () => {
  const rule: Rule = { burst: { max: 1, window_ms: 60_000 }, sustained: { max: 9, window_ms: 86_400_000 } }
  const limits = fresh()
  assert.deepEqual(limits.take('b', 'k', rule, NINE), { allowed: true })
  assert.deepEqual(limits.take('b', 'k', rule, NINE + 59_999), { allowed: false, retryAfterS: 1 })
  assert.deepEqual(limits.take('b', 'k', rule, NINE + 60_000), { allowed: true })
})

test('the later of both windows decides how long to wait', () => {
  const rule: Rule = { burst: { max: 2, window_ms: 60_000 }, sustained: { max: 2, window_ms: 86_400_000 } }
  const limits = fresh()
  limits.take('b', 'k', rule, NINE)
  limits.take('b', 'k', rule, NINE + 500)
  assert.deepEqual(limits.take('b', 'k', rule, NINE + 1000), { allowed: false, retryAfterS: 86_399 })
})

test('a day of calls at full speed accepts exactly the limit of the day', () => {
  const limits = fresh()
  const rule = DEFAULT_RULES.intents
  let accepted = 0
  // 35 a minute would be 50,400 in a day.
  for (let minute = 0; minute < 1440; minute += 1) {
    for (let i = 0; i < 35; i += 1) {
      if (limits.take('intents', 'k', rule, NINE + minute * 60_000 + i * 1500).allowed) accepted += 1
    }
  }
  assert.equal(accepted, 50_000)
})

test('a slot of a large limit counts until its last millisecond is one window old', () => {
  const limits = fresh()
  const rule: Rule = { burst: { max: 2000, window_ms: 10 }, sustained: { max: 1001, window_ms: 1_440_000 } }
  const late = NINE + 999
  for (let i = 0; i < 1001; i += 1) assert.equal(limits.take('b', 'k', rule, late).allowed, true)
  assert.deepEqual(limits.take('b', 'k', rule, late), { allowed: false, retryAfterS: 1440 })
  assert.equal(limits.take('b', 'k', rule, late + 1_439_999).allowed, false)
  assert.equal(limits.take('b', 'k', rule, late + 1_440_000).allowed, true)
})

test('a day at the limit needs at most 1,441 slots', () => {
  const { sustained } = spansOf(DEFAULT_RULES.intents)
  const window = new SlidingWindow(sustained)
  for (let now = NINE; now < NINE + 3 * 86_400_000; now += 5_000) {
    if (window.opensAt(now) === 0) window.add(now)
    assert.ok(window.slots <= 1441)
  }
  assert.ok(window.slots > 1400)
})

test('buckets and keys are counted apart', () => {
  const rule: Rule = { burst: { max: 1, window_ms: 1000 }, sustained: { max: 1, window_ms: 1000 } }
  const limits = fresh()
  assert.equal(limits.take('a', 'k', rule, NINE).allowed, true)
  assert.equal(limits.take('a', 'k', rule, NINE).allowed, false)
  assert.equal(limits.take('b', 'k', rule, NINE).allowed, true)
  assert.equal(limits.take('a', 'l', rule, NINE).allowed, true)
})

test('when there are too many keys the one unused for longest is evicted, and other buckets lose nothing', () => {
  const rule: Rule = { burst: { max: 1, window_ms: 1000 }, sustained: { max: 1, window_ms: 1000 } }
  const limits = new MemoryLimits(2)
  limits.take('quiet', 'k', rule, NINE)
  for (const key of ['first', 'second', 'third']) limits.take('b', key, rule, NINE)
  assert.equal(limits.take('quiet', 'k', rule, NINE).allowed, false)
  assert.equal(limits.take('b', 'third', rule, NINE).allowed, false)
  assert.equal(limits.take('b', 'second', rule, NINE).allowed, false)
  assert.equal(limits.take('b', 'first', rule, NINE).allowed, true)
})

test('a flood of invented keys evicts no key that is being refused, and none that was used more often', () => {
  const rule = DEFAULT_RULES.sign_in
  const limits = new MemoryLimits(100)
  const flood = (from: number, now: number) => {
    for (let i = 0; i < 1_000; i++) limits.take('sign_in', `made up ${from + i}`, rule, now)
  }
  for (let minute = 0; minute < 10; minute++) {
    const now = NINE + minute * 60_000
    for (let i = 0; i < 5; i++) assert.equal(limits.take('sign_in', 'amal', rule, now).allowed, true)
    flood(minute * 1_000, now)
    assert.equal(limits.take('sign_in', 'amal', rule, now).allowed, false)
  }
  assert.equal(limits.take('sign_in', 'amal', rule, NINE + 3_600_000).allowed, false)
})

test('a key unused for a day is evicted before one that was used a moment ago, however busy it was', () => {
  const rule = DEFAULT_RULES.sign_in
  const limits = new MemoryLimits(2)
  for (let i = 0; i < 40; i++) limits.take('b', 'busy once', rule, NINE + i * 12_000)
  const later = NINE + 3 * 86_400_000
  limits.take('b', 'amal', rule, later)
  limits.take('b', 'badr', rule, later)
  for (let i = 0; i < 4; i++) limits.take('b', 'amal', rule, later)
  assert.equal(limits.take('b', 'amal', rule, later).allowed, false)
})

test('a call that is given back does not count', () => {
  fc.assert(
    fc.property(rules, gaps(0), fc.array(fc.boolean(), { minLength: 80, maxLength: 80 }), (rule, steps, back) => {
      const [limits, reference] = [fresh(), new ReferenceLimits(rule)]
      timesOf(steps).forEach((now, i) => {
        const verdict = limits.take('b', 'k', rule, now)
        if (verdict.allowed && back[i]) limits.giveBack('b', 'k', rule, now)
        else assert.deepEqual(verdict, reference.take(now))
      })
    }),
    { numRuns: 300 },
  )
})

test('giving back a call that was never counted changes nothing', () => {
  const rule: Rule = { burst: { max: 1, window_ms: 1000 }, sustained: { max: 1, window_ms: 1000 } }
  const limits = fresh()
  limits.giveBack('b', 'k', rule, NINE)
  assert.equal(limits.take('b', 'k', rule, NINE).allowed, true)
  assert.equal(limits.take('b', 'k', rule, NINE).allowed, false)
})

test('using a bucket with another rule throws', () => {
  const limits = fresh()
  limits.take('b', 'k', DEFAULT_RULES.token, NINE)
  assert.throws(() => limits.take('b', 'k', DEFAULT_RULES.wallets, NINE), /Bucket b is counted by one rule/)
  assert.equal(limits.take('b', 'k', structuredClone(DEFAULT_RULES.token), NINE).allowed, true)
})

test('rules that differ in one number are other rules', () => {
  const limits = fresh()
  const rule: Rule = { burst: { max: 5, window_ms: 1000 }, sustained: { max: 9, window_ms: 9000 } }
  limits.take('b', 'k', rule, NINE)
  for (const part of ['burst', 'sustained'] as const)
    for (const field of ['max', 'window_ms'] as const) {
      const changed = { ...rule, [part]: { ...rule[part], [field]: rule[part][field] + 1 } }
      assert.throws(() => limits.take('b', 'k', changed, NINE), /was used with another/)
    }
})

const often: Rule = { burst: { max: 1000, window_ms: 60_000 }, sustained: { max: 1000, window_ms: 60_000 } }
/** Two keys fill the limits; which of them does a third key evict? */
const evictedOf = (rule: Rule, calls: readonly (readonly [key: string, at: number, times: number])[], now: number) => {
  const limits = new MemoryLimits(2)
  for (const [key, at, times] of calls) for (let i = 0; i < times; i++) limits.take('b', key, rule, at)
  limits.take('b', 'third', rule, now)
  const { max } = rule.burst
  const remembered = (key: string): boolean => {
    for (let i = 0; i < max; i++) if (!limits.take('b', key, rule, now).allowed) return true
    return false
  }
  return remembered('b') ? 'a' : 'b'
}

test('of two keys, that with fewer calls is evicted, in steps of 1, 2, 4 up to 128 calls; otherwise that unused for longest', () => {
  assert.equal(
    evictedOf(
      often,
      [
        ['a', NINE, 2],
        ['b', NINE, 1],
      ],
      NINE,
    ),
    'b',
  )
  assert.equal(
    evictedOf(
      often,
      [
        ['a', NINE, 3],
        ['b', NINE, 2],
      ],
      NINE,
    ),
    'a',
  )
  assert.equal(
    evictedOf(
      often,
      [
        ['a', NINE, 200],
        ['b', NINE, 70],
      ],
      NINE,
    ),
    'b',
  )
  assert.equal(
    evictedOf(
      often,
      [
        ['a', NINE, 300],
        ['b', NINE, 130],
      ],
      NINE,
    ),
    'a',
  )
})

test('a key counts as used again after a second', () => {
  const once: Rule = { burst: { max: 1, window_ms: 60_000 }, sustained: { max: 1, window_ms: 60_000 } }
  const again = (later: number) =>
    evictedOf(
      once,
      [
        ['a', NINE, 1],
        ['b', NINE, 1],
        ['a', NINE + later, 1],
      ],
      NINE + later,
    )
  assert.equal(again(999), 'a')
  assert.equal(again(1_000), 'b')
})

test('a busy key is evicted first when it was unused for more than its window and a second', () => {
  const unused = (ms: number) =>
    evictedOf(
      often,
      [
        ['a', NINE, 500],
        ['b', NINE + ms, 1],
      ],
      NINE + ms,
    )
  assert.equal(unused(61_000), 'b')
  assert.equal(unused(61_001), 'a')
})

test('a bucket remembers 50,000 keys', () => {
  const once: Rule = { burst: { max: 1, window_ms: 60_000 }, sustained: { max: 1, window_ms: 60_000 } }
  const limits = new MemoryLimits()
  for (let key = 0; key < 50_000; key++) limits.take('b', `${key}`, once, NINE)
  assert.equal(limits.take('b', '0', once, NINE).allowed, false)
  limits.take('b', 'one more', once, NINE)
  assert.equal(limits.take('b', '0', once, NINE).allowed, true)
})
