/**
 * The breaker of an endpoint: after some network failures in a row it is left alone, but for a probe now and then, and
 * once it answers again it is trusted by and by. Pure; the state is what the endpoint's row keeps. Deliveries that wait
 * behind it lose no attempt: that is the claim's. Redeliveries by hand and test sends are not told to it.
 */
import type { Instant } from '../ground/clock.ts'

export type Breaker = {
  /** In a row, while closed. */
  readonly networkFailures: number
  /** Set while open: from then on one probe may go out. */
  readonly openUntil: Instant | null
  /** How often it opened without recovering in between. */
  readonly openStep: number
  /** How many deliveries may be out at once while closed. */
  readonly slowStart: number
}

/** At most so many deliveries are out to one endpoint. */
export const fullSpeed = 8

export const closedBreaker: Breaker = { networkFailures: 0, openUntil: null, openStep: 0, slowStart: fullSpeed }

const failuresToOpen = 5
const firstProbe_ms = 30_000
const slowestProbe_ms = 300_000
const lastStep = Math.ceil(Math.log2(slowestProbe_ms / firstProbe_ms))

/** How many deliveries may be out to the endpoint now: none while it is open, then one probe, then 1, 2, 4, 8. */
export const roomOf = (breaker: Breaker, now: Instant): number => {
  if (breaker.openUntil === null) return breaker.slowStart
  return now < breaker.openUntil ? 0 : 1
}

/** `reached`: it answered, whatever it answered. A 500 is no reason to leave it alone. */
export const afterResult = (breaker: Breaker, reached: boolean, now: Instant): Breaker =>
  reached ? afterAnswer(breaker) : afterNetworkFailure(breaker, now)

const afterAnswer = (breaker: Breaker): Breaker => {
  if (breaker.openUntil !== null) return { ...breaker, networkFailures: 0, openUntil: null, slowStart: 1 }
  const slowStart = Math.min(breaker.slowStart * 2, fullSpeed)
  // Only at full speed has it recovered: failing before that waits twice as long as the last time.
  return { networkFailures: 0, openUntil: null, openStep: slowStart === fullSpeed ? 0 : breaker.openStep, slowStart }
}

const afterNetworkFailure = (breaker: Breaker, now: Instant): Breaker => {
  if (breaker.openUntil !== null) {
    // Sent before it opened, ended since: known already. Only a probe's failure says something new.
    return now < breaker.openUntil ? breaker : open(breaker.openStep + 1, now)
  }
  if (breaker.slowStart < fullSpeed) return open(breaker.openStep + 1, now)
  const networkFailures = breaker.networkFailures + 1
  return networkFailures < failuresToOpen ? { ...breaker, networkFailures } : open(0, now)
}

const open = (step: number, now: Instant): Breaker => {
  const openStep = Math.min(step, lastStep)
  const wait_ms = Math.min(firstProbe_ms * 2 ** openStep, slowestProbe_ms)
  return { networkFailures: 0, openUntil: now + wait_ms, openStep, slowStart: 1 }
}
