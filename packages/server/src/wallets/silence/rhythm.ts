/**
 * How often a phone usually reports, learned from its own messages, and from when its silence is unusual. For apps that send
 * no heartbeat: a message is their only sign of life.
 *
 * History is the number of messages in each hour of the last weeks. From it comes the expected number of messages in any hour
 * (by weekday and by hour of the day). A silence is measured by the messages that were expected in it, so a night or a closed
 * Friday counts for nothing. The limit is taken from the phone's own history: well above the longest silence that it had in
 * ordinary weeks. A silence in the history that would have been an alarm is not ordinary, so that one dead week does not make
 * the rule blind.
 *
 * A phone is not judged if it has less than four weeks of history, or so few messages that the limit would be weeks away. Pure.
 */
import type { Instant } from '../../core/clock.ts'
import { day_ms, hour_ms } from '../../core/duration.ts'
import type { Zone } from '../../core/zone.ts'
import { dayKind } from './shop-calendar.ts'
import { type Gap, limitOfGaps } from './silence-gaps.ts'

/** How many days are stored, and how many ordinary days of these are used: the other days may be Ramadan and feasts. */
export const storedDays = 98
const usedDays = 56
const leastDays = 28
const leastMessages = 30
/** If the limit is further away than this, the phone is not judged. */
const mostSilence_days = 35
/** A count above this is stored as this. */
const mostInHour = 35

/** `hours`: 24 digits of base 36 for each day; the last day is `lastDay`, in days since 1970-01-01. */
export type HourCounts = { readonly hours: string; readonly lastDay: number }

export type SilenceLimit =
  | {
      readonly kind: 'limit'
      /** By then there is usually a message. */
      readonly usualAt: Instant
      /** From then on the silence is unusual. */
      readonly alarmAt: Instant
    }
  | Unjudged

type LocalHour = { readonly day: number; readonly hour: number }

/** The local day and hour of an instant. */
export const localHour = (zone: Zone, at: Instant): LocalHour => {
  const text = zone.format(new Date(at))
  return { day: Math.round(Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / day_ms), hour: Number(text.slice(11, 13)) }
}

/** The same number for the same weekday. */
const weekday = (day: number): number => day % 7

/** Adds messages to the counts, and drops days that are too old. Messages from before the stored days are ignored. */
export const addMessages = (counts: HourCounts, messages: readonly Instant[], zone: Zone): HourCounts => {
  if (messages.length === 0) return counts
  const added = messages.map((at) => localHour(zone, at))
  const newest = added.reduce((last, { day }) => Math.max(last, day), counts.lastDay)
  const known = counts.hours.length / 24
  const oldest = added.reduce(
    (first, { day }) => Math.min(first, day),
    known === 0 ? newest : counts.lastDay - known + 1,
  )
  const first = Math.max(oldest, newest - storedDays + 1)
  const table = new Array<number>((newest - first + 1) * 24).fill(0)
  for (let i = 0; i < counts.hours.length; i++) {
    const slot = (counts.lastDay - known + 1 - first) * 24 + i
    if (slot >= 0) table[slot] = Number.parseInt(counts.hours[i]!, 36)
  }
  for (const { day, hour } of added) {
    const slot = (day - first) * 24 + hour
    if (slot >= 0) table[slot] = Math.min(mostInHour, table[slot]! + 1)
  }
  return { hours: table.map((count) => count.toString(36)).join(''), lastDay: newest }
}

type Day = { readonly day: number; readonly counts: readonly number[] }

