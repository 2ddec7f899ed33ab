/**
 * Reads a point in time from a filter: ISO 8601 in its many forms; a date alone means its midnight. Without an offset it is
 * local time in the given zone. Any other text is read as undefined; nothing here throws.
 */
import { asciiDigits } from '../../core/digits.ts'
import { day_ms, day_s } from '../../core/duration.ts'
import { SPACE, strip } from '../../core/python-text.ts'
import type { Zone } from '../../core/zone.ts'

/**
 * Rows have milliseconds, a filter may have microseconds. `round` is the direction of rounding, so that `created_after`
 * ('up') finds no row from just before it, and `created_before` ('down') none from just after.
 */
export const readInstant = (text: string, zone: Zone, round: 'up' | 'down' = 'down'): Date | undefined => {
  const trimmed = strip(text)
  const parsed = parse(trimmed) ?? parse(withPlus(trimmed))
  return parsed && instantOf(parsed, zone, round)
}

/** A day as `2026-01-02`. The year 9999 is refused: its end has a year of five digits. */
export const readDay = (text: string): string | undefined => {
  const [whole, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(asciiDigits(text)) ?? []
  if (year === undefined || Number(year) < 1970 || Number(year) > 9998) return undefined
  const at = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)))
  return at.toISOString().slice(0, 10) === whole ? whole : undefined
}

// An unescaped `+` of an offset arrives as a space.
const withPlus = (text: string): string => text.replace(/ (\d\d(?::?\d\d){0,2})$/, '+$1')

type ParsedTime = {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  micros: number
  offset_ms?: number
}

type Parts = Record<string, string | undefined>

const DATES = [
  '(?<year>\\d{4})-(?<month>\\d\\d)-(?<day>\\d\\d)',
  '(?<year>\\d{4})(?<month>\\d\\d)(?<day>\\d\\d)',
  '(?<year>\\d{4})-W(?<week>\\d\\d)(?:-(?<weekday>\\d)(?!\\d))?',
  '(?<year>\\d{4})W(?<week>\\d\\d)(?<weekday>\\d)?',
]
const FRACTION = '[.,](?<fraction>\\d+)'
const TIMES = [
  `(?<hour>\\d\\d)(?::(?<minute>\\d\\d)(?::(?<second>\\d\\d)(?:${FRACTION})?)?)?`,
  `(?<hour>\\d\\d)(?:(?<minute>\\d\\d)(?:(?<second>\\d\\d)(?:${FRACTION})?)?)?`,
]
const OFFSET = '(?<utc>Z)|(?<sign>[+-])(?<hours>\\d\\d)(?::?(?<minutes>\\d\\d)(?::?(?<seconds>\\d\\d)(?:\\.\\d+)?)?)?'

/**
 * The forms of ISO 8601. Between date and time, any one character that is not a digit is accepted; often it is a space. Each form
 * is an expression of its own: Node 22 allows no group name twice in one.
 */
const STRICT = DATES.flatMap((date) =>
  TIMES.map((time) => new RegExp(`^${date}(?:\\D${time}(?:[ .,]?(?:${OFFSET}))?)?$`, 'u')),
)

const strictParts = (text: string): Parts | undefined => {
  for (const form of STRICT) {
    const parts = form.exec(text)?.groups
    if (parts !== undefined) return parts
  }
  return undefined
}

/** As users type it: with single digits, but only together with a time. */
const LOOSE = new RegExp(
  `^(?<year>\\d{4})-(?<month>\\d{1,2})-(?<day>\\d{1,2})[T ](?<hour>\\d{1,2}):(?<minute>\\d{1,2})` +
    `(?::(?<second>\\d{1,2})(?:${FRACTION})?)?(?:[${SPACE}]*(?:${OFFSET}))?$`,
  'u',
)

const parse = (text: string): ParsedTime | undefined => {
  const parts = strictParts(text) ?? LOOSE.exec(asciiDigits(text))?.groups
  if (!parts) return undefined
  const date = parts.week === undefined ? calendarDate(parts) : weekDate(parts)
  const [hour, minute, second] = [number(parts.hour), number(parts.minute), number(parts.second)]
  if (!date || hour > 23 || minute > 59 || second > 59) return undefined
  const micros = number((parts.fraction ?? '').slice(0, 6).padEnd(6, '0'))
  const time = { ...date, hour, minute, second, micros }
  if (parts.utc) return { ...time, offset_ms: 0 }
  if (!parts.sign) return time
  const seconds = number(parts.hours) * 3600 + number(parts.minutes) * 60 + number(parts.seconds)
  if (seconds >= day_s) return undefined
  return { ...time, offset_ms: (parts.sign === '-' ? -seconds : seconds) * 1000 }
}

const number = (digits: string | undefined): number => Number(digits ?? 0)

type Day = { year: number; month: number; day: number }

const calendarDate = (parts: Parts): Day | undefined => {
  const date = { year: number(parts.year), month: number(parts.month), day: number(parts.day) }
  // JavaScript turns the 30th of February into a day in March: such a date is refused.
  const real = dayOf(utc(date.year, date.month, date.day))
  return date.year >= 1 && real.month === date.month && real.day === date.day ? date : undefined
}

/** Day 1 is Monday; week 1 is the week that contains January 4th. */
const weekDate = (parts: Parts): Day | undefined => {
  const [year, week, weekday] = [number(parts.year), number(parts.week), number(parts.weekday ?? '1')]
  if (year < 1 || week < 1 || weekday < 1 || weekday > 7) return undefined
  const monday = mondayOfWeekOne(year) + (week - 1) * 7 * day_ms
  if (monday >= mondayOfWeekOne(year + 1)) return undefined
  const day = dayOf(monday + (weekday - 1) * day_ms)
  return day.year > 9999 ? undefined : day
}

const mondayOfWeekOne = (year: number): number => {
  const fourth = utc(year, 1, 4)
  const sinceMonday = (new Date(fourth).getUTCDay() + 6) % 7
  return fourth - sinceMonday * day_ms
}

const utc = (year: number, month: number, day: number): number => new Date(0).setUTCFullYear(year, month - 1, day)

const dayOf = (ms: number): Day => {
  const date = new Date(ms)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

const EARLIEST = utc(1, 1, 1)
const LATEST = utc(10_000, 1, 1) - 1

const instantOf = ({ micros, offset_ms, ...local }: ParsedTime, zone: Zone, round: 'up' | 'down'): Date => {
  const { year, month, day, hour, minute, second } = local
  const whole =
    offset_ms === undefined
      ? zone.instantOf(local).getTime()
      : utc(year, month, day) + ((hour * 60 + minute) * 60 + second) * 1000 - offset_ms
  const ms = whole + (round === 'up' ? Math.ceil(micros / 1000) : Math.floor(micros / 1000))
  // With an offset, the first and the last day can lie outside the range of the database, where no row exists.
  return new Date(Math.min(Math.max(ms, EARLIEST), LATEST))
}
