/** How a phone's usual messages are counted, and from when its silence is unusual. In simulated months: silence-months.test.ts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { day_ms, hour_ms } from '../../core/duration.ts'
import { zoneOf } from '../../core/zone.ts'
import {
  addMessages,
  alarmAfterClosedDay,
  type HourCounts,
  learnRhythm,
  limitFrom,
  localHour,
  type Rhythm,
  silenceLimit,
  storedDays,
} from './rhythm.ts'

const noCounts: HourCounts = { hours: '', lastDay: 0 }
const utc = zoneOf('UTC')
const aden = zoneOf('Asia/Aden')
const dayOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / day_ms
/** A Thursday. The months before and after are ordinary: no Ramadan, no feast. */
const today = dayOf('2026-10-01')

/** The counts of the days before `end`, `days` many; `inHour` says how many messages an hour of a day had. */
const countsOf = (days: number, inHour: (day: number, hour: number) => number, end = today): HourCounts => ({
  hours: Array.from({ length: days * 24 }, (_, n) => inHour(end - days + Math.floor(n / 24), n % 24).toString(36)).join(
    '',
  ),
  lastDay: end - 1,
})
const learned = (counts: HourCounts, day = today): Rhythm => {
  const rhythm = learnRhythm(counts, day)
  assert.ok(!('kind' in rhythm), JSON.stringify(rhythm))
  return rhythm
}
const text = (at: number): string => new Date(at).toISOString().slice(0, 19)
const limits = (counts: HourCounts, heardAt: string) => {
  const limit = silenceLimit(counts, Date.parse(heardAt), utc)
  return limit.kind === 'limit' ? [text(limit.usualAt), text(limit.alarmAt)] : limit.reason
}

/** One message each day, between 10 and 11. */
const daily = (days: number) => countsOf(days, (_, hour) => (hour === 10 ? 1 : 0))
const fridays = (day: number): boolean => (day + 4) % 7 === 5

test('the day and the hour of a message are those of the shop', () => {
  assert.deepEqual(localHour(aden, Date.parse('2026-01-02T20:59:59Z')), { day: dayOf('2026-01-02'), hour: 23 })
  assert.deepEqual(localHour(aden, Date.parse('2026-01-02T21:00:00Z')), { day: dayOf('2026-01-03'), hour: 0 })
  assert.deepEqual(localHour(utc, Date.parse('1969-12-31T05:00:00Z')), { day: -1, hour: 5 })
})

test('98 days are stored, up to 35 messages in each hour, whatever the order and the number of steps', () => {
  assert.equal(storedDays, 98)
  const message = fc
    .record({ day: fc.integer({ min: 0, max: 130 }), minute: fc.integer({ min: 0, max: 24 * 60 - 1 }) })
    .map(({ day, minute }) => (today - day) * day_ms + minute * 60_000)
  const times = fc.tuple(message, fc.constantFrom(1, 2, 34, 35, 36)).map(([at, n]) => new Array<number>(n).fill(at))
  fc.assert(
    fc.property(fc.array(times, { minLength: 1, maxLength: 20 }), fc.nat(20), (repeated, cut) => {
      const messages = repeated.flat()
      const hours = Map.groupBy(messages, (at) => Math.floor(at / hour_ms))
      const days = messages.map((at) => Math.floor(at / day_ms))
      const newest = Math.max(...days)
      const first = Math.max(Math.min(...days), newest - 97)
      const expected = Array.from({ length: (newest - first + 1) * 24 }, (_, n) =>
        Math.min(35, hours.get(first * 24 + n)?.length ?? 0).toString(36),
      ).join('')
      const steps = [repeated.slice(0, cut).flat(), repeated.slice(cut).flat()]
      assert.deepEqual(addMessages(noCounts, messages, utc), { hours: expected, lastDay: newest })
      assert.deepEqual(
        steps.reduce((counts, step) => addMessages(counts, step, utc), noCounts),
        { hours: expected, lastDay: newest },
      )
    }),
  )
  const midnight = (today - 3) * day_ms
  const first = addMessages(noCounts, [midnight], utc)
  assert.deepEqual(addMessages(first, [midnight], utc), { hours: '2'.padEnd(24, '0'), lastDay: today - 3 })
  assert.deepEqual(noCounts, { hours: '', lastDay: 0 })
  assert.equal(addMessages(noCounts, [], utc), noCounts)
})

