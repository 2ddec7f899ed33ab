/**
 * The circuit breaker of an endpoint: after some network failures in a row only a probe is sent from time to time; when the
 * endpoint answers again, it gets more calls step by step. Pure; the state is stored in the endpoint's row. While the breaker is
 * open, deliveries are not claimed, so they lose no attempt. Redeliveries by hand and test sends do not count.
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
  /** Network failures in a row, counted while the breaker is closed. */
  readonly networkFailures: number
  /** Set while the breaker is open: from this time on one probe may be sent. */
  readonly openUntil: Instant | null
  /** How often the breaker opened again without a full recovery. */
  readonly openStep: number
  /** How many calls may be under way at once while closed. `fullSpeed`: as many as any endpoint may have. */
  readonly slowStart: number
}

/** The value after the slow start: no limit but that of the settings. */
export const fullSpeed = 32_767

/** How many calls to the endpoint may be under way now: none while open, then one probe, then 1, 2, 4 and so on. */
export const callLimit = (breaker: Breaker, now: Instant): number => {
  if (breaker.openUntil === null) return breaker.slowStart
  return now < breaker.openUntil ? 0 : 1
}

/** `reached`: the endpoint answered, with any status. A 500 does not open the breaker. */
export const afterResult = (breaker: Breaker, reached: boolean, now: Instant, rules: BreakerRules): Breaker =>
  reached ? afterAnswer(breaker, rules) : afterNetworkFailure(breaker, now, rules)

const afterAnswer = (breaker: Breaker, rules: BreakerRules): Breaker => {
  const wasOpen = breaker.openUntil !== null
  const grown = wasOpen ? rules.breaker_start : breaker.slowStart * rules.breaker_growth
  const slowStart = grown < rules.calls_per_endpoint ? grown : fullSpeed
  // The recovery is complete only at full speed: after a failure before that, the pause is twice as long as the last one.
  return { networkFailures: 0, openUntil: null, openStep: slowStart === fullSpeed ? 0 : breaker.openStep, slowStart }
}

const afterNetworkFailure = (breaker: Breaker, now: Instant, rules: BreakerRules): Breaker => {
  if (breaker.openUntil !== null) {
    // This call began before the breaker opened. Only the failure of a probe counts.
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
