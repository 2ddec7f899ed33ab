import assert from 'node:assert/strict'
import { test } from 'node:test'
import { figuresOf, latencyBounds_ms } from './endpoint-figures.ts'

/** The same number as PostgreSQL's width_bucket. */
const bucketOf = (ms: number): number => latencyBounds_ms.filter((bound) => ms >= bound).length

const counted = (times: readonly number[], failed = 0) => {
  const buckets = new Map<number, number>(failed === 0 ? [] : [[-1, failed]])
  for (const ms of times) buckets.set(bucketOf(ms), (buckets.get(bucketOf(ms)) ?? 0) + 1)
  return [...buckets].map(([bucket, attempts]) => ({ bucket, attempts }))
}

test('an endpoint without attempts has no latency', () => {
  assert.deepEqual(figuresOf([]), { arrived: 0, failed: 0, p50_ms: null, p95_ms: null })
  assert.deepEqual(figuresOf(counted([], 7)), { arrived: 0, failed: 7, p50_ms: null, p95_ms: null })
})

test('failed attempts are counted, and do not change the latency', () => {
  const times = [40, 41, 42]
  assert.deepEqual(figuresOf(counted(times, 9)), { ...figuresOf(counted(times)), failed: 9 })
})

test('a percentile is in the same bucket as the exact one', () => {
  const times = Array.from({ length: 1000 }, (_, i) => (i * 7919) % 1000)
  const sorted = times.toSorted((a, b) => a - b)
  const { arrived, p50_ms, p95_ms } = figuresOf(counted(times))
  assert.equal(arrived, 1000)
  assert.equal(bucketOf(p50_ms! - 1), bucketOf(sorted[499]!))
  assert.ok(Math.abs(p50_ms! - 500) <= 50 && Math.abs(p95_ms! - 950) <= 60, `${p50_ms} ${p95_ms}`)
})

test('a latency above every bound is shown as the last bound', () => {
  assert.equal(figuresOf(counted([20_000, 30_000])).p95_ms, 15_000)
})
