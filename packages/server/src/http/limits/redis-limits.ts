/**
 * Limits counted once for all nodes, by Redis or Valkey, and by each node for its own calls beside it.
 *
 * Promises a verdict whatever Redis does. A call that Redis has not answered within the patience is decided by what
 * this node itself has accepted, and so are the calls after it, until Redis answers a probe in time: a Redis that
 * hangs costs one wait, not one for each call. Each change is logged once.
 *
 * A node always counts the calls that it accepted itself, whether it or Redis decided. So when Redis fails, each node
 * continues from its own count (and refuses the keys that Redis had refused until then) instead of from zero; and when
 * Redis comes back empty, no key gets more calls over one node than the limit. While Redis answers, it alone counts
 * for all nodes, and exactly.
 *
 * The patience is measured in turns of this process’s event loop: a node that was blocked does not take Redis for dead
 * while its answer is unread. A call that Redis answers too late counts in both: too much, never too little.
 *
 * Windows are defined in take-script.ts and sliding-window.ts.
 */

import { LRUCache } from 'lru-cache'
import { createClient } from 'redis'
import { MemoryLimits } from './memory-limits.ts'
import { type Limits, type Rule, refusedFor, type Verdict } from './rule.ts'
import { giveBackScript, takeScript } from './take-script.ts'

const PATIENCE_MS = 250
const RECONNECT_MAX_MS = 500
/** The patience in looks at the clock, between which answers are read. A look that comes late counts as one. */
const TICKS = 5
const MAX_REFUSED_KEYS = 50_000

/** The probe counts too, so that a Redis which answers but cannot write is not taken for a well one. */
const PROBE: Rule = {
  burst: { max: Number.MAX_SAFE_INTEGER, window_ms: 1 },
  sustained: { max: Number.MAX_SAFE_INTEGER, window_ms: 1 },
}

export type LimitsLog = {
  info(facts: object, text: string): void
  warn(facts: object, text: string): void
}

export type RedisLimitsOptions = {
  /** `redis://`, `rediss://` or `unix:///path/to/socket`. */
  readonly url: string
  readonly log: LimitsLog
  readonly patience_ms?: number
}

const clientOf = (url: string) =>
  createClient({
    url,
    scripts: { take: takeScript, giveBack: giveBackScript },
    name: 'sanad-limits',
    // A call must not wait in line for a Redis that is away.
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    socket: {
      connectTimeout: 5_000,
      reconnectStrategy: (retries) => Math.min(20 * 2 ** retries, RECONNECT_MAX_MS) * (0.5 + Math.random() / 2),
    },
  })

export class RedisLimits implements Limits {
  readonly #client: ReturnType<typeof clientOf>
  readonly #log: LimitsLog
  readonly #patience_ms: number
  /** What this node accepted, by rule: a bucket has one rule for the life of a process. */
  readonly #own = new WeakMap<Rule, MemoryLimits>()
  /** Until when Redis refused a key, for when Redis is gone before that. */
  readonly #refused = new LRUCache<string, number>({ max: MAX_REFUSED_KEYS })
  readonly #waiting = new Set<{ readonly since: number; readonly giveUp: () => void }>()
  #ticks = 0
  #ticker: NodeJS.Timeout | undefined
  #state: 'starting' | 'shared' | 'alone' | 'closed' = 'starting'
  #probing = false

  private constructor({ url, log, patience_ms = PATIENCE_MS }: RedisLimitsOptions) {
    this.#log = log
    this.#patience_ms = patience_ms
    this.#client = clientOf(url)
    this.#client.on('error', (fault: unknown) => this.#goAlone(fault))
  }

