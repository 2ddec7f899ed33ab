/** Which part of which hour is counted next, for the operator's pictures. Pure. */
import type { Instant } from '../../core/clock.ts'
import { day_ms, hour_ms, minute_ms } from '../../core/duration.ts'

/** Requests that were running are written, or have failed, after this time. */
export const settled_ms = minute_ms
/** So much is counted at once at most; less only at the end of an hour. */
export const part_ms = 5 * minute_ms
/** How long the figures of an hour are kept. */
export const serviceHoursLife_ms = 7 * day_ms

export const hourOf = (at: Instant): Instant => at - (at % hour_ms)

/** The beginning of the last 24 hours. They are whole hours, and the present hour is the last of them. */
export const firstOfDay = (now: Instant): Instant => hourOf(now) - 23 * hour_ms

export type Part = { readonly from: Instant; readonly until: Instant }

/** The next part of an hour that is counted until `countedUntil`. Undefined: it is too early. Parts never leave their hour. */
export const nextPart = (hour: Instant, countedUntil: Instant, now: Instant): Part | undefined => {
  const until = Math.min(countedUntil + part_ms, hour + hour_ms)
  return until > countedUntil && until <= now - settled_ms ? { from: countedUntil, until } : undefined
}
