/** A time zone by its IANA name, in a field. */
import { zoneOf } from '../../../core/zone.ts'
import type { Kind } from '../fields.ts'
import { text } from '../fields.ts'

const name = text({ max: 64, blank: true })
// Offsets such as +03:00 are no places: their days do not move with the law.
const written = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/

const known = (zone: string): boolean => {
  if (!written.test(zone)) return false
  try {
    zoneOf(zone)
    return true
  } catch {
    return false
  }
}

/** Empty: none of its own. */
export const timeZone: Kind<string> = (value, attr) => {
  const reading = name(value, attr)
  if (reading.kind === 'no' || reading.value === '' || known(reading.value)) return reading
  const detail = `"${reading.value}" is no time zone; use an IANA name such as Asia/Aden.`
  return { kind: 'no', errors: [{ attr, code: 'invalid', detail }] }
}
