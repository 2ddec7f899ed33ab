import assert from 'node:assert/strict'
import { test } from 'node:test'
import { instantOf, isZone, zoneFreePart } from './local-time.ts'

const iso = (local: string, zone: string) => {
  const instant = instantOf(local, zone)
  return instant === undefined ? undefined : new Date(instant).toISOString()
}

test('a local time becomes an instant in the zone of the phone', () => {
  const table: [local: string, zone: string, iso: string | undefined][] = [
    ['2026-01-02 06:04:05', 'Asia/Aden', '2026-01-02T03:04:05.000Z'],
    ['2026-01-02 00:04:05', 'Asia/Aden', '2026-01-01T21:04:05.000Z'],
    ['2026-01-02 06:04:05', 'Asia/Kathmandu', '2026-01-02T00:19:05.000Z'],
    ['2026-07-02 06:04:05', 'Europe/Berlin', '2026-07-02T04:04:05.000Z'],
    ['2026-01-02 06:04:05', 'America/New_York', '2026-01-02T11:04:05.000Z'],
    // A phone that is set to Arabic.
    ['٢٠٢٦-٠١-٠٢ ٠٦:٠٤:٠٥', 'Asia/Aden', '2026-01-02T03:04:05.000Z'],
    ['۲۰۲۶-۰۱-۰۲ ۰۶:۰۴:۰۵', 'Asia/Aden', '2026-01-02T03:04:05.000Z'],
    // An hour that comes twice, because clocks go back: the first of the two is taken.
    ['2026-10-25 02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
    // An hour that does not exist, because clocks go forward: it is read as the hour before.
    ['2026-03-29 02:30:00', 'Europe/Berlin', '2026-03-29T00:30:00.000Z'],
    // What Termux prints for a notification without a time.
    ['292269055-12-02 16:47:04', 'Asia/Aden', undefined],
    ['2026-02-31 10:00:00', 'Asia/Aden', undefined],
    ['', 'Asia/Aden', undefined],
  ]
  for (const [local, zone, expected] of table) assert.equal(iso(local, zone), expected, `${local} ${zone}`)
})

test('the minutes and seconds within a quarter of an hour are the same in every zone', () => {
  // One instant, as phones in four zones print it.
  const printed = ['2026-01-02 06:04:05', '2026-01-02 03:04:05', '2026-01-02 08:49:05', '٢٠٢٦-٠١-٠٢ ٠٦:٠٤:٠٥']
  assert.deepEqual(new Set(printed.map(zoneFreePart)), new Set(['245']))
  assert.notEqual(zoneFreePart('2026-01-02 06:04:06'), '245')
  assert.equal(zoneFreePart('never'), '')
})

test('the name of an existing zone is accepted, another name is not', () => {
  assert.equal(isZone('Asia/Aden'), true)
  assert.equal(isZone('Asia/Nowhere'), false)
})
