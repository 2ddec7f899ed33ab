/**
 * Numbers, money and times as text. Money never becomes a float: its digits are grouped as text. Times are in the
 * account's time zone.
 */
import type { Language } from './catalogue.ts'
import { inDigits } from './digits.ts'

/** `1500.00` as `1,500.00`. The sign stays left of the digits, in every language. */
export const grouped = (amount: string): string => {
  if (amount.startsWith('-')) return `\u2066−${grouped(amount.slice(1))}\u2069`
  const [whole = '0', cents] = amount.split('.')
  return whole.replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',') + (cents === undefined ? '' : `.${cents}`)
}

const currencies: Readonly<Record<string, string>> = { YER: 'ر.ي', SAR: 'ر.س', USD: '$' }

export const currencyName = (currency: string, language: Language): string =>
  language === 'ar' ? (currencies[currency] ?? currency) : currency

const locale = (language: Language): string => `${language === 'ar' ? 'ar-YE' : 'en-GB'}-u-ca-gregory-nu-latn`

/** Creating a formatter takes longer than using it: each is created once. */
const once = <T>() => {
  const made = new Map<string, T>()
  return (key: string, make: () => T): T => {
    const known = made.get(key)
    if (known !== undefined) return known
    const one = make()
    made.set(key, one)
    return one
  }
}

const formats = once<Intl.DateTimeFormat>()
const formatOf = (language: Language, zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat =>
  formats(
    `${language} ${zone} ${JSON.stringify(options)}`,
    () => new Intl.DateTimeFormat(locale(language), { timeZone: zone, ...options }),
  )

export const exactTime = (at: string, language: Language, zone: string): string =>
  inDigits(
    formatOf(language, zone, { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23' }).format(new Date(at)),
    language,
  )

export const clockTime = (at: string, language: Language, zone: string): string =>
  inDigits(
    formatOf(language, zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(at)),
    language,
  )

export const dayName = (at: string, language: Language, zone: string): string =>
  inDigits(formatOf(language, zone, { day: 'numeric', month: 'short' }).format(new Date(at)), language)

/** The time of day; with the date where it is not today's. */
export const momentText = (at: string, now: number, language: Language, zone: string): string => {
  const clock = clockTime(at, language, zone)
  const day = dayName(at, language, zone)
  return day === dayName(new Date(now).toISOString(), language, zone) ? clock : `${day} ${clock}`
}

const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

const relatives = once<Intl.RelativeTimeFormat>()
const spans = once<Intl.NumberFormat>()

/** The clock of the page ticks every few seconds: a time a few seconds ahead of it is now, not the future. */
const ahead_s = 5

/** `3 minutes ago`, in the user's language. */
export const relativeTime = (at: string, now: number, language: Language): string => {
  const away = Math.round((Date.parse(at) - now) / 1000)
  const seconds = away > 0 && away <= ahead_s ? 0 : away
  const [unit, size] = steps.find(([, step]) => Math.abs(seconds) >= step) ?? ['second', 1]
  const format = relatives(language, () => new Intl.RelativeTimeFormat(locale(language), { numeric: 'auto' }))
  return inDigits(format.format(Math.trunc(seconds / size), unit), language)
}

/** `12 minutes`: the time since then. */
export const spanSince = (at: string, now: number, language: Language): string => {
  const seconds = Math.max(0, Math.round((now - Date.parse(at)) / 1000))
  const [unit, size] = steps.find(([, step]) => seconds >= step) ?? ['second', 1]
  const format = spans(
    `${language} ${unit}`,
    () => new Intl.NumberFormat(locale(language), { style: 'unit', unit, unitDisplay: 'long' }),
  )
  return inDigits(format.format(Math.trunc(seconds / size)), language)
}

/** Money inside a sentence. */
export const moneyText = (amount: string, currency: string, language: Language): string =>
  `${inDigits(grouped(amount), language)} ${currencyName(currency, language)}`
