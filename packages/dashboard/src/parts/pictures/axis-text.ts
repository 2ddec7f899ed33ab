/** The short number at the axis of a picture: no decimals above ten. Pure. */
import { inDigits } from '../../words/digits.ts'
import { grouped } from '../../words/format.ts'
import type { Language } from '../../words/language.ts'

export const axisText = (language: Language) => (value: number) =>
  inDigits(grouped(value >= 10 || Number.isInteger(value) ? String(Math.round(value)) : value.toFixed(1)), language)

/** A count as it is shown. */
export const countText = (language: Language) => (value: string) => inDigits(grouped(value), language)

/** At the axis of counts: nothing where the number is not whole. */
export const countAxis = (language: Language) => (value: number) =>
  Number.isInteger(value) || value > 10 ? axisText(language)(value) : ''
