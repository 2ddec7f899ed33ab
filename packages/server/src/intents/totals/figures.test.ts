import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hour_ms } from '../../core/duration.ts'
import { zoneOf } from '../../core/zone.ts'
import { lastDays } from './days.ts'
import { figurePeriods } from './figure-periods.ts'
import { addWaits, countWaits, histogramEnds_s, histogramOf, waitAt_s } from './waits.ts'

const noon = Date.parse('2026-03-30T12:00:00Z')

test('days begin at local midnight, also when the offset changes and where midnight is not on the hour in UTC', () => {
  const berlin = lastDays(zoneOf('Europe/Berlin'), 3, noon)
  assert.deepEqual(
    berlin.map(({ date }) => date),
    ['2026-03-28', '2026-03-29', '2026-03-30'],
  )
  // The 29th had 23 hours.
  assert.deepEqual(
    berlin.map(({ from }, i) => ((berlin[i + 1]?.from ?? noon) - from) / hour_ms),
    [24, 23, 14],
  )
  assert.equal(new Date(lastDays(zoneOf('Asia/Kathmandu'), 1, noon)[0]!.from).toISOString(), '2026-03-29T18:15:00.000Z')
})

test('property: every instant since the first day is counted once, from stored hours or from the intents', () => {
  const zones = ['Asia/Aden', 'Asia/Kathmandu', 'Europe/Berlin', 'America/St_Johns', 'UTC']
  const input = fc.record({
    zone: fc.constantFrom(...zones),
    count: fc.integer({ min: 1, max: 40 }),
    sealed_h: fc.integer({ min: -3, max: 45 * 24 }),
    probe: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  fc.assert(
    fc.property(input, ({ zone, count, sealed_h, probe }) => {
      const days = lastDays(zoneOf(zone), count, noon).map(({ from }) => from)
      const { hours, ranges } = figurePeriods(days, Math.floor(noon / hour_ms - sealed_h) * hour_ms)
      const at = Math.floor(days[0]! + probe * (noon - days[0]!))
      const ofHour = Math.floor(at / hour_ms) * hour_ms
      const fromHours = ofHour >= hours.from && ofHour < hours.until && !hours.without.includes(ofHour)
      const fromRows = ranges.filter(({ from, until }) => at >= from && (until === undefined || at < until)).length
      assert.equal(Number(fromHours) + fromRows, 1)
      // An hour that counts whole lies in one day.
      if (fromHours) assert.ok(!days.some((day) => day > ofHour && day < ofHour + hour_ms))
      // Nothing before the first day is read.
      assert.ok(ranges.every(({ from }) => from >= days[0]!) && hours.from >= days[0]!)
    }),
    { numRuns: 2_000 },
  )
})

test('property: a wait that is read from buckets is exact to 6 % and half a second', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 3_600 }), { minLength: 1 }), (waits_s) => {
      const sorted = waits_s.toSorted((a, b) => a - b)
      const waits = addWaits(waits_s.map((wait_s) => new Map([[Math.floor(Math.log(wait_s) / Math.log(1.1)), 1]])))
      assert.equal(countWaits(waits), waits_s.length)
      for (const share of [0.5, 0.9]) {
        const exact = sorted[Math.ceil(sorted.length * share) - 1]!
        assert.ok(
          Math.abs(waitAt_s(waits, share) - exact) <= 0.5 + 0.06 * exact,
          `${waitAt_s(waits, share)} for ${exact}`,
        )
      }
    }),
  )
  assert.equal(waitAt_s(new Map(), 0.5), 0)
})

test('property: a histogram has every payment once, in the bar of its time within five per cent', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 10_000 })), (waits_s) => {
      const waits = addWaits(waits_s.map((wait_s) => new Map([[Math.floor(Math.log(wait_s) / Math.log(1.1)), 1]])))
      const bars = histogramOf(waits)
      assert.equal(
        bars.reduce((sum, { count }) => sum + count, 0),
        waits_s.length,
      )
      assert.deepEqual(
        bars.map(({ until_s }) => until_s),
        [...histogramEnds_s, null],
      )
      for (const [i, end] of histogramEnds_s.entries()) {
        const within = bars.slice(0, i + 1).reduce((sum, { count }) => sum + count, 0)
        assert.ok(within >= waits_s.filter((wait_s) => wait_s < end / 1.11).length)
        assert.ok(within <= waits_s.filter((wait_s) => wait_s <= end * 1.11).length)
      }
    }),
  )
})
