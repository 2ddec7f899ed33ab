/** Limits counted once for all nodes, by Redis or Valkey.
 *
 *  Promises an answer whatever Redis does. A call that Redis has not answered within the patience is counted in this
 *  process instead, and so are the calls after it, until Redis answers a probe in time: a Redis that hangs costs one
 *  wait, not one for each call. Meanwhile every node allows the whole limit by itself, starting from what it counted
 *  in earlier outages; a call that Redis answered too late counts in both. Each change is logged once.
 *
 *  What a window is, is left to take-script.ts and sliding-window.ts. */

import { createClient } from 'redis'
import { MemoryLimits } from './memory-limits.ts'
import { ALLOWED, type Limits, type Rule, refusedFor, type Verdict } from './rule.ts'
import { giveBackScript, takeScript } from './take-script.ts'

const PATIENCE_MS = 250
const RECONNECT_MAX_MS = 500

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
  readonly #local = new MemoryLimits()
  #state: 'starting' | 'shared' | 'alone' | 'closed' = 'starting'
  #probing = false

  private constructor({ url, log, patience_ms = PATIENCE_MS }: RedisLimitsOptions) {
    this.#log = log
    this.#patience_ms = patience_ms
    this.#client = clientOf(url)
    this.#client.on('error', (fault: unknown) => this.#goAlone(fault))
  }

  /** Waits for the first connection, but no longer than the patience: Sanad starts without Redis, and says so.
   *  Throws only for a URL that cannot be one. */
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
    if (this.#state === 'shared') {
      try {
        const wait_ms = await this.#inTime(this.#client.take(bucket, key, rule, now))
        return wait_ms === 0 ? ALLOWED : refusedFor(wait_ms)
      } catch (fault) {
        this.#goAlone(fault)
      }
    } else {
      this.#probe()
    }
    return this.#local.take(bucket, key, rule, now)
  }

  /** What Redis counted and a node that is alone gives back stays counted there: too much, never too little. */
  async giveBack(bucket: string, key: string, rule: Rule, now: number): Promise<void> {
    if (this.#state !== 'shared') return this.#local.giveBack(bucket, key, rule, now)
    try {
      await this.#inTime(this.#client.giveBack(bucket, key))
    } catch (fault) {
      this.#goAlone(fault)
    }
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

  /** Asks, beside the call that noticed, whether Redis is back. One question at a time, one in each patience. */
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

  /** The answer, or a rejection when the patience ends first. What comes later is dropped. */
  #inTime<T>(answer: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`No answer within ${this.#patience_ms} ms.`)), this.#patience_ms)
      answer.then(resolve, reject).finally(() => clearTimeout(timer))
    })
  }
}
