/**
 * Where the figures of some days are read from: whole tallied hours from stored figures, the rest from the intents. A day need
 * not begin on the hour (in Kathmandu it begins at a quarter past): such an hour belongs to two days, and is read intent by
 * intent. Pure.
 */
import type { Instant } from '../../core/clock.ts'
import { hour_ms } from '../../core/duration.ts'

export type FigurePeriods = {
  /** When each day begins, oldest first. */
  readonly days: readonly Instant[]
  /** The hours that are read from stored figures: all from `from` to `until`, except `without`. */
  readonly hours: { readonly from: Instant; readonly until: Instant; readonly without: readonly Instant[] }
  /** The periods that are read intent by intent; the last has no end. */
  readonly ranges: readonly { readonly from: Instant; readonly until: Instant | undefined }[]
}

export const figurePeriods = (days: readonly Instant[], talliedUntil: Instant): FigurePeriods => {
  const first = days[0]!
  const from = Math.ceil(first / hour_ms) * hour_ms
  if (talliedUntil <= from)
    return { days, hours: { from, until: from, without: [] }, ranges: [{ from: first, until: undefined }] }
  const sharedHours = days
    .filter((day) => day % hour_ms !== 0)
    .map((day) => Math.floor(day / hour_ms) * hour_ms)
    .filter((hour) => hour < talliedUntil)
  return {
    days,
    hours: { from, until: talliedUntil, without: sharedHours.filter((hour) => hour >= from) },
    ranges: [
      ...sharedHours.map((hour) => ({ from: Math.max(hour, first), until: hour + hour_ms })),
      { from: talliedUntil, until: undefined },
    ],
  }
}
