/** A span of time in words, rounded: `3 minutes`, `7 hours`, `2 days`. */
import type { Language } from '../../words/catalogue.ts'
import { inDigits } from '../../words/digits.ts'

const units = [
  { unit: 'second', size: 1, until: 90 },
  { unit: 'minute', size: 60, until: 90 * 60 },
  { unit: 'hour', size: 3600, until: 48 * 3600 },
  { unit: 'day', size: 86_400, until: Number.POSITIVE_INFINITY },
] as const

export const spanText = (seconds: number, language: Language): string => {
  const { unit, size } = units.find(({ until }) => seconds < until)!
  const locale = `${language === 'ar' ? 'ar-YE' : 'en-GB'}-u-nu-latn`
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' })
  return inDigits(format.format(Math.round(seconds / size)), language)
}
