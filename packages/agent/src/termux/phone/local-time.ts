/**
 * Termux prints times as the phone's local time, to the second and without a zone; a phone that is set to Arabic prints
 * them in Arabic digits. Here such a time becomes an instant. Pure.
 */

const FORM = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2}):(\d{2})$/

/** Arabic-Indic and Persian digits as ASCII ones. */
export const asciiDigits = (text: string): string =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf))

/** The time as if it were UTC, in milliseconds; undefined: no time that can be read. */
const asUtc = (local: string): number | undefined => {
  const parts = FORM.exec(asciiDigits(local).trim())
  if (parts === null) return undefined
  const [year, month, day, hour, minute, second] = parts.slice(1).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const utc = Date.UTC(year, month - 1, day, hour, minute, second)
  return Number.isNaN(utc) || new Date(utc).getUTCDate() !== day ? undefined : utc
}

const formats = new Map<string, Intl.DateTimeFormat>()
const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known !== undefined) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  formats.set(zone, format)
  return format
}

/** How far the zone is ahead of UTC at this instant. */
const offset_ms = (zone: string, instant: number): number => {
  const parts = new Map(
    formatOf(zone)
      .formatToParts(instant)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const at = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0
  return Date.UTC(at('year'), at('month') - 1, at('day'), at('hour'), at('minute'), at('second')) - instant
}

export const isZone = (name: string): boolean => {
  try {
    formatOf(name)
    return true
  } catch {
    return false
  }
}

/** The instant of a local time. In an hour that occurs twice, the first. Undefined: no time that can be read. */
export const instantOf = (local: string, zone: string): number | undefined => {
  const utc = asUtc(local)
  if (utc === undefined) return undefined
  const guess = utc - offset_ms(zone, utc)
  const candidates = [utc - offset_ms(zone, guess - 7_200_000), utc - offset_ms(zone, guess + 7_200_000), guess]
  const exact = candidates.filter((instant) => instant + offset_ms(zone, instant) === utc)
  return exact.length === 0 ? guess : Math.min(...exact)
}

const quarter_ms = 15 * 60_000

/**
 * The part of a local time that is the same in every zone: zones differ by whole quarters of an hour. If the phone's
 * zone changes, all printed times change, and a message must still be recognised.
 */
export const zoneFreePart = (local: string): string => {
  const utc = asUtc(local)
  return utc === undefined ? '' : String((utc % quarter_ms) / 1000)
}