test('28 complete days are needed: the first day, today, Ramadan and the feasts do not count', () => {
  const learning = { kind: 'unjudged', reason: 'learning' }
  const often = (days: number, end = today) => countsOf(days, (_, hour) => (hour > 7 && hour < 20 ? 1 : 0), end)
  assert.deepEqual(learnRhythm(often(28), today), learning)
  assert.ok('limit' in learnRhythm(often(29), today))
  assert.deepEqual(learnRhythm(often(29, today + 1), today), learning)
  assert.deepEqual(learnRhythm(noCounts, today), learning)
  // 16 February to 25 March 2026 are Ramadan and its feast.
  const april = dayOf('2026-04-20')
  assert.deepEqual(learnRhythm(often(60, april), april), learning)
  assert.ok('limit' in learnRhythm(often(80, april), april))
})

test('30 messages are needed, and two of them in different hours', () => {
  const tooFew = { kind: 'unjudged', reason: 'too_few' }
  assert.deepEqual(learnRhythm(daily(30), today), tooFew)
  assert.ok('limit' in learnRhythm(daily(31), today))
  assert.deepEqual(
    learnRhythm(
      countsOf(40, (day, hour) => (day === today - 5 && hour === 9 ? 35 : 0)),
      today,
    ),
    tooFew,
  )
  assert.deepEqual(
    learnRhythm(
      countsOf(40, () => 0),
      today,
    ),
    tooFew,
  )
  // Two hours are one silence.
  const twice = countsOf(40, (day, hour) => (day === today - 5 && (hour === 9 || hour === 12) ? 15 : 0))
  assert.ok('limit' in learnRhythm(twice, today))
})

test('only the last 56 ordinary days are used, and none before the stored 98', () => {
  const changed = (busyUntil: number) =>
    countsOf(90, (day, hour) => (hour === 10 ? 1 : day < today - busyUntil && hour === 20 ? 9 : 0))
  assert.deepEqual(learned(changed(56)).expected.aDay, 1)
  assert.ok(learned(changed(55)).expected.aDay > 1)
  // The counts end long before today: the days since then had no message.
  const stale = countsOf(60, (_, hour) => (hour === 10 ? 2 : 0), today - 26)
  assert.equal(learned(stale).expected.aDay, (2 * 30) / 56)
  assert.deepEqual(
    learnRhythm(
      countsOf(60, (_, hour) => (hour === 10 ? 2 : 0), today - 98),
      today,
    ),
    {
      kind: 'unjudged',
      reason: 'too_few',
    },
  )
})

test('one message a day at ten: usual within a day, unusual when 1.6 messages are missing', () => {
  const { usual, limit, expected } = learned(daily(57))
  assert.deepEqual([usual, limit, expected.aDay], [1, 1.6, 1])
  // Half of an hour's messages are expected in the hour itself, a quarter in each of its neighbours.
  assert.deepEqual(
    [8, 9, 10, 11, 12].map((hour) => expected.inHour(today, hour)),
    [0, 0.25, 0.5, 0.25, 0],
  )
  assert.deepEqual(limits(daily(57), '2026-10-01T10:30:00Z'), ['2026-10-02T10:30:00', '2026-10-03T09:24:00'])
  assert.deepEqual(limits(daily(57), '2026-10-01T23:00:00Z'), ['2026-10-02T12:00:00', '2026-10-03T10:42:00'])
})

