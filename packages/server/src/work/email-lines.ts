/** The lines of emails about notices: one fact a line, in Arabic and in English. Pure. */
import { bilingualEmail, isolate, nameInEmail, oneLine } from '../accounts/people/user-emails.ts'
import type { Instant } from '../core/clock.ts'
import type { Email } from '../core/email.ts'
import type { Zone } from '../core/zone.ts'

/** `2026-01-05 06:04 +03:00` */
export const moment = (zone: Zone, at: Instant): string => {
  const whole = zone.format(new Date(at))
  return `${whole.slice(0, 10)} ${whole.slice(11, 16)} ${whole.slice(-6)}`
}

export type Bilingual = { readonly ar: string; readonly en: string }
export type Unaddressed = Omit<Email, 'to'>

/** A label in both languages, and a value that is the same in both. An address is alone on its line: it is copied, or a link. */
export const fact = (name: Bilingual, value: string | number): Bilingual => ({
  ar: /^https?:\/\//.test(String(value))
    ? `${name.ar}:\n${value}`
    : `${name.ar}: ${typeof value === 'number' ? value : isolate(value)}`,
  en: `${name.en}: ${value}`,
})
/** No line if the value is not known. */
export const factIfKnown = (name: Bilingual, value: string | undefined): Bilingual[] =>
  value === undefined || oneLine(value) === '' ? [] : [fact(name, oneLine(value).slice(0, 300))]

/** Names, and how many more there are. */
export const namesFact = (name: Bilingual, names: string | undefined, more = 0): Bilingual[] =>
  factIfKnown(name, names).map(({ ar, en }) =>
    more === 0 ? { ar, en } : { ar: `${ar} و${isolate(more)} غيرها`, en: `${en} and ${more} more` },
  )

/** A name that a user or a phone has chosen, without links. (Addresses of endpoints are shown as they are.) */
export const nameOrNothing = (value: string | undefined): string | undefined =>
  value === undefined ? undefined : nameInEmail(value)

export const emailOf = (kind: string, subject: Bilingual, lines: readonly Bilingual[]): Unaddressed =>
  bilingualEmail(
    kind,
    `${subject.ar} / ${subject.en}`,
    lines.map((line) => line.ar),
    lines.map((line) => line.en),
  )

export const same = (text: string): Bilingual => ({ ar: text, en: text })
