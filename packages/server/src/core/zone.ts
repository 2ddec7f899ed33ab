/**
 * A time zone by its IANA name: writes instants in its local time, and converts a local time to its instant.
 * Summer time, historic changes and the years 0001 to 9999 are right. The configuration names the zone to use.
 */

import { day_ms } from './duration.ts'

export type LocalTime = {
  year: number
  /** 1 to 12. */
  month: number
  day: number
  hour?: number
  minute?: number
  second?: number
  millisecond?: number
}

export type Zone = {
  readonly name: string
  /** `2026-01-02T06:04:05.678000+03:00` */
  format(instant: Date): string
  /** The instant of a local time. A time that occurs twice is the first one; a skipped time is read with the offset before it. */
  instantOf(local: LocalTime): Date
  /** The first instant of the calendar month, in this zone, that holds the instant. */
  monthStart(instant: Date): Date
}

const MOST_DAYS_KEPT = 4096
const MOST_ZONES_KEPT = 500

/** Offsets over one UTC day. `changesAt` is Infinity on a day without a change, which is nearly every day. */
type DayOffsets = { before_ms: number; after_ms: number; changesAt: number }

const sharedZones = new Map<string, Zone>()

/** The same as `zoneOf`, but one object per name, because a zone caches its days. An empty name means `fallback`. */
export const sharedZone = (name: string, fallback: Zone): Zone => {
  if (name === '' || name === fallback.name) return fallback
  const known = sharedZones.get(name)
  if (known !== undefined) return known
  if (sharedZones.size >= MOST_ZONES_KEPT) sharedZones.clear()
  const zone = zoneOf(name)
  sharedZones.set(name, zone)
  return zone
}

export const zoneOf = (name: string): Zone => {
  const offsetFromIntl = intlOffset(name)
  const days = new Map<number, DayOffsets>()

  // A query of Intl takes microseconds, a cached day nanoseconds. No zone has changed its offset twice in one day.
  const learnDay = (day: number): DayOffsets => {
    const first = day * day_ms
    const before_ms = offsetFromIntl(first)
    const after_ms = offsetFromIntl(first + day_ms - 1)
    let changesAt = Number.POSITIVE_INFINITY
    if (before_ms !== after_ms) {
      let low = first
      changesAt = first + day_ms - 1
      while (changesAt - low > 1) {
        const middle = Math.floor((low + changesAt) / 2)
        if (offsetFromIntl(middle) === before_ms) low = middle
        else changesAt = middle
      }
    }
    if (days.size >= MOST_DAYS_KEPT) days.clear()
    const offsets = { before_ms, after_ms, changesAt }
    days.set(day, offsets)
    return offsets
  }

  const offsetAt = (at: number): number => {
    const day = Math.floor(at / day_ms)
    const offsets = days.get(day) ?? learnDay(day)
    return at < offsets.changesAt ? offsets.before_ms : offsets.after_ms
  }

  const instantOf = (local: LocalTime): Date => {
    const asUtc = utcOf(local)
    const before = offsetAt(asUtc - day_ms)
    const after = offsetAt(asUtc + day_ms)
    const fits = [before, after].filter((offset) => offsetAt(asUtc - offset) === offset)
    return new Date(asUtc - (fits.length > 0 ? Math.max(...fits) : before))
  }

  // The intents of a page are mostly of one day, so the text of the last date and offset is kept.
  let lastDay = Number.NaN
  let lastDayText = ''
  let lastOffset_ms = Number.NaN
  let lastOffsetText = ''

  return {
    name,
    instantOf,
    format(instant) {
      const at = instant.getTime()
      const offset_ms = offsetAt(at)
      if (offset_ms !== lastOffset_ms) {
        lastOffset_ms = offset_ms
        lastOffsetText = offsetText(offset_ms)
      }
      const local = at + offset_ms
      const day = Math.floor(local / day_ms)
      if (day !== lastDay) {
        lastDay = day
        lastDayText = new Date(day * day_ms).toISOString().slice(0, -13)
      }
      return lastDayText + timeText(local - day * day_ms) + lastOffsetText
    },
    monthStart(instant) {
      const local = new Date(instant.getTime() + offsetAt(instant.getTime()))
      return instantOf({ year: local.getUTCFullYear(), month: local.getUTCMonth() + 1, day: 1 })
    },
  }
}

const twoDigits = Array.from({ length: 100 }, (_, n) => String(n).padStart(2, '0'))
const two = (n: number): string => twoDigits[n]!

/** `06:04:05.678000` */
const timeText = (ofDay_ms: number): string => {
  const second = Math.floor(ofDay_ms / 1000)
  const ms = ofDay_ms - second * 1000
  const minute = Math.floor(second / 60)
  const fraction = ms < 10 ? `00${ms}` : ms < 100 ? `0${ms}` : `${ms}`
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}:${two(second % 60)}.${fraction}000`
}

const offsetText = (offset_ms: number): string => {
  const seconds = Math.abs(offset_ms) / 1000
  const text = `${offset_ms < 0 ? '-' : '+'}${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}`
  // Before standard time, offsets were local solar time, to the second.
  return seconds % 60 === 0 ? text : `${text}:${two(seconds % 60)}`
}

const utcOf = ({ year, month, day, hour = 0, minute = 0, second = 0, millisecond = 0 }: LocalTime): number => {
  const date = new Date(0)
  // Date.UTC would read the years 1 to 99 as 1901 to 1999.
  date.setUTCFullYear(year, month - 1, day)
  return date.setUTCHours(hour, minute, second, millisecond)
}

const intlOffset = (name: string): ((at: number) => number) => {
  let formatter: Intl.DateTimeFormat
  try {
    formatter = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'gregory',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      era: 'short',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch (cause) {
    throw new Error(`"${name}" is not a time zone this machine knows; use an IANA name such as Asia/Aden.`, { cause })
  }
  return (at) => {
    const whole = Math.floor(at / 1000) * 1000
    const parts: Record<string, string> = {}
    for (const { type, value } of formatter.formatToParts(whole)) parts[type] = value
    const year = Number(parts.year)
    const local = {
      year: parts.era?.startsWith('B') ? 1 - year : year,
      month: Number(parts.month),
      day: Number(parts.day),
      hour: Number(parts.hour),
      minute: Number(parts.minute),
      second: Number(parts.second),
    }
    return utcOf(local) - whole
  }
}
