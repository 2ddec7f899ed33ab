import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { zoneOf } from './zone.ts'

const zones = [
  'Asia/Aden',
  'America/New_York',
  'Africa/Casablanca',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'UTC',
].map(zoneOf)
const aden = zoneOf('Asia/Aden')
const newYork = zoneOf('America/New_York')

test('an instant is written in local time, with six digits and a numeric offset', () => {
  assert.equal(aden.format(new Date('2026-01-02T03:04:05.678Z')), '2026-01-02T06:04:05.678000+03:00')
  assert.equal(zoneOf('UTC').format(new Date('2026-01-02T03:04:05Z')), '2026-01-02T03:04:05.000000+00:00')
  assert.equal(newYork.format(new Date('2026-07-01T00:00:00Z')), '2026-06-30T20:00:00.000000-04:00')
  assert.equal(aden.format(new Date('0101-01-01T00:00:00Z')).slice(0, 19), '0101-01-01T03:06:52')
})

test('a formatted instant parses back to the same instant, in every zone and season', () => {
  const instant = fc.date({ min: new Date('1975-01-01'), max: new Date('9999-12-30'), noInvalidDate: true })
  fc.assert(
    fc.property(instant, fc.constantFrom(...zones), (at, zone) => {
      assert.equal(new Date(zone.format(at)).getTime(), at.getTime())
    }),
  )
})

test('the instant of a local time is written as that local time again', () => {
  const instant = fc.date({ min: new Date('1975-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(instant, fc.constantFrom(...zones), (at, zone) => {
      const [year, month, day, hour, minute, second] = zone.format(at).match(/\d+/g)!.map(Number)
      const back = zone.instantOf({
        year: year!,
        month: month!,
        day: day!,
        hour: hour!,
        minute: minute!,
        second: second!,
      })
      assert.equal(zone.format(back).slice(0, 19), zone.format(at).slice(0, 19))
    }),
  )
})

test('an hour that occurs twice means the first one; a skipped hour is read with the offset before it', () => {
  const at = (month: number, day: number, hour: number, minute: number) =>
    newYork.instantOf({ year: 2026, month, day, hour, minute }).toISOString()
  assert.equal(at(11, 1, 1, 30), '2026-11-01T05:30:00.000Z')
  assert.equal(at(3, 8, 2, 30), '2026-03-08T07:30:00.000Z')
  assert.equal(at(3, 8, 3, 0), '2026-03-08T07:00:00.000Z')
})

test('offsets change at the very millisecond', () => {
  assert.equal(newYork.format(new Date('2026-03-08T06:59:59.999Z')), '2026-03-08T01:59:59.999000-05:00')
  assert.equal(newYork.format(new Date('2026-03-08T07:00:00.000Z')), '2026-03-08T03:00:00.000000-04:00')
})

test('a month begins at local midnight', () => {
  assert.equal(aden.monthStart(new Date('2026-01-31T20:59:59.999Z')).toISOString(), '2025-12-31T21:00:00.000Z')
  assert.equal(aden.monthStart(new Date('2026-01-31T21:00:00.000Z')).toISOString(), '2026-01-31T21:00:00.000Z')
  assert.equal(newYork.monthStart(new Date('2026-03-20T00:00:00Z')).toISOString(), '2026-03-01T05:00:00.000Z')
})

test('an unknown zone is refused with a sentence', () => {
  assert.throws(() => zoneOf('Asia/Sanaa'), /"Asia\/Sanaa" is not a time zone.*such as Asia\/Aden/)
})
