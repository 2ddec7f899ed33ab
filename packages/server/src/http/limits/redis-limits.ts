/**
 * Limits counted once for all nodes by Redis or Valkey; each node also counts its own calls in memory.
 *
 * Every call gets a verdict, even if Redis fails. If Redis does not answer a call within the timeout, this node decides by the
 * calls that it has accepted itself. It also decides the following calls, until Redis answers a probe in time: a Redis that
 * hangs delays one call, not every call. Each change of state is logged once.
 *
 * A node always counts the calls that it accepted, whether it or Redis decided. So when Redis fails, each node continues
 * from its own count instead of from zero, and refuses the keys that Redis had refused for as long as Redis had said. When
 * Redis restarts empty, no key gets more calls through one node than the limit. While Redis answers, its count for all nodes
 * together is exact.
 *
 * The timeout is measured in ticks of a timer of this process, so that a node that was blocked does not declare Redis
 * dead while its answer is still unread. If Redis answers too late, the call stays counted in Redis, even if this
 * node refuses it: counts may be too high, never too low.
 *
 * Windows are defined in take-script.ts and sliding-window.ts.
 */

import { LRUCache } from 'lru-cache'
import { createClient } from 'redis'
import { MemoryLimits } from './memory-limits.ts'
import { type Limits, type Rule, refusedFor, type Verdict } from './rule.ts'
import { giveBackScript, takeScript } from './take-script.ts'

const TIMEOUT_MS = 250
const RECONNECT_MAX_MS = 500
/** The timeout is this many ticks of a timer. Answers are read between ticks; a tick that comes late still counts as one. */
const TICKS = 5
const MAX_REFUSED_KEYS = 50_000

/** The probe writes a count, so that a Redis that answers but cannot write is not considered healthy. */
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
  readonly timeout_ms?: number
}

const clientOf = (url: string) =>
  createClient({
    url,
    scripts: { take: takeScript, giveBack: giveBackScript },
    name: 'sanad-limits',
    // A call must not wait until Redis is reachable again.
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
  readonly #timeout_ms: number
  /** The calls that this node accepted, by rule: the rule of a bucket never changes while the process runs. */
  readonly #own = new WeakMap<Rule, MemoryLimits>()
  /** Until when Redis refused each key. Used if Redis fails before that. */
  readonly #refused = new LRUCache<string, number>({ max: MAX_REFUSED_KEYS })
  readonly #waiting = new Set<{ readonly since: number; readonly giveUp: () => void }>()
  #ticks = 0
  #ticker: NodeJS.Timeout | undefined
  #state: 'starting' | 'shared' | 'alone' | 'closed' = 'starting'
  #probing = false

  private constructor({ url, log, timeout_ms = TIMEOUT_MS }: RedisLimitsOptions) {
    this.#log = log
    this.#timeout_ms = timeout_ms
    this.#client = clientOf(url)
    this.#client.on('error', (fault: unknown) => this.#goAlone(fault))
  }

  /**
   * Waits for the first connection, but no longer than the timeout: Sanad then starts without Redis, and logs it. Throws
   * only for an invalid URL.
   */
  static async open(options: RedisLimitsOptions): Promise<RedisLimits> {
    const limits = new RedisLimits(options)
    // The client tries again by itself until it is closed.
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
        // Redis allows a call that this node's own count refuses: Redis was restarted and lost its counts.
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

  /** A call that is given back while Redis does not answer stays counted in Redis: the limit is then stricter, never looser. */
  async giveBack(bucket: string, key: string, rule: Rule, now: number): Promise<void> {
    this.#ownOf(rule).giveBack(bucket, key, rule, now)
    this.#refused.delete(`${bucket} ${key}`)
    if (this.#state === 'shared') await this.#giveBackShared(bucket, key)
  }

  async close(): Promise<void> {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    // This rejects the calls that still wait for Redis, so they are counted by this node.
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

  /** Checks in the background whether Redis answers again. At most one probe in each timeout. */
  #probe(): void {
    if (this.#state !== 'alone' || this.#probing || !this.#client.isReady) return
    this.#probing = true
    const pause = setTimeout(() => {
      this.#probing = false
    }, this.#timeout_ms)
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

  /** The answer, or a rejection if the timeout ends first. A later answer is ignored. */
  #inTime<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const giveUp = () => reject(new Error(`No answer within ${this.#timeout_ms} ms.`))
      const waiting = { since: this.#ticks, giveUp }
      this.#waiting.add(waiting)
      this.#ticker ??= setInterval(() => this.#tick(), Math.max(1, this.#timeout_ms / TICKS))
      answer.then(resolve, reject).finally(() => this.#forget(waiting))
    })
  }

  #tick(): void {
    this.#ticks += 1
    for (const waiting of this.#waiting) {
      // One tick more than the timeout: the first tick may have come right after the call.
      if (this.#ticks - waiting.since <= TICKS) break
      waiting.giveUp()
      this.#forget(waiting)
    }
  }

  #forget(waiting: { readonly since: number; readonly giveUp: () => void }): void {
    this.#waiting.delete(waiting)
    if (this.#waiting.size > 0) return
    clearInterval(this.#ticker)
    this.#ticker = undefined
  }
}
