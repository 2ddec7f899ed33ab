/** Periods of a shop's time: its days, the hours of a day, and a day until the same time of day as now. Pure. */
import type { Instant } from '../../core/clock.ts'
import { day_ms } from '../../core/duration.ts'
import type { Zone } from '../../core/zone.ts'

/** From the first instant, until the second, which is not in it. */
export type Period = { readonly from: Instant; readonly until: Instant }

type Time = { readonly hour: number; readonly minute: number; readonly second: number; readonly millisecond: number }

const midnight: Time = { hour: 0, minute: 0, second: 0, millisecond: 0 }

/** `date`: as `2026-01-02`. `later`: so many days after it. */
const instantIn = (zone: Zone, date: string, later: number, time: Time): Instant => {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  const moved = new Date(Date.UTC(year, month - 1, day + later))
  return zone
    .instantOf({ year: moved.getUTCFullYear(), month: moved.getUTCMonth() + 1, day: moved.getUTCDate(), ...time })
    .getTime()
}

export const localDate = (zone: Zone, at: Instant): string => zone.format(new Date(at)).slice(0, 10)

/** The date so many days after another one. */
export const dateAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * day_ms).toISOString().slice(0, 10)

export const dayOf = (zone: Zone, date: string): Period => ({
  from: instantIn(zone, date, 0, midnight),
  until: instantIn(zone, date, 1, midnight),
})

/**
 * The day so many days before that of `now`, until the same time of the clock. A time that the day does not have, because the
 * clocks were moved, is read as its zone does; the period never leaves its day.
 */
export const untilSameTime = (zone: Zone, now: Instant, daysBefore: number): Period => {
  const local = zone.format(new Date(now))
  const date = local.slice(0, 10)
  const [hour, minute, second] = local.slice(11, 19).split(':').map(Number) as [number, number, number]
  const time = { hour, minute, second, millisecond: Number(local.slice(20, 23)) }
  const { from, until } = dayOf(zone, dateAfter(date, -daysBefore))
  const same = instantIn(zone, date, -daysBefore, time)
  return { from, until: Math.min(Math.max(same, from), until) }
}

/**
 * The 24 hours of a day by the clock on the wall. On a day on which clocks are moved an hour may be empty, or twice as long: the
 * hours of a day always make the whole day.
 */
export const hoursOf = (zone: Zone, date: string): Period[] => {
  const { from, until } = dayOf(zone, date)
  const starts = Array.from({ length: 24 }, (_, hour) => instantIn(zone, date, 0, { ...midnight, hour }))
  return starts.map((start, hour) => ({
    from: hour === 0 ? from : Math.min(start, until),
    until: Math.min(starts[hour + 1] ?? until, until),
  }))
}
