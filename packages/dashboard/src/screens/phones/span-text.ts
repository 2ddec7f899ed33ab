/** A span of time in words, rounded, for a sentence that says `after` or `every` before it: `3 minutes`, `2 days`. */
import type { Language } from '../../words/catalogue.ts'
import { unitTextAfter } from '../../words/format.ts'

const units = [
  { unit: 'second', size: 1, until: 90 },
  { unit: 'minute', size: 60, until: 90 * 60 },
  { unit: 'hour', size: 3600, until: 48 * 3600 },
  { unit: 'day', size: 86_400, until: Number.POSITIVE_INFINITY },
] as const

export const spanText = (seconds: number, language: Language): string => {
  const { unit, size } = units.find(({ until }) => seconds < until)!
  return unitTextAfter(Math.round(seconds / size), unit, language)
}
