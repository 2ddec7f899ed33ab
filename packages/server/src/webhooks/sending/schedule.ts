/**
 * When a delivery is tried again, and what an answer means for it. Pure: the caller sends, passes the time and a random number,
 * and records the result. Whether an endpoint may be called at all is decided in breaker.ts and auto-disable.ts.
 */
import type { Instant } from '../../core/clock.ts'
import { day_s, second_ms } from '../../core/duration.ts'
import type { AttemptResult } from '../calling/read-answer.ts'
import type { WebhookSettings } from '../settings.ts'

/** Deliveries that failed together are not tried again together: each is later by up to the jitter, never earlier. */
export type RetryRules = Pick<WebhookSettings, 'retry_waits_s' | 'retry_jitter' | 'retry_after_most_s'>

export type RetryInputs = {
  /** At least 0 and less than 1, like Math.random. */
  readonly random: () => number
  /** The receiver's Retry-After, if `verdictOf` honours it. */
  readonly retryAfter_s?: number | undefined
}

/** When to try again after this attempt, counted from 1. Null: this was the last attempt. */
export const nextAttemptAt = (
  attempt: number,
  finishedAt: Instant,
  { random, retryAfter_s = 0 }: RetryInputs,
  rules: RetryRules,
): Instant | null => {
  if (!Number.isSafeInteger(attempt) || attempt < 1) throw new Error(`Attempts are counted from 1, not ${attempt}.`)
  const scheduled_s = rules.retry_waits_s[attempt]
  if (scheduled_s === undefined) return null
  const wait_ms = Math.max(scheduled_s, Math.min(retryAfter_s, rules.retry_after_most_s)) * second_ms
  return finishedAt + wait_ms + Math.ceil(wait_ms * rules.retry_jitter * random())
}

/** Why an attempt failed. `gone` ends the delivery; after any other reason it is tried again. */
export type FailureReason = 'redirect' | 'gone' | 'misconfigured' | 'busy' | 'failed' | 'network' | 'blocked' | 'unsent'

export type Verdict =
  | { readonly kind: 'ok' }
  | {
      readonly kind: 'failed'
      readonly reason: FailureReason
      /** Attempts will fail until the merchant changes something. Shown beside the endpoint. */
      readonly misconfigured: boolean
      /** For the log: a redirect is not followed, so the merchant must see its target. */
      readonly location?: string
      readonly retryAfter_s?: number
    }

/** `finishedAt` is needed to read a Retry-After that is a date. */
export const verdictOf = (result: AttemptResult, finishedAt: Instant): Verdict => {
  if (result.kind !== 'answer') return failed(result.kind, result.kind === 'blocked')
  const { status, location, retryAfter } = result
  if (status >= 200 && status < 300) return { kind: 'ok' }
  if (status >= 300 && status < 400) return failed('redirect', true, location === undefined ? {} : { location })
  if (status === 410) return failed('gone', false)
  if (status === 429 || status === 503) {
    const retryAfter_s = retryAfter === undefined ? undefined : readRetryAfter(retryAfter, finishedAt)
    return failed('busy', false, retryAfter_s === undefined ? {} : { retryAfter_s })
  }
  return status >= 400 && status < 500 ? failed('misconfigured', true) : failed('failed', false)
}

const failed = (
  reason: FailureReason,
  misconfigured: boolean,
  more: { location?: string; retryAfter_s?: number } = {},
): Verdict => ({ kind: 'failed', reason, misconfigured, ...more })

const httpDate =
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} (?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) \d{4} \d{2}:\d{2}:\d{2} GMT$/

/** The highest value that is read; `nextAttemptAt` decides how much of it is honoured. */
const farthest_s = 365 * day_s

/** Seconds, or an HTTP date; anything else is ignored. Rounded up, so that it is never early. */
export const readRetryAfter = (header: string, finishedAt: Instant): number | undefined => {
  const text = header.trim()
  if (/^\d+$/.test(text)) return Math.min(Number(text), farthest_s)
  if (!httpDate.test(text)) return undefined
  const wait_s = Math.ceil((Date.parse(text) - finishedAt) / second_ms)
  return Number.isNaN(wait_s) ? undefined : Math.min(Math.max(wait_s, 0), farthest_s)
}

/** What happens with a delivery after an attempt. `gone`: the receiver wants no more events, so its endpoint is disabled. */
export type NextStep =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly at: Instant }
  | { readonly kind: 'exhausted' }
  | { readonly kind: 'gone' }

export const nextStepOf = (
  verdict: Verdict,
  attempt: number,
  finishedAt: Instant,
  random: () => number,
  rules: RetryRules,
): NextStep => {
  if (verdict.kind === 'ok') return { kind: 'delivered' }
  if (verdict.reason === 'gone') return { kind: 'gone' }
  const at = nextAttemptAt(attempt, finishedAt, { random, retryAfter_s: verdict.retryAfter_s }, rules)
  return at === null ? { kind: 'exhausted' } : { kind: 'retry', at }
}

/** An attempt whose worker died counts too. A delivery ends when it has so many attempts more than scheduled. */
const mostLapses = 1_000
export const mostAttempts = (rules: RetryRules): number => rules.retry_waits_s.length + mostLapses
