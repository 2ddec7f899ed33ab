import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hour_ms, minute_ms } from '../../core/duration.ts'
import { firstOfDay, hourOf, nextPart, part_ms, settled_ms } from './service-hours.ts'

const hour = Date.parse('2026-05-04T09:00:00Z')

test('a part is counted when it has been over for a minute, and never twice', () => {
  assert.equal(nextPart(hour, hour, hour + 5 * minute_ms), undefined)
  assert.deepEqual(nextPart(hour, hour, hour + 6 * minute_ms), { from: hour, until: hour + 5 * minute_ms })
  assert.equal(nextPart(hour, hour + hour_ms, hour + 9 * hour_ms), undefined)
})

test('the parts of an hour are next to each other, inside of it, and end with it', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 4 * hour_ms }), { maxLength: 60 }), (later) => {
      let counted = hour
      for (const now of later.toSorted((a, b) => a - b).map((ms) => hour + ms)) {
        const part = nextPart(hour, counted, now)
        if (part === undefined) continue
        assert.equal(part.from, counted)
        assert.ok(part.until > part.from && part.until <= hour + hour_ms && part.until - part.from <= part_ms)
        assert.ok(part.until + settled_ms <= now)
        counted = part.until
      }
    }),
  )
})

test('the last day is 24 hours, and the present hour is the last of them', () => {
  const now = hour + 17 * minute_ms
  assert.equal(hourOf(now), hour)
  assert.equal(firstOfDay(now), hour - 23 * hour_ms)
})
