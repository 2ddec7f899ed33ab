/** The hours in which a member is not notified, by the clock of the account's time zone. Pure. */
import type { Instant } from '../core/clock.ts'
import type { Zone } from '../core/zone.ts'

/** Minutes after midnight. `until` is smaller than `from` if they end on the next day; the two are never equal. */
export type QuietHours = { readonly from: number; readonly until: number }

const localTime = (zone: Zone, now: Instant) => {
  const [year, month, day, hour, minute] = zone.format(new Date(now)).slice(0, 16).split(/[-T:]/).map(Number)
  return { year: year!, month: month!, day: day!, minutes: hour! * 60 + minute! }
}

/** When the quiet hours that hold this instant end. Undefined: it is not in quiet hours. */
export const quietUntil = (quiet: QuietHours | null, zone: Zone, now: Instant): Instant | undefined => {
  if (quiet === null) return undefined
  const { year, month, day, minutes } = localTime(zone, now)
  const { from, until } = quiet
  const isQuiet = from < until ? minutes >= from && minutes < until : minutes >= from || minutes < until
  if (!isQuiet) return undefined
  const daysOn = minutes < until ? 0 : 1
  const end = { year, month, day: day + daysOn, hour: Math.floor(until / 60), minute: until % 60 }
  return zone.instantOf(end).getTime()
}

/** `22:05` as minutes after midnight; the reader of the body has checked its form. */
export const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))

export const timeOfDay = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`
