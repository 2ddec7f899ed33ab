/**
 * Recognises numbers that are mistaken for the reference of a payment (a phone number, the payer's number, a date), and a fee
 * that is mistaken for the amount. Such numbers repeat and others know them: as references they would hide a second payment
 * and give a stranger the money. Pure.
 */
import { folded } from '../texts/folded-text.ts'
import type { Fields } from './template.ts'

/** Mobile numbers of the countries whose providers Sanad knows, with or without the country code. */
const mobile =
  /^(?:(?:00)?967)?0?7[01378]\d{7}$|^(?:(?:00)?966|0)5\d{8}$|^(?:(?:00)?254|0)[17]\d{8}$|^(?:(?:00)?880|0)1\d{9}$|^(?:(?:00)?20|0)1\d{9}$/

const isYear = (year: string): boolean => /^20\d\d$/.test(year)
const isDay = (month: string, day: string): boolean =>
  Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31

const isDate = (reference: string): boolean => {
  const [, year = '', month = '', day = ''] = /^(\d{4})-?(\d{2})-?(\d{2})$/.exec(reference) ?? []
  if (isYear(year) && isDay(month, day)) return true
  const [, first = '', second = '', last = ''] = /^(\d{2})-?(\d{2})-?(\d{4})$/.exec(reference) ?? []
  return isYear(last) && (isDay(second, first) || isDay(first, second))
}

const digitsOf = (spelled: string): string =>
  spelled
    .replace(/\D/g, '')
    .replace(/^(?:00)?967/, '')
    .replace(/^0+/, '')

/** Whether the reference is a number that the text shows as the payer's, whatever the sample is. */
export const isPayersNumber = ({ reference, payer = '', phone = '' }: Fields): boolean => {
  if (reference === undefined || !/^\d+$/.test(reference)) return false
  return [payer, phone].some((number) => /^[+\d\s-]+$/.test(number) && digitsOf(number) === digitsOf(reference))
}

/** What a sample's reference looks like instead; undefined: it looks like a reference. */
export const mistakenReference = (fields: Fields): 'a phone number' | 'a date' | 'the payer’s number' | undefined => {
  const { reference } = fields
  if (reference === undefined) return undefined
  if (isPayersNumber(fields)) return 'the payer’s number'
  if (mobile.test(reference)) return 'a phone number'
  return isDate(reference) ? 'a date' : undefined
}

const feeWords =
  /(?<!\p{L})(?:(?:ال|وال|ب|بال|و)?(?:رسوم|رسم|عموله|ضريبه)(?:ها|هم|ك|كم)?|fees?|commission|charges?|tax|vat)(?!\p{L})/gu
const amountWords = /مبلغ|قيمه|استلمت|اضيف|اودع|ايداع|حوال|amount|received|credited|deposit/u
const without = /(?:بدون|بلا|دون|without|no|free of) ?$/u

/** Whether the words before the amount call it a fee: `Fee {amount:money} YER`. */
export const isCalledFee = (before: string): boolean => {
  const words = folded(before).slice(-60)
  const label = [...words.matchAll(feeWords)].at(-1)
  if (label === undefined || without.test(words.slice(0, label.index))) return false
  return !amountWords.test(words.slice(label.index))
}
