import assert from 'node:assert/strict'
import { test } from 'node:test'
import { zoneOf } from '../core/zone.ts'
import { minutesOf, quietUntil, timeOfDay } from './quiet-hours.ts'

const aden = zoneOf('Asia/Aden')
const ends = (from: string, until: string, now: string, zone = aden): string | undefined => {
  const end = quietUntil({ from: minutesOf(from), until: minutesOf(until) }, zone, Date.parse(now))
  return end === undefined ? undefined : zone.format(new Date(end)).slice(0, 16)
}

test('quiet hours over midnight begin with their first minute and end before their last', () => {
  assert.equal(ends('22:00', '06:30', '2026-01-01T18:59:59Z'), undefined)
  assert.equal(ends('22:00', '06:30', '2026-01-01T19:00:00Z'), '2026-01-02T06:30')
  assert.equal(ends('22:00', '06:30', '2026-01-01T21:00:00Z'), '2026-01-02T06:30')
  assert.equal(ends('22:00', '06:30', '2026-01-02T03:29:59Z'), '2026-01-02T06:30')
  assert.equal(ends('22:00', '06:30', '2026-01-02T03:30:00Z'), undefined)
})

test('quiet hours within a day, at the end of a month, and without any', () => {
  assert.equal(ends('13:00', '15:00', '2026-01-31T10:00:00Z'), '2026-01-31T15:00')
  assert.equal(ends('13:00', '15:00', '2026-01-31T12:00:00Z'), undefined)
  assert.equal(ends('23:00', '01:00', '2026-01-31T20:30:00Z'), '2026-02-01T01:00')
  assert.equal(quietUntil(null, aden, 0), undefined)
})

test('quiet hours follow the clock of a zone with summer time', () => {
  const berlin = zoneOf('Europe/Berlin')
  // The clock goes from 02:00 to 03:00 in this night.
  assert.equal(ends('22:00', '06:00', '2026-03-28T22:00:00Z', berlin), '2026-03-29T06:00')
})

test('minutes and their text are the same time', () => {
  for (const text of ['00:00', '06:05', '23:59']) assert.equal(timeOfDay(minutesOf(text)), text)
})
