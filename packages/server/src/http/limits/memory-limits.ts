/**
 * Limits counted in this process: for one node, and for a node whose Redis does not answer.
 *
 * Promises a verdict without waiting, within a microsecond, and a bounded number of keys.
 *
 * When a bucket is full of keys, one is evicted, and with it its count: first one unused for longer than its windows,
 * which counts nothing any more; else, of those that counted fewest calls, the one unused for longest. So a flood of
 * made-up keys evicts others of the flood, and not the count of a user whose password is being guessed, let alone one
 * that refuses: to evict that, every key of the flood must have been used as often. Each bucket has its own capacity:
 * made-up client ids, which fill the bucket of failed token requests, evict no merchant’s count.
 */

import { ALLOWED, type Limits, type Rule, refusedFor, type Verdict } from './rule.ts'
import { SlidingWindow, type Span, spansOf } from './sliding-window.ts'

const MAX_KEYS = 50_000
/** Keys by how many calls they have counted, to the power of two: 1, 2 and 3, 4 to 7, ... 128 and more. */
const LEVELS = 8
/** A busy key is moved to the young end of its level no more often than this. */
const RENEW_MS = 1_000

/** What one key has counted in one bucket. */
type Count = {
  readonly key: string
  readonly burst: SlidingWindow
  readonly sustained: SlidingWindow
  level: number
  usedAt: number
}

type Book = {
  readonly rule: Rule
  readonly burst: Span
  readonly sustained: Span
  readonly counts: Map<string, Count>
  /** Of each level, the one unused for longest first. */
  readonly levels: readonly Map<string, Count>[]
}

export class MemoryLimits implements Limits {
  readonly #books = new Map<string, Book>()
  readonly #maxKeys: number

  constructor(maxKeys: number = MAX_KEYS) {
    this.#maxKeys = maxKeys
  }

  take(bucket: string, key: string, rule: Rule, now: number): Verdict {
    const book = this.#bookOf(bucket, rule)
    const count = book.counts.get(key) ?? this.#open(book, key, now)
    const burstAt = count.burst.opensAt(now)
    const sustainedAt = count.sustained.opensAt(now)
    const opensAt = burstAt > sustainedAt ? burstAt : sustainedAt
    if (opensAt === 0) {
      count.burst.add(now)
      count.sustained.add(now)
    }
    this.#place(book, count, now)
    return opensAt > 0 ? refusedFor(opensAt - now) : ALLOWED
  }

  giveBack(bucket: string, key: string, rule: Rule, now: number): void {
    const book = this.#bookOf(bucket, rule)
    const count = book.counts.get(key)
    if (count === undefined) return
    count.burst.takeBack()
    count.sustained.takeBack()
    // A key that counts nothing takes no place from another.
    if (callsOf(count) === 0) this.#forget(book, count)
    else this.#place(book, count, now)
  }

  async close(): Promise<void> {
    this.#books.clear()
  }

  #open(book: Book, key: string, now: number): Count {
    if (book.counts.size >= this.#maxKeys) this.#makeRoom(book, now)
    const [burst, sustained] = [new SlidingWindow(book.burst), new SlidingWindow(book.sustained)]
    const count: Count = { key, burst, sustained, level: 0, usedAt: now }
    book.counts.set(key, count)
    book.levels[0]!.set(key, count)
    return count
  }

  /** Where it belongs by what it has counted, at the young end. */
  #place(book: Book, count: Count, now: number): void {
    const level = Math.min(LEVELS - 1, 31 - Math.clz32(callsOf(count) | 1))
    if (level === count.level && Math.abs(now - count.usedAt) < RENEW_MS) return
    book.levels[count.level]!.delete(count.key)
    count.level = level
    count.usedAt = now
    book.levels[level]!.set(count.key, count)
  }

  #makeRoom(book: Book, now: number): void {
    const longest_ms = Math.max(book.burst.window_ms, book.sustained.window_ms)
    let first: Count | undefined
    for (const level of book.levels) {
      const [oldest] = level.values()
      if (oldest === undefined) continue
      first ??= oldest
      if (now - oldest.usedAt <= longest_ms + RENEW_MS) continue
      first = oldest
      break
    }
    if (first !== undefined) this.#forget(book, first)
  }

  #forget(book: Book, count: Count): void {
    book.counts.delete(count.key)
    book.levels[count.level]!.delete(count.key)
  }

  #bookOf(bucket: string, rule: Rule): Book {
    const book = this.#books.get(bucket)
    if (book !== undefined && (book.rule === rule || sameRule(book.rule, rule))) return book
    if (book !== undefined) throw new Error(`Bucket ${bucket} is counted by one rule and was asked about by another.`)
    const levels = Array.from({ length: LEVELS }, () => new Map<string, Count>())
    const opened = { rule, ...spansOf(rule), counts: new Map<string, Count>(), levels }
    this.#books.set(bucket, opened)
    return opened
  }
}

const callsOf = ({ burst, sustained }: Count): number => Math.max(burst.calls, sustained.calls)

const sameRule = (a: Rule, b: Rule): boolean =>
  a.burst.max === b.burst.max &&
  a.burst.window_ms === b.burst.window_ms &&
  a.sustained.max === b.sustained.max &&
  a.sustained.window_ms === b.sustained.window_ms
