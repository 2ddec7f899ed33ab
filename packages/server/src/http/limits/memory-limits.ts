/**
 * Limits counted in this process: for one node, and for a node whose Redis does not answer.
 *
 * A verdict is returned at once, within a microsecond, not as a promise. The number of keys is bounded.
 *
 * When a bucket is full, one key and its count are evicted. A key that was unused for longer than its windows is evicted
 * first, because it counts nothing any more. Otherwise the keys with the fewest calls are candidates, and the one that was
 * unused for longest is evicted. So a flood of invented keys evicts other keys of the flood, not the count of a user whose
 * password is being guessed: to evict that, every key of the flood must be used as often. Each bucket has its own capacity:
 * invented client ids, which fill the bucket of failed token requests, evict no merchant’s count.
 */

import { ALLOWED, type Limits, type Rule, refusedFor, type Verdict } from './rule.ts'
import { SlidingWindow, type Span, spansOf } from './sliding-window.ts'

const MAX_KEYS = 50_000
/** Keys are grouped into levels by their number of calls: 1, 2 to 3, 4 to 7, ... 128 and more. */
const LEVELS = 8
/** A busy key is moved to the recently used end of its level no more often than this. */
const RENEW_MS = 1_000

/** The count of one key in one bucket. */
type Count = {
  readonly key: string
  readonly burst: SlidingWindow
  readonly sustained: SlidingWindow
  level: number
  usedAt: number
}

type BucketCounts = {
  readonly rule: Rule
  readonly burst: Span
  readonly sustained: Span
  readonly byKey: Map<string, Count>
  /** In each level, the key that was unused for longest comes first. */
  readonly levels: readonly Map<string, Count>[]
}

export class MemoryLimits implements Limits {
  readonly #buckets = new Map<string, BucketCounts>()
  readonly #maxKeys: number

  constructor(maxKeys: number = MAX_KEYS) {
    this.#maxKeys = maxKeys
  }

  take(bucket: string, key: string, rule: Rule, now: number): Verdict {
    const wait_ms = this.waitOf(bucket, key, rule, now)
    return wait_ms === 0 ? ALLOWED : refusedFor(wait_ms)
  }

  /** Takes a call: 0 if it is allowed, else the milliseconds until one is. */
  waitOf(bucket: string, key: string, rule: Rule, now: number): number {
    const counts = this.#countsOf(bucket, rule)
    const count = counts.byKey.get(key) ?? this.#add(counts, key, now)
    const burstAt = count.burst.opensAt(now)
    const sustainedAt = count.sustained.opensAt(now)
    const opensAt = Math.max(burstAt, sustainedAt)
    if (opensAt === 0) {
      count.burst.add(now)
      count.sustained.add(now)
    }
    this.#updateLevel(counts, count, now)
    return opensAt === 0 ? 0 : Math.max(1, opensAt - now)
  }

  giveBack(bucket: string, key: string, rule: Rule, now: number): void {
    const counts = this.#countsOf(bucket, rule)
    const count = counts.byKey.get(key)
    if (count === undefined) return
    count.burst.takeBack()
    count.sustained.takeBack()
    // A key without calls is removed: it needs no capacity.
    if (callsOf(count) === 0) this.#remove(counts, count)
    else this.#updateLevel(counts, count, now)
  }

  async close(): Promise<void> {
    this.#buckets.clear()
  }

  #add(counts: BucketCounts, key: string, now: number): Count {
    if (counts.byKey.size >= this.#maxKeys) this.#evict(counts, now)
    const [burst, sustained] = [new SlidingWindow(counts.burst), new SlidingWindow(counts.sustained)]
    const count: Count = { key, burst, sustained, level: 0, usedAt: now }
    counts.byKey.set(key, count)
    counts.levels[0]!.set(key, count)
    return count
  }

  /** Moves the key to the level of its number of calls, at the recently used end. */
  #updateLevel(counts: BucketCounts, count: Count, now: number): void {
    const level = Math.min(LEVELS - 1, 31 - Math.clz32(callsOf(count) | 1))
    if (level === count.level && Math.abs(now - count.usedAt) < RENEW_MS) return
    counts.levels[count.level]!.delete(count.key)
    count.level = level
    count.usedAt = now
    counts.levels[level]!.set(count.key, count)
  }

  #evict(counts: BucketCounts, now: number): void {
    const longest_ms = Math.max(counts.burst.window_ms, counts.sustained.window_ms)
    let candidate: Count | undefined
    for (const level of counts.levels) {
      const [oldest] = level.values()
      if (oldest === undefined) continue
      candidate ??= oldest
      if (now - oldest.usedAt <= longest_ms + RENEW_MS) continue
      candidate = oldest
      break
    }
    if (candidate !== undefined) this.#remove(counts, candidate)
  }

  #remove(counts: BucketCounts, count: Count): void {
    counts.byKey.delete(count.key)
    counts.levels[count.level]!.delete(count.key)
  }

  #countsOf(bucket: string, rule: Rule): BucketCounts {
    const existing = this.#buckets.get(bucket)
    if (existing !== undefined && (existing.rule === rule || sameRule(existing.rule, rule))) return existing
    if (existing !== undefined) throw new Error(`Bucket ${bucket} is counted by one rule and was used with another.`)
    const levels = Array.from({ length: LEVELS }, () => new Map<string, Count>())
    const counts = { rule, ...spansOf(rule), byKey: new Map<string, Count>(), levels }
    this.#buckets.set(bucket, counts)
    return counts
  }
}

const callsOf = ({ burst, sustained }: Count): number => Math.max(burst.calls, sustained.calls)

const sameRule = (a: Rule, b: Rule): boolean =>
  a.burst.max === b.burst.max &&
  a.burst.window_ms === b.burst.window_ms &&
  a.sustained.max === b.sustained.max &&
  a.sustained.window_ms === b.sustained.window_ms