test('midnight is beside 23 o’clock', () => {
  const { expected } = learned(countsOf(57, (_, hour) => (hour === 0 ? 1 : 0)))
  assert.deepEqual(
    [22, 23, 0, 1, 2].map((hour) => expected.inHour(today, hour)),
    [0, 0.25, 0.5, 0.25, 0],
  )
  const late = learned(countsOf(57, (_, hour) => (hour === 23 ? 1 : 0))).expected
  assert.deepEqual(
    [21, 22, 23, 0, 1].map((hour) => late.inHour(today, hour)),
    [0, 0.25, 0.5, 0.25, 0],
  )
})

test('a closed Friday counts for nothing', () => {
  const counts = countsOf(57, (day, hour) => (!fridays(day) && (hour === 9 || hour === 15) ? 1 : 0))
  const { usual, limit, expected } = learned(counts)
  assert.deepEqual([usual, limit], [1, 1.6])
  assert.equal(expected.inHour(today + 1, 9), 0)
  assert.equal(expected.inHour(today, 9), 0.5)
  assert.deepEqual(limits(counts, '2026-10-01T15:30:00Z'), ['2026-10-03T09:30:00', '2026-10-03T14:24:00'])
})

test('in Ramadan a third of the usual messages is expected, evenly; at a feast none', () => {
  const before = countsOf(57, (_, hour) => (hour === 10 ? 12 : 0), dayOf('2026-02-15'))
  const rhythm = { ...learned(before, dayOf('2026-02-15')), usual: 4, limit: 5 }
  const from = (heardAt: string) => {
    const limit = limitFrom(rhythm, Date.parse(heardAt), utc)
    return limit.kind === 'limit' ? [text(limit.usualAt), text(limit.alarmAt)] : limit.reason
  }
  // 12 a day before: 4 a day now, one in six hours.
  assert.deepEqual(from('2026-02-25T10:30:00Z'), ['2026-02-26T10:30:00', '2026-02-26T16:30:00'])
  // 18 to 25 March are the feast (29 Ramadan to 6 Shawwal). Then three come between 9 and 10, six between 10 and 11.
  assert.deepEqual(from('2026-03-20T10:30:00Z'), ['2026-03-26T10:10:00', '2026-03-26T10:20:00'])
})

test('a silence over a feast is not learned from', () => {
  // The feast in May 2026 is from the 25th to the 31st. Without messages at the feast, the shop is as regular as before.
  const end = dayOf('2026-06-20')
  const closed = (from: string, until: string) =>
    countsOf(64, (day, hour) => (hour === 10 && (day < dayOf(from) || day > dayOf(until)) ? 1 : 0), end)
  const atFeast = learned(closed('2026-05-25', '2026-05-31'), end)
  assert.deepEqual([atFeast.usual, atFeast.limit], [1, 1.6])
})

test('an irregular shop gets a wider limit, up to four times its longest silence and four times the spread', () => {
  const rounded = (counts: HourCounts) => {
    const { usual, limit } = learned(counts)
    return [usual, limit].map((value) => Number(value.toFixed(6)))
  }
  // Every weekday is equally busy: the pattern repeats after 8 days, 56 days are used.
  const pattern = (...days: number[]) => countsOf(57, (day, hour) => (hour === 10 && days.includes(day % 8) ? 2 : 0))
  assert.deepEqual(rounded(pattern(0, 1, 2, 4)), [4, 11.136109])
  assert.deepEqual(rounded(pattern(0, 1, 2, 3, 4)), [5, 13.718301])
  // Bursts: many messages within some hours, then days without any.
  const bursts = countsOf(57, (day, hour) => (day % 8 === 0 && hour >= 8 && hour < 20 ? 3 : 0))
  assert.deepEqual(rounded(bursts), [31.96875, 160.610742])
})

