/**
 * Simulated shops: the times at which their payment messages reach Sanad over some months, computed from a seed. They test
 * the rule of silence (wallets/silence/rhythm.ts): how often it alarms about a working phone, and how soon it finds a
 * dead one.
 */
import { day_ms, hour_ms } from '../../src/core/duration.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { addMessages, type HourCounts, learnRhythm, limitFrom, localHour } from '../../src/wallets/silence/rhythm.ts'
import { dayKind } from '../../src/wallets/silence/shop-calendar.ts'

export const noCounts: HourCounts = { hours: '', lastDay: 0 }

export const aden = zoneOf('Asia/Aden')
const adenOffset_ms = 3 * hour_ms

/** The random generator Mulberry32: the same seed gives the same numbers. */
const randomOf = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
type Random = () => number

const poisson = (mean: number, random: Random): number => {
  const least = Math.exp(-mean)
  let count = 0
  for (let product = random(); product > least; product *= random()) count++
  return count
}

type Day = { readonly day: number; readonly weekday: number; readonly random: Random }
type ShopKind = {
  readonly name: string
  /** The first simulated day. Phones die only in the last 30 days. */
  readonly starts: string
  readonly days: number
  /** The times of a day's messages, in hours since midnight. A value above 24 is after the next midnight. */
  readonly messages: (day: Day) => number[]
  /** The hours without network. Messages that arrive meanwhile are reported afterwards. */
  readonly cuts?: (day: Day) => readonly (readonly [from: number, until: number])[]
}

const byHour = (random: Random, rate: (hour: number) => number): number[] =>
  Array.from({ length: 30 }, (_, hour) =>
    Array.from({ length: poisson(rate(hour), random) }, () => hour + random()),
  ).flat()

const between = (hour: number, from: number, until: number): boolean => hour >= from && hour < until
const friday = 5

const groceryHours = (hour: number): number =>
  between(hour, 8, 12) ? 5 : between(hour, 12, 16) ? 3 : between(hour, 16, 22) ? 7 : between(hour, 22, 23) ? 2 : 0

const isRamadan = (day: number): boolean => dayKind(day) === 'ramadan'
const isFeast = (day: number): boolean => dayKind(day) === 'feast'

const ordinary = { starts: '2026-06-27', days: 90 }

export const shopKinds: readonly ShopKind[] = [
  {
    name: 'busy grocery',
    ...ordinary,
    messages: ({ random, weekday }) => byHour(random, (hour) => groceryHours(hour) * (weekday === friday ? 0.6 : 1)),
  },
  {
    name: 'small shop, 12 a day',
    ...ordinary,
    messages: ({ random }) => byHour(random, (hour) => groceryHours(hour) / 6),
  },
  {
    name: 'tailor, 1 to 3 a day',
    ...ordinary,
    messages: ({ random }) => Array.from({ length: 1 + Math.floor(random() * 3) }, () => 9 + random() * 11),
  },
  {
    name: 'quiet, 2 a day at random',
    ...ordinary,
    messages: ({ random }) => byHour(random, (hour) => (between(hour, 9, 21) ? 2 / 12 : 0)),
  },
  {
    name: 'Friday closed',
    ...ordinary,
    messages: ({ random, weekday }) =>
      weekday === friday
        ? []
        : byHour(random, (hour) => (between(hour, 8, 13) || between(hour, 16, 21) ? (weekday === 4 ? 1 : 2) : 0)),
  },
  {
    name: 'orders in bursts',
    ...ordinary,
    // Most hours have no message; then several customers pay at once.
    messages: ({ random }) =>
      byHour(random, (hour) => (between(hour, 9, 22) ? 0.35 : 0)).flatMap((at) =>
        Array.from({ length: 1 + Math.floor(random() * 6) }, () => at + random() / 3),
      ),
  },
  {
    name: 'Ramadan nights',
    // Ramadan 1447 is 18 February to 19 March 2026. The last 30 days are Ramadan and the feast after it.
    starts: '2025-12-20',
    days: 98,
    messages: ({ random, day }) => {
      if (isFeast(day) && random() < 0.8) return []
      if (!isRamadan(day) && !isFeast(day)) return byHour(random, groceryHours)
      return byHour(random, (hour) =>
        between(hour, 11, 15) ? 0.7 : between(hour, 15, 18) ? 6 : between(hour, 20, 26) ? 7 : 0,
      )
    },
  },
  {
    name: 'quiet shop in Ramadan',
    starts: '2025-12-20',
    days: 98,
    messages: ({ random, day }) => {
      if (isFeast(day)) return []
      const from = isRamadan(day) ? 20 : 9
      return Array.from({ length: 1 + Math.floor(random() * 3) }, () => from + random() * (isRamadan(day) ? 5 : 11))
    },
  },
  {
    name: 'a week of power cuts',
    ...ordinary,
    messages: ({ random }) => byHour(random, groceryHours),
    cuts: ({ random, day }) => {
      const firstDay = Math.round(Date.parse(`${ordinary.starts}T00:00:00Z`) / day_ms)
      if (!between(day - firstDay, 70, 77)) return []
      const morning = 7 + random() * 3
      const evening = 15 + random() * 4
      return [
        [morning, morning + 1 + random() * 3],
        [evening, evening + 1 + random() * 3],
      ]
    },
  },
]