  /**
   * Waits for the first connection, but no longer than the patience: Sanad starts without Redis, and logs it. Throws
   * only for an invalid URL.
   */
  static async open(options: RedisLimitsOptions): Promise<RedisLimits> {
    const limits = new RedisLimits(options)
    // It tries again by itself until it is closed.
    limits.#client.connect().catch(() => {})
    await limits.#inTime(new Promise<void>((ready) => limits.#client.once('ready', ready))).then(
      () => limits.#goShared(),
      (fault) => limits.#goAlone(fault),
    )
    limits.#client.on('ready', () => limits.#probe())
    return limits
  }

  async take(bucket: string, key: string, rule: Rule, now: number): Promise<Verdict> {
    const own = this.#ownOf(rule)
    if (this.#state === 'shared') {
      try {
        const wait_ms = await this.#inTime(this.#client.take(bucket, key, rule, now))
        if (wait_ms > 0) {
          this.#refused.set(`${bucket} ${key}`, now + wait_ms)
          return refusedFor(wait_ms)
        }
        const verdict = own.take(bucket, key, rule, now)
        // Redis has forgotten calls that this node accepted: it was started anew.
        if (!verdict.allowed) void this.#giveBackShared(bucket, key)
        return verdict
      } catch (fault) {
        this.#goAlone(fault)
      }
    } else {
      this.#probe()
    }
    const until = this.#refused.get(`${bucket} ${key}`) ?? now
    return until > now ? refusedFor(until - now) : own.take(bucket, key, rule, now)
  }

  /** What Redis counted and a node that is alone gives back stays counted there: too much, never too little. */
  async giveBack(bucket: string, key: string, rule: Rule, now: number): Promise<void> {
    this.#ownOf(rule).giveBack(bucket, key, rule, now)
    this.#refused.delete(`${bucket} ${key}`)
    if (this.#state === 'shared') await this.#giveBackShared(bucket, key)
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    // Calls still waiting for an answer are rejected by this, and so counted here.
    this.#client.destroy()
  }

  #goAlone(fault: unknown): void {
    if (this.#state === 'alone' || this.#state === 'closed') return
    this.#state = 'alone'
    const reason = fault instanceof Error ? fault.message || fault.name : String(fault)
    this.#log.warn({ reason }, 'Redis does not answer: this node counts rate limits by itself until it does.')
  }

  #goShared(): void {
    if (this.#state === 'shared' || this.#state === 'closed') return
    this.#state = 'shared'
    this.#log.info({}, 'Redis answers: rate limits are counted once for all nodes.')
  }

  /** Checks, beside the call that noticed, whether Redis is back. One probe at a time, one in each patience. */
  #probe(): void {
    if (this.#state !== 'alone' || this.#probing || !this.#client.isReady) return
    this.#probing = true
    const pause = setTimeout(() => {
      this.#probing = false
    }, this.#patience_ms)
    pause.unref()
    this.#inTime(this.#client.take('probe', 'probe', PROBE, 0)).then(
      () => this.#goShared(),
      () => {},
    )
  }

  async #giveBackShared(bucket: string, key: string): Promise<void> {
    try {
      await this.#inTime(this.#client.giveBack(bucket, key))
    } catch (fault) {
      this.#goAlone(fault)
    }
  }

  #ownOf(rule: Rule): MemoryLimits {
    let own = this.#own.get(rule)
    if (own === undefined) {
      own = new MemoryLimits()
      this.#own.set(rule, own)
    }
    return own
  }

  /** The answer, or a rejection when the patience ends first. What comes later is dropped. */
  #inTime<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(new Error(`No answer within ${this.#patience_ms} ms.`))
      const one = { since: this.#ticks, giveUp }
      this.#waiting.add(one)
      this.#ticker ??= setInterval(() => this.#tick(), Math.max(1, this.#patience_ms / TICKS))
      answer.then(resolve, reject).finally(() => this.#forget(one))
    })
  }

  #tick(): void {
    this.#ticks += 1
    for (const one of this.#waiting) {
      // One more than the patience: the first may have come right after the call.
      if (this.#ticks - one.since <= TICKS) break
      one.giveUp()
      this.#forget(one)
    }
  }

  #forget(one: { readonly since: number; readonly giveUp: () => void }): void {
    this.#waiting.delete(one)
    if (this.#waiting.size > 0) return
    clearInterval(this.#ticker)
    this.#ticker = undefined
  }
}