/** The ordinary days that are used, oldest first. The first day is left out, because it is incomplete. */
const ordinaryDays = (counts: HourCounts, today: number): Day[] => {
  const known = counts.hours.length / 24
  if (known === 0) return []
  const first = counts.lastDay - known + 1
  const days: Day[] = []
  for (let day = Math.max(first + 1, today - storedDays); day < today; day++) {
    if (dayKind(day) !== 'ordinary') continue
    const from = (day - first) * 24
    // After the last message there are days without any.
    const digits = counts.hours.slice(from, from + 24) || '0'.repeat(24)
    days.push({ day, counts: [...digits].map((digit) => Number.parseInt(digit, 36)) })
  }
  return days.slice(-usedDays)
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** The messages to expect in an hour of an ordinary day, and in a whole day. */
type Expected = { readonly inHour: (day: number, hour: number) => number; readonly aDay: number }

const expectedOf = (days: readonly Day[]): Expected => {
  const byHour = Array.from({ length: 24 }, (_, hour) => sum(days.map(({ counts }) => counts[hour]!)))
  const all = sum(byHour)
  // Each hour gets a part of its neighbours, because shops do not open on the minute.
  const share = byHour.map(
    (count, hour) => (count / 2 + byHour[(hour + 23) % 24]! / 4 + byHour[(hour + 1) % 24]! / 4) / all,
  )
  // Four weeks at least: every weekday occurs.
  const byWeekday = new Map<number, number>()
  for (const [index, same] of Map.groupBy(days, ({ day }) => weekday(day)))
    byWeekday.set(index, sum(same.map(({ counts }) => sum(counts))) / same.length)
  return { inHour: (day, hour) => byWeekday.get(weekday(day))! * share[hour]!, aDay: all / days.length }
}

/** In Ramadan shops open at other, unknown hours: a third of a day's usual messages, spread evenly. At a feast: none. */
const expectedAt = (expected: Expected, { day, hour }: LocalHour): number => {
  const kind = dayKind(day)
  if (kind === 'feast') return 0
  return kind === 'ramadan' ? expected.aDay / 24 / 3 : expected.inHour(day, hour)
}

/** The silences between two hours with messages. A silence that includes a day that is not ordinary is left out. */
const gapsOf = (days: readonly Day[], { inHour }: Expected): Gap[] => {
  const gaps: Gap[] = []
  let open: number | undefined
  let last = Number.NaN
  for (const { day, counts } of days) {
    if (day !== last + 1) open = undefined
    last = day
    for (const [hour, count] of counts.entries()) {
      const expected = inHour(day, hour)
      if (count === 0) {
        if (open !== undefined) open += expected
        continue
      }
      // At which minute a message came is not known: half of the hour is counted.
      if (open !== undefined) gaps.push({ expected: open + expected / 2, endDay: day })
      open = expected / 2
    }
  }
  return gaps
}

/** The time at which `messages` messages were expected since `since`. Undefined: not within `mostSilence_days`. */
const whenExpected = (expected: Expected, since: Instant, messages: number, zone: Zone): Instant | undefined => {
  const end = since + mostSilence_days * day_ms
  let left = messages
  let { day, hour } = localHour(zone, since)
  for (let at = since; at < end; hour++) {
    // Computed again each day: the clocks may have changed.
    if (hour === 24) ({ day, hour } = localHour(zone, at))
    const rate = expectedAt(expected, { day, hour })
    const until = (Math.floor(at / hour_ms) + 1) * hour_ms
    const inHour = (rate * (until - at)) / hour_ms
    if (inHour >= left) return at + (left / rate) * hour_ms
    left -= inHour
    at = until
  }
  return undefined
}

/** What was learned from the complete days before a day. The limits are in expected messages. */
export type Rhythm = { readonly expected: Expected; readonly usual: number; readonly limit: number }

type Unjudged = { readonly kind: 'unjudged'; readonly reason: 'learning' | 'too_few' }
const unjudged = (reason: Unjudged['reason']): Unjudged => ({ kind: 'unjudged', reason })

export const learnRhythm = (counts: HourCounts, today: number): Rhythm | Unjudged => {
  const days = ordinaryDays(counts, today)
  if (days.length < leastDays) return unjudged('learning')
  if (sum(days.map(({ counts: inDay }) => sum(inDay))) < leastMessages) return unjudged('too_few')
  const expected = expectedOf(days)
  const gaps = gapsOf(days, expected)
  if (gaps.length === 0) return unjudged('too_few')
  return { expected, ...limitOfGaps(gaps) }
}

/** `heardAt`: the last sign of life. */
export const limitFrom = (rhythm: Rhythm, heardAt: Instant, zone: Zone): SilenceLimit => {
  const usualAt = whenExpected(rhythm.expected, heardAt, rhythm.usual, zone)
  const alarmAt = whenExpected(rhythm.expected, heardAt, rhythm.limit, zone)
  return usualAt === undefined || alarmAt === undefined
    ? unjudged('too_few')
    : { kind: 'limit', usualAt: Math.round(usualAt), alarmAt: Math.round(alarmAt) }
}

/** The first whole hour of the next local day. */
const nextDay = (now: Instant, zone: Zone): Instant => {
  const { day } = localHour(zone, now)
  let at = (Math.floor(now / hour_ms) + 1) * hour_ms
  while (localHour(zone, at).day === day) at += hour_ms
  return at
}

/**
 * From when a silence is unusual if nothing is expected today: as if the phone was last heard of at the end of the day.
 * Undefined: it cannot be judged. `heardAt`: the last sign of life; the phone's habits are learned from the days before it.
 */
export const alarmAfterClosedDay = (
  counts: HourCounts,
  heardAt: Instant,
  now: Instant,
  zone: Zone,
): Instant | undefined => {
  const rhythm = learnRhythm(counts, localHour(zone, heardAt).day)
  if ('kind' in rhythm) return undefined
  const limit = limitFrom(rhythm, nextDay(now, zone), zone)
  return limit.kind === 'limit' ? limit.alarmAt : undefined
}

export const silenceLimit = (counts: HourCounts, heardAt: Instant, zone: Zone): SilenceLimit => {
  const rhythm = learnRhythm(counts, localHour(zone, heardAt).day)
  return 'kind' in rhythm ? rhythm : limitFrom(rhythm, heardAt, zone)
}
