/**
 * The breaker of an endpoint: after some network failures in a row it is left alone, but for a probe now and then, and
 * once it answers again it is trusted by and by. Pure; the state is what the endpoint's row keeps. Deliveries that wait
 * behind it lose no attempt: that is the claim's. Redeliveries by hand and test sends are not told to it.
 */
import type { Instant } from '../../core/clock.ts'
import type { WebhookSettings } from '../settings.ts'

export type BreakerRules = Pick<
  WebhookSettings,
  | 'breaker_failures'
  | 'breaker_first_ms'
  | 'breaker_slowest_ms'
  | 'breaker_start'
  | 'breaker_growth'
  | 'calls_per_endpoint'
>

export type Breaker = {
  /** In a row, while closed. */
  readonly networkFailures: number
  /** Set while open: from then on one probe may go out. */
  readonly openUntil: Instant | null
  /** How often it opened without recovering in between. */
  readonly openStep: number
  /** How many deliveries may be out at once while closed; at full speed as many as an endpoint may have at all. */
  readonly slowStart: number
}

/** The end of the slow start: as many as an endpoint may have at all, however many that is. */
export const fullSpeed = 32_767

export const closedBreaker: Breaker = { networkFailures: 0, openUntil: null, openStep: 0, slowStart: fullSpeed }

/** How many deliveries may be out to the endpoint now: none while it is open, then one probe, then 1, 2, 4 and so on. */
export const roomOf = (breaker: Breaker, now: Instant): number => {
  if (breaker.openUntil === null) return breaker.slowStart
  return now < breaker.openUntil ? 0 : 1
}

/** `reached`: it answered, whatever it answered. A 500 is no reason to leave it alone. */
export const afterResult = (breaker: Breaker, reached: boolean, now: Instant, rules: BreakerRules): Breaker =>
  reached ? afterAnswer(breaker, rules) : afterNetworkFailure(breaker, now, rules)

const afterAnswer = (breaker: Breaker, rules: BreakerRules): Breaker => {
  const wasOpen = breaker.openUntil !== null
  const grown = wasOpen ? rules.breaker_start : breaker.slowStart * rules.breaker_growth
  const slowStart = grown < rules.calls_per_endpoint ? grown : fullSpeed
  // Only at full speed has it recovered: failing before that waits twice as long as the last time.
  return { networkFailures: 0, openUntil: null, openStep: slowStart === fullSpeed ? 0 : breaker.openStep, slowStart }
}

const afterNetworkFailure = (breaker: Breaker, now: Instant, rules: BreakerRules): Breaker => {
  if (breaker.openUntil !== null) {
    // Sent before it opened, ended since: known already. Only a probe's failure says something new.
    return now < breaker.openUntil ? breaker : open(breaker.openStep + 1, now, rules)
  }
  if (breaker.slowStart < fullSpeed) return open(breaker.openStep + 1, now, rules)
  const networkFailures = breaker.networkFailures + 1
  return networkFailures < rules.breaker_failures ? { ...breaker, networkFailures } : open(0, now, rules)
}

const open = (step: number, now: Instant, rules: BreakerRules): Breaker => {
  const { breaker_first_ms, breaker_slowest_ms, breaker_start } = rules
  const openStep = Math.min(step, Math.ceil(Math.log2(breaker_slowest_ms / breaker_first_ms)))
  const wait_ms = Math.min(breaker_first_ms * 2 ** openStep, breaker_slowest_ms)
  return { networkFailures: 0, openUntil: now + wait_ms, openStep, slowStart: breaker_start }
}
