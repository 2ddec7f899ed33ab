/** The last days in a time zone, each with its date and its first instant. Pure. */
import type { Instant } from '../../core/clock.ts'
import type { Zone } from '../../core/zone.ts'

export type Day = { readonly date: string; readonly from: Instant }

/** The date that an instant has in a zone, such as `2026-01-02`. */
export const dateIn = (zone: Zone, at: Instant): string => zone.format(new Date(at)).slice(0, 10)

/** Oldest first; the last is the day of `now`. */
export const lastDays = (zone: Zone, count: number, now: Instant): Day[] => {
  const [year, month, day] = dateIn(zone, now).split('-').map(Number) as [number, number, number]
  return Array.from({ length: count }, (_, i) => {
    const date = new Date(Date.UTC(year, month - 1, day - (count - 1 - i)))
    const from = zone.instantOf({ year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() })
    return { date: date.toISOString().slice(0, 10), from: from.getTime() }
  })
}
