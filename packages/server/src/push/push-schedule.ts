/**
 * When a message to a device is sent, tried again and given up, and what an answer of its push service means. Pure: the caller
 * sends and records.
 */
import type { Instant } from '../core/clock.ts'
import { hour_ms, minute_ms, second_ms } from '../core/duration.ts'
import type { AttemptResult } from '../webhooks/calling/read-answer.ts'
import { readRetryAfter } from '../webhooks/sending/schedule.ts'

/** How long the first of a burst waits for the others: they become one message. */
export const gather_ms = 3 * second_ms
/** The shortest time between two messages to a device. */
export const gap_ms = 20 * second_ms
/** A claim of a device. Longer than a call can take (`total_ms` of webhooks, 15 s by default). */
export const lease_ms = 2 * minute_ms
/** What has waited longer is dropped, such as what happened early in long quiet hours. */
export const pendingLife_ms = 12 * hour_ms
/** A message that could not be sent for so long is dropped. */
export const messageLife_ms = 2 * hour_ms
/** How long a push service keeps a message for a device that it cannot reach. */
export const serviceKeeps_s = (4 * hour_ms) / second_ms
/** Messages given up in a row, after which the device is dropped. */
export const mostFailures = 5

/** The pause after each attempt; after the last one the message is given up. */
const pauses_ms: readonly number[] = [30 * second_ms, 2 * minute_ms, 10 * minute_ms, 30 * minute_ms, hour_ms]
export const mostAttempts = pauses_ms.length + 1

export type Sent =
  | { readonly kind: 'sent' }
  /** The push service does not know the subscription any more. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'retry'; readonly at: Instant }
  | { readonly kind: 'given up' }

/** `attempt` is counted from 1. `random`: at least 0 and less than 1. */
export const afterAttempt = (result: AttemptResult, attempt: number, now: Instant, random: number): Sent => {
  if (result.kind === 'answer') {
    if (result.status >= 200 && result.status < 300) return { kind: 'sent' }
    if (result.status === 404 || result.status === 410) return { kind: 'gone' }
    // The push service refuses this message, and would refuse it again.
    if (result.status !== 429 && result.status < 500) return { kind: 'given up' }
  }
  // The address leads to a private network: nothing was sent, and nothing will be.
  if (result.kind === 'blocked') return { kind: 'given up' }
  const pause_ms = pauses_ms[attempt - 1]
  if (pause_ms === undefined) return { kind: 'given up' }
  const retryAfter = result.kind === 'answer' ? result.retryAfter : undefined
  const asked_ms = retryAfter === undefined ? 0 : (readRetryAfter(retryAfter, now) ?? 0) * second_ms
  const wait_ms = Math.max(pause_ms, Math.min(asked_ms, hour_ms))
  return { kind: 'retry', at: now + Math.round(wait_ms * (1 + 0.2 * random)) }
}
