import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterBegun, mayBegin, mostCredit, noLoad, type Pace, paceAfter, quietAfter_ms } from './yield-calls.ts'

const rules = { busy_requests: 2, busy_share: 0.05, busy_per_s: 100 }
const after = (pace: Pace, underWay: number, answered: number, took_ms = 20) =>
  paceAfter(pace, { underWay, answered, took_ms }, rules)
const busy: Pace = { credit: 0, quiet_ms: 0 }

/** How many deliveries begin in so many steps of 20 ms. */
const begunIn = (steps: number, from: Pace, underWay: number, answered: number): number => {
  let [pace, begun] = [from, 0]
  for (let n = 0; n < steps; n++) {
    pace = after(pace, underWay, answered)
    begun += mayBegin(pace)
    pace = afterBegun(pace, mayBegin(pace))
  }
  return begun
}

test('without concurrent requests there is no limit', () => {
  assert.equal(mayBegin(noLoad), Number.POSITIVE_INFINITY)
  assert.equal(mayBegin(after(afterBegun(noLoad, 128), 1.9, 500)), Number.POSITIVE_INFINITY)
})

test('with concurrent requests, one delivery begins for every 20 answered requests, and 100 a second in addition', () => {
  // A second in which 4,000 requests were answered: 200 for the requests, and 100 in any case.
  const many = begunIn(50, busy, 32, 80)
  assert.ok(many >= 299 && many <= 300, `${many}`)
  const few = begunIn(50, busy, 32, 0)
  assert.ok(few >= 99 && few <= 100, `${few}`)
})

test('unused credit is limited: even after a quiet day only a few deliveries begin at once', () => {
  let pace = busy
  for (let n = 0; n < 1000; n++) pace = after(pace, 32, 80)
  assert.equal(pace.credit, mostCredit)
  assert.equal(mayBegin(after(noLoad, 32, 0)), mostCredit)
})

test('a short pause between requests does not count as quiet; a longer one does', () => {
  let pace = after(busy, 32, 0)
  const moments = quietAfter_ms / 20
  for (let n = 1; n < moments; n++) {
    pace = after(pace, 0, 0)
    assert.ok(Number.isFinite(pace.credit))
  }
  assert.equal(mayBegin(after(pace, 0, 0)), Number.POSITIVE_INFINITY)
  assert.ok(Number.isFinite(after(pace, 3, 0).credit))
  // Measured again only after a second: long enough to be quiet.
  assert.equal(mayBegin(after(busy, 0, 0, 1_000)), Number.POSITIVE_INFINITY)
})
