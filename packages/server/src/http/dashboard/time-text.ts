/** Times as JSON answers write them: in a zone, with its offset. Pure. */
import type { Instant } from '../../core/clock.ts'
import type { Zone } from '../../core/zone.ts'

export const timeIn = (zone: Zone, at: Instant): string => zone.format(new Date(at))

export const timeOrNull = (zone: Zone, at: Instant | null): string | null => (at === null ? null : timeIn(zone, at))
