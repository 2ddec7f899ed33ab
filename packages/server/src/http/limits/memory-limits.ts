/** Limits counted in this process: for one node, and for a node whose Redis does not answer.
 *
 *  Promises an answer without waiting, within a microsecond, and a bounded number of keys.
 *
 *  When a bucket is full of keys, the one unused for longest is forgotten, and with it what it had counted. A key
 *  unused for longer than its windows has counted nothing, and such keys are the first to go; so a count is lost only
 *  when more than MAX_KEYS keys of one bucket were busy within the same day. Each bucket has its own room: made-up
 *  client ids, which fill that of failed token requests, push out no merchant's count. */

import { LRUCache } from 'lru-cache'
import { ALLOWED, type Limits, type Rule, refusedFor, type Verdict } from './rule.ts'
import { SlidingWindow, type Span, spansOf } from './sliding-window.ts'

const MAX_KEYS = 50_000

/** What one key has counted in one bucket. */
type Count = { readonly burst: SlidingWindow; readonly sustained: SlidingWindow }

type Book = {
  readonly rule: Rule
  readonly burst: Span
  readonly sustained: Span
  readonly counts: LRUCache<string, Count>
}

export class MemoryLimits implements Limits {
  readonly #books = new Map<string, Book>()
  readonly #maxKeys: number

  constructor(maxKeys: number = MAX_KEYS) {
    this.#maxKeys = maxKeys
  }

  take(bucket: string, key: string, rule: Rule, now: number): Verdict {
    const book = this.#bookOf(bucket, rule)
    let count = book.counts.get(key)
    if (count === undefined) {
      count = { burst: new SlidingWindow(book.burst), sustained: new SlidingWindow(book.sustained) }
      book.counts.set(key, count)
    }
    const burstAt = count.burst.opensAt(now)
    const sustainedAt = count.sustained.opensAt(now)
    const opensAt = burstAt > sustainedAt ? burstAt : sustainedAt
    if (opensAt > 0) return refusedFor(opensAt - now)
    count.burst.add(now)
    count.sustained.add(now)
    return ALLOWED
  }

  async close(): Promise<void> {
    this.#books.clear()
  }

  #bookOf(bucket: string, rule: Rule): Book {
    const book = this.#books.get(bucket)
    if (book !== undefined && (book.rule === rule || sameRule(book.rule, rule))) return book
    if (book !== undefined) throw new Error(`Bucket ${bucket} is counted by one rule and was asked about by another.`)
    const opened = { rule, ...spansOf(rule), counts: new LRUCache<string, Count>({ max: this.#maxKeys }) }
    this.#books.set(bucket, opened)
    return opened
  }
}

const sameRule = (a: Rule, b: Rule): boolean =>
  a.burst.max === b.burst.max &&
  a.burst.window_ms === b.burst.window_ms &&
  a.sustained.max === b.sustained.max &&
  a.sustained.window_ms === b.sustained.window_ms
