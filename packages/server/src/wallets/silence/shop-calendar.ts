/**
 * Days on which shops keep other hours than usual: Ramadan, and the two feasts with a day or two around them, by the Umm
 * al-Qura calendar. The moon may be seen a day earlier or later, so the feasts are taken wide. Pure.
 */

import { day_ms } from '../../core/duration.ts'

export type DayKind = 'ordinary' | 'ramadan' | 'feast'

const hijri = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', {
  timeZone: 'UTC',
  month: 'numeric',
  day: 'numeric',
})

const kinds = new Map<number, DayKind>()
const mostCached = 4096

const kindOf = (month: number, dayOfMonth: number): DayKind => {
  const [shaban, ramadan, shawwal, dhuAlHijja] = [8, 9, 10, 12]
  if (month === ramadan) return dayOfMonth >= 29 ? 'feast' : 'ramadan'
  if (month === shawwal && dayOfMonth <= 6) return 'feast'
  if (month === dhuAlHijja && dayOfMonth >= 8 && dayOfMonth <= 14) return 'feast'
  // Ramadan may begin a day early.
  return month === shaban && dayOfMonth >= 29 ? 'ramadan' : 'ordinary'
}

/** `day`: in days since 1970-01-01. */
export const dayKind = (day: number): DayKind => {
  const known = kinds.get(day)
  if (known !== undefined) return known
  const parts = hijri.formatToParts(day * day_ms)
  const value = (type: string): number => Number(parts.find((part) => part.type === type)!.value)
  const kind = kindOf(value('month'), value('day'))
  if (kinds.size >= mostCached) kinds.clear()
  kinds.set(day, kind)
  return kind
}