type ShopStory = {
  /** When the messages reach Sanad, in order. */
  readonly messages: readonly number[]
  /** When the phone had no network. */
  readonly offline: readonly (readonly [from: number, until: number])[]
}

const shopStory = (kind: ShopKind, seed: number): ShopStory => {
  const random = randomOf(seed)
  const firstDay = Math.round(Date.parse(`${kind.starts}T00:00:00Z`) / day_ms)
  const messages: number[] = []
  const offline: [number, number][] = []
  for (let day = firstDay; day < firstDay + kind.days; day++) {
    const today: Day = { day, weekday: (((day + 4) % 7) + 7) % 7, random }
    const cuts = kind.cuts?.(today) ?? []
    const midnight = day * day_ms - adenOffset_ms
    for (const [from, until] of cuts) offline.push([midnight + from * hour_ms, midnight + until * hour_ms])
    for (const hour of kind.messages(today)) {
      const cut = cuts.find(([from, until]) => hour >= from && hour < until)
      messages.push(Math.round(midnight + (cut === undefined ? hour : cut[1] + random() / 60) * hour_ms))
    }
  }
  return { messages: messages.sort((a, b) => a - b), offline }
}

export const shopMessages = (kind: ShopKind, seed: number): readonly number[] => shopStory(kind, seed).messages

export type ShopOutcome = {
  readonly messages: number
  /** Alarms although the phone worked and had network. */
  readonly falseAlarms: number
  /** Alarms while the phone had no network: these are right. */
  readonly offlineAlarms: number
  /** For each death that was found: the hours until the alarm. Deaths are at random times of the last 30 days. */
  readonly found_h: readonly number[]
  /** Deaths that were not found, because the rule had too few messages to judge. */
  readonly notFound: number
}

/** Applies the rule to the whole time, with what the service would have known at each moment. */
export const playShop = (kind: ShopKind, seed: number, deaths: number): ShopOutcome => {
  const { messages, offline } = shopStory(kind, seed)
  const random = randomOf(seed ^ 0x5eed)
  const firstDay = localHour(aden, messages[0]!).day
  const end = (firstDay + kind.days) * day_ms - adenOffset_ms
  const diesAt = Array.from({ length: deaths }, () => end - random() * 30 * day_ms).sort((a, b) => a - b)
  let counts = noCounts
  let uncounted: number[] = []
  let today = Number.NaN
  let rhythm: ReturnType<typeof learnRhythm> = { kind: 'unjudged', reason: 'learning' }
  let falseAlarms = 0
  let offlineAlarms = 0
  let notFound = 0
  const found_h: number[] = []
  for (const [i, at] of messages.entries()) {
    const { day } = localHour(aden, at)
    if (day !== today) {
      counts = addMessages(counts, uncounted, aden)
      uncounted = []
      today = day
      rhythm = learnRhythm(counts, day)
    }
    uncounted.push(at)
    const next = messages[i + 1] ?? Number.POSITIVE_INFINITY
    const dead = diesAt.filter((death) => death >= at && death < next)
    const limit =
      'kind' in rhythm ? rhythm : next - at < hour_ms / 2 && dead.length === 0 ? undefined : limitFrom(rhythm, at, aden)
    if (limit === undefined) continue
    if (limit.kind === 'unjudged') notFound += dead.length
    else {
      if (limit.alarmAt < next && Number.isFinite(next)) {
        if (offline.some(([from, until]) => limit.alarmAt >= from && limit.alarmAt < until)) offlineAlarms++
        else falseAlarms++
      }
      for (const death of dead) found_h.push(Math.max(0, limit.alarmAt - death) / hour_ms)
    }
  }
  return { messages: messages.length, falseAlarms, offlineAlarms, found_h, notFound }
}
