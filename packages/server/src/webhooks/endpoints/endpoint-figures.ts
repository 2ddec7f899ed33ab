/**
 * The figures of an endpoint over the last day: how many attempts succeeded (`arrived`), how many failed, and how long the
 * successful ones took.
 * Attempts are counted by hour in buckets of latency, so a percentile is close to the exact one, not equal to it. Pure.
 */
import type { Instant } from '../../core/clock.ts'
import { day_ms, hour_ms } from '../../core/duration.ts'

/** The bounds between the buckets. Bucket 0 is below the first bound, the last bucket is above the last bound. */
export const latencyBounds_ms: readonly number[] = [
  5, 10, 20, 35, 50, 75, 100, 150, 200, 300, 400, 500, 750, 1_000, 1_500, 2_000, 3_000, 5_000, 7_500, 10_000, 15_000,
]

const failedBucket = -1

/** How long the counts are stored. */
export const figuresLife_ms = 7 * day_ms

/** The beginning of the last 24 hours. They are whole hours, and the present hour is the last of them. */
export const startOfLastDay = (now: Instant): Instant => now - (now % hour_ms) - 23 * hour_ms

export type EndpointFigures = {
  readonly arrived: number
  readonly failed: number
  /** The median duration of the attempts that arrived. Null: none arrived. */
  readonly p50_ms: number | null
  readonly p95_ms: number | null
}

export type CountedBucket = { readonly bucket: number; readonly attempts: number }

export const figuresOf = (counted: readonly CountedBucket[]): EndpointFigures => {
  const failed = counted.find(({ bucket }) => bucket === failedBucket)?.attempts ?? 0
  const arrived = counted
    .filter(({ bucket }) => bucket !== failedBucket)
    .toSorted((one, other) => one.bucket - other.bucket)
  return {
    arrived: arrived.reduce((sum, { attempts }) => sum + attempts, 0),
    failed,
    p50_ms: percentile(arrived, 0.5),
    p95_ms: percentile(arrived, 0.95),
  }
}

/** Assumes that the attempts are spread evenly within a bucket. */
const percentile = (counted: readonly CountedBucket[], part: number): number | null => {
  const all = counted.reduce((sum, { attempts }) => sum + attempts, 0)
  if (all === 0) return null
  let before = 0
  for (const { bucket, attempts } of counted) {
    if (before + attempts < part * all) {
      before += attempts
      continue
    }
    const from = latencyBounds_ms[bucket - 1] ?? 0
    const until = latencyBounds_ms[bucket] ?? from
    return Math.round(from + ((part * all - before) / attempts) * (until - from))
  }
  return latencyBounds_ms.at(-1)!
}
