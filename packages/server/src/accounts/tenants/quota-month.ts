/** The calendar month, in the service's time zone, in which an intent created at an instant counts for the quota. Pure. */
import type { Instant } from '../../core/clock.ts'
import type { Zone } from '../../core/zone.ts'

export const quotaMonth = (zone: Zone, now: Instant): { readonly name: string; readonly start: Instant } => {
  const start = zone.monthStart(new Date(now))
  return { name: zone.format(start).slice(0, 10), start: start.getTime() }
}