test('a dead week is not ordinary: the limit stays below it', () => {
  const shop = (deadFrom: number, deadDays: number) =>
    countsOf(57, (day, hour) => {
      const isDead = day >= today - deadFrom && day < today - deadFrom + deadDays
      return !isDead && [8, 10, 13, 17, 19].includes(hour) && (day * 5 + hour) % 6 !== 0 ? 1 : 0
    })
  const rounded = (counts: HourCounts) => {
    const { usual, limit } = learned(counts)
    return [usual, limit].map((value) => Number(value.toFixed(6)))
  }
  assert.deepEqual(rounded(shop(30, 0)), [2.546336, 5.727381])
  assert.deepEqual(rounded(shop(30, 7)), [2.246287, 5.047809])
  assert.deepEqual(rounded(shop(30, 1)), [4.317731, 8.770586])
  assert.deepEqual(rounded(shop(20, 14)), [1.95, 4.33337])
})

test('a phone whose limit is more than 35 days away is not judged', () => {
  const rhythm = learned(daily(57))
  const at = Date.parse('2026-10-01T00:00:00Z')
  const kinds = (usual: number, limit: number) => limitFrom({ ...rhythm, usual, limit }, at, utc).kind
  assert.equal(kinds(1, 35), 'limit')
  assert.equal(kinds(1, 35.01), 'unjudged')
  assert.equal(kinds(35.01, 1), 'unjudged')
  assert.deepEqual(limitFrom({ ...rhythm, limit: 36 }, at, utc), { kind: 'unjudged', reason: 'too_few' })
  const last = { ...rhythm, expected: { aDay: 24, inHour: () => 1 } }
  assert.equal(limitFrom({ ...last, limit: 35 * 24 }, at, utc).kind, 'limit')
  assert.equal(limitFrom({ ...last, limit: 35 * 24 + 0.5 }, at, utc).kind, 'unjudged')
})

test('the day after the clocks change has the hours of the shop again', () => {
  // Berlin: on 25 October 2026 the hour from 2 to 3 comes twice. That day itself is judged an hour early.
  const berlin = zoneOf('Europe/Berlin')
  const limit = limitFrom({ ...learned(daily(57)), usual: 1, limit: 2 }, Date.parse('2026-10-24T08:30:00Z'), berlin)
  assert.ok(limit.kind === 'limit')
  assert.deepEqual([text(limit.usualAt), text(limit.alarmAt)], ['2026-10-25T08:30:00', '2026-10-26T09:30:00'])
})

test('after a closed day a silence is judged as if the phone was last heard of at its end', () => {
  const heardAt = Date.parse('2026-10-01T10:30:00Z')
  const alarm = (now: string, zone = utc) => {
    const at = alarmAfterClosedDay(daily(57), heardAt, Date.parse(now), zone)
    return at === undefined ? undefined : text(at)
  }
  // From midnight on: one message by noon, 0.6 more on the next day.
  assert.equal(alarm('2026-10-02T00:00:00Z'), '2026-10-04T10:42:00')
  assert.equal(alarm('2026-10-02T23:59:59Z'), '2026-10-04T10:42:00')
  assert.equal(alarm('2026-10-03T00:00:00Z'), '2026-10-05T10:42:00')
  assert.equal(alarmAfterClosedDay(noCounts, heardAt, heardAt, utc), undefined)
  const atMidnight = countsOf(57, (_, hour) => (hour === 0 ? 1 : 0))
  const late = alarmAfterClosedDay(atMidnight, heardAt, Date.parse('2026-10-02T23:30:00Z'), utc)
  assert.equal(text(late!), '2026-10-04T01:24:00')
  // Too seldom: the limit is more than 35 days away.
  const seldom = countsOf(57, (day, hour) => (day % 28 === 0 && hour < 16 ? 1 : 0))
  assert.equal(alarmAfterClosedDay(seldom, heardAt, heardAt, utc), undefined)
})

test('a phone without a rhythm has no limit', () => {
  assert.equal(limits(daily(20), '2026-10-01T10:30:00Z'), 'learning')
  assert.deepEqual(silenceLimit(noCounts, today * day_ms, utc), { kind: 'unjudged', reason: 'learning' })
})
