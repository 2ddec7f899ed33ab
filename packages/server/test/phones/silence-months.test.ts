/**
 * Phones without heartbeats in simulated months of shops: a working phone is never shown as silent, and a dead phone is found
 * within the time that docs/phone-silence.md states. `node bench/phone-silence.ts` prints the whole table.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { day_ms } from '../../src/core/duration.ts'
import { addMessages, learnRhythm, localHour, silenceLimit } from '../../src/wallets/silence/rhythm.ts'
import { dayKind } from '../../src/wallets/silence/shop-calendar.ts'
import { runs } from '../support/runs.ts'
import { aden, noCounts, playShop, shopKinds, shopMessages } from '../support/shop-rhythms.ts'

/** The days within which every dead phone is found: the column "latest" of docs/phone-silence.md. */
const latest_days: Readonly<Record<string, number>> = {
  'busy grocery': 1,
  'small shop, 12 a day': 2.5,
  'tailor, 1 to 3 a day': 6,
  'quiet, 2 a day at random': 16,
  'Friday closed': 3.5,
  'orders in bursts': 8,
  'Ramadan nights': 11,
  'quiet shop in Ramadan': 25,
  'a week of power cuts': 1.5,
}

/** The hours within which nine of ten dead phones are found. */
const stated_h: Readonly<Record<string, number>> = {
  'busy grocery': 16,
  'small shop, 12 a day': 40,
  'tailor, 1 to 3 a day': 5 * 24,
  'quiet, 2 a day at random': 13 * 24,
  'Friday closed': 60,
  'orders in bursts': 4 * 24,
  'Ramadan nights': 10 * 24,
  'quiet shop in Ramadan': 19 * 24,
  'a week of power cuts': 20,
}

for (const kind of shopKinds)
  test(`${kind.name}: no false alarm, and dead phones are found in time`, () => {
    const found: number[] = []
    for (let seed = 1; seed <= runs(40, 3); seed++) {
      const outcome = playShop(kind, seed, 10)
      assert.equal(outcome.falseAlarms, 0, `seed ${seed}`)
      found.push(...outcome.found_h, ...Array.from({ length: outcome.notFound }, () => Number.POSITIVE_INFINITY))
    }
    const limit = stated_h[kind.name]
    assert.ok(limit !== undefined, `docs/phone-silence.md states no time for ${kind.name}`)
    const latest = Math.max(...found)
    assert.ok(latest <= latest_days[kind.name]! * 24, `${latest} h`)
    const late = found.filter((hours) => hours > limit)
    assert.ok(late.length <= found.length / 10, `${late.length} of ${found.length} later than ${limit} h`)
  })

const grocery = shopKinds[0]!

test('a phone is not judged before four weeks of messages, nor with very few', () => {
  const messages = shopMessages(grocery, 1)
  const until = (days: number) => messages.filter((at) => at < messages[0]! + days * day_ms)
  const limitAfter = (days: number) => {
    const known = until(days)
    return silenceLimit(addMessages(noCounts, known, aden), known.at(-1)!, aden)
  }
  assert.deepEqual(limitAfter(25), { kind: 'unjudged', reason: 'learning' })
  assert.equal(limitAfter(35).kind, 'limit')
  const seldom = until(60).filter((_, n) => n % 300 === 0)
  assert.deepEqual(silenceLimit(addMessages(noCounts, seldom, aden), seldom.at(-1)!, aden), {
    kind: 'unjudged',
    reason: 'too_few',
  })
  assert.deepEqual(silenceLimit(noCounts, messages[0]!, aden), { kind: 'unjudged', reason: 'learning' })
})

test('a phone that was dead for a week is judged nearly as strictly as before', () => {
  const messages = shopMessages(grocery, 3)
  const [from, until] = [messages[0]! + 50 * day_ms, messages[0]! + 57 * day_ms]
  const withGap = messages.filter((at) => at < from || at > until)
  const today = localHour(aden, messages.at(-1)!).day
  const limit = (known: readonly number[]): number => {
    const rhythm = learnRhythm(addMessages(noCounts, known, aden), today)
    assert.ok('limit' in rhythm)
    return rhythm.limit
  }
  assert.ok(limit(withGap) < limit(messages) * 1.5, `${limit(withGap)} and ${limit(messages)}`)
})

test('counting messages in one step or in many gives the same result, and old days are dropped', () => {
  const messages = [...shopMessages(grocery, 2), ...shopMessages(grocery, 2).map((at) => at + 100 * day_ms)]
  const whole = addMessages(noCounts, messages, aden)
  let steps = noCounts
  for (let at = 0; at < messages.length; at += 37) steps = addMessages(steps, messages.slice(at, at + 37), aden)
  assert.deepEqual(steps, whole)
  assert.equal(whole.hours.length, 98 * 24)
  assert.match(whole.hours, /^[0-9a-z]+$/)
  assert.deepEqual(addMessages(whole, [], aden), whole)
  assert.deepEqual(addMessages(noCounts, [], aden), noCounts)
  assert.deepEqual(addMessages(whole, [messages[0]! - 200 * day_ms], aden), whole)
})

test('Ramadan and the feasts are known by date', () => {
  const kindOn = (date: string) => dayKind(Math.round(Date.parse(`${date}T00:00:00Z`) / day_ms))
  // 1 Ramadan 1447 is 18 February 2026, 1 Shawwal 20 March; 10 Dhu al-Hijja 27 May.
  assert.deepEqual(
    ['2026-02-10', '2026-02-18', '2026-03-10', '2026-03-20', '2026-04-01', '2026-05-27', '2026-06-10'].map(kindOn),
    ['ordinary', 'ramadan', 'ramadan', 'feast', 'ordinary', 'feast', 'ordinary'],
  )
})
