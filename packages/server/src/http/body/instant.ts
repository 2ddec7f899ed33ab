/**
 * A point in time as phones write it: a Unix time in seconds or milliseconds, as a number or as text, or ISO 8601. Without
 * an offset it is local time in the service's zone. A phone's clock decides nothing, so readers of alerts treat an
 * unreadable time as left out; readers of fields refuse it with the dialect's error.
 */
import type { Instant } from '../../core/clock.ts'
import { asciiDigits } from '../../core/digits.ts'
import { strip } from '../../core/python-text.ts'
import type { Zone } from '../../core/zone.ts'
import { readInstant } from './dates.ts'
import type { Kind } from './fields.ts'
import { type Json, JsonNumber } from './json.ts'

// A smaller number is in seconds (until the year 5138), a larger one in milliseconds (since 1973).
const FIRST_MS = 1e11
const LATEST = Date.UTC(10_000, 0, 1) - 1
const UNIX = /^\d{9,15}(?:\.\d{1,9})?$/

const fromUnix = (unix: number): Instant | null => {
  const ms = Math.floor(unix < FIRST_MS ? unix * 1000 : unix)
  return unix > 0 && ms <= LATEST ? ms : null
}

/** Null: not a readable time. */
export const instantIn = (value: Json | undefined, zone: Zone): Instant | null => {
  if (value instanceof JsonNumber) return fromUnix(Number(value.source))
  if (typeof value !== 'string' || value.length > 64) return null
  const sent = asciiDigits(strip(value))
  if (UNIX.test(sent)) return fromUnix(Number(sent))
  const read = readInstant(sent, zone)?.getTime()
  return read === undefined || read < 0 ? null : read
}

const FORMATS = 'YYYY-MM-DDThh:mm[:ss[.uuuuuu]][+HH:MM|-HH:MM|Z]'

export const instant =
  (zone: Zone): Kind<Instant> =>
  (value, attr) => {
    const read = instantIn(value, zone)
    if (read !== null) return { kind: 'ok', value: read }
    const detail = `Datetime has wrong format. Use one of these formats instead: ${FORMATS}.`
    return { kind: 'no', errors: [{ attr, code: 'invalid', detail }] }
  }
