/**
 * Numbers, money and times as text. Money never becomes a float: its digits are grouped as text. Times are in the
 * account's time zone.
 */
import { currencyFacts, storedDecimals, withDecimals } from '@sanad/contract/currency'
import type { Language } from './catalogue.ts'
import { inDigits } from './digits.ts'

/** `1500.00` as `1,500.00`. The sign stays left of the digits, in every language. */
export const grouped = (amount: string): string => {
  if (amount.startsWith('-')) return `\u2066−${grouped(amount.slice(1))}\u2069`
  const [whole = '0', cents] = amount.split('.')
  return whole.replaceAll(/\B(?=(\d{3})+(?!\d))/g, ',') + (cents === undefined ? '' : `.${cents}`)
}

export const currencyName = (currency: string, language: Language): string =>
  currencyFacts(currency)?.[language] ?? currency

const locale = (language: Language): string => `${language === 'ar' ? 'ar-YE' : 'en-GB'}-u-ca-gregory-nu-latn`

/** A cache of formatters: creating one takes longer than using it. */
const newCache = <T>() => {
  const cached = new Map<string, T>()
  return (key: string, create: () => T): T => {
    const existing = cached.get(key)
    if (existing !== undefined) return existing
    const created = create()
    cached.set(key, created)
    return created
  }
}

const formats = newCache<Intl.DateTimeFormat>()
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

/** A date and a time of day without seconds, for an end that is days away. */
export const minuteTime = (at: string, language: Language, zone: string): string =>
  inDigits(
    formatOf(language, zone, { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' }).format(new Date(at)),
    language,
  )

export const clockTime = (at: string, language: Language, zone: string): string =>
  inDigits(
    formatOf(language, zone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }).format(new Date(at)),
    language,
  )

export const dayName = (at: string, language: Language, zone: string): string =>
  inDigits(formatOf(language, zone, { day: 'numeric', month: 'short' }).format(new Date(at)), language)

/** The name of a calendar date such as `2026-01-02`. A date is not a moment: it is the same in every time zone. */
export const dateName = (date: string, language: Language): string => dayName(`${date}T00:00:00Z`, language, 'UTC')

/** The time of day, with the date if it is not today. */
export const momentText = (at: string, now: number, language: Language, zone: string): string => {
  const clock = clockTime(at, language, zone)
  const day = dayName(at, language, zone)
  return day === dayName(new Date(now).toISOString(), language, zone) ? clock : `${day} ${clock}`
}

type SpanUnit = 'day' | 'hour' | 'minute' | 'second'

const steps: readonly (readonly [SpanUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
]

const relatives = newCache<Intl.RelativeTimeFormat>()
const spans = newCache<Intl.NumberFormat>()

/** The clock of the page is updated every few seconds: a time up to five seconds ahead of it is shown as now. */
const ahead_s = 5

/** The browsers' Arabic for 3 to 10 seconds lacks its last sign. */
const withTanwin = (text: string): string => text.replaceAll(/ثوان[\u064d\u0650]?/g, 'ثوانٍ')

/** `3 minutes ago`, in the user's language. */
export const relativeTime = (at: string, now: number, language: Language): string => {
  const away = Math.round((Date.parse(at) - now) / 1000)
  const seconds = away > 0 && away <= ahead_s ? 0 : away
  const [unit, size] = steps.find(([, step]) => Math.abs(seconds) >= step) ?? ['second', 1]
  const format = relatives(language, () => new Intl.RelativeTimeFormat(locale(language), { numeric: 'auto' }))
  return inDigits(withTanwin(format.format(Math.trunc(seconds / size), unit)), language)
}

/** So many units, such as `12 minutes`, as they stand alone: `المتبقي: ساعتان`. */
export const unitText = (amount: number, unit: SpanUnit, language: Language): string => {
  const format = spans(
    `${language} ${unit}`,
    () => new Intl.NumberFormat(locale(language), { style: 'unit', unit, unitDisplay: 'long' }),
  )
  return inDigits(withTanwin(format.format(amount)), language)
}

/** As they stand after a preposition: `منذ ساعتين`. In Arabic only the form of two differs. */
export const unitTextAfter = (amount: number, unit: SpanUnit, language: Language): string =>
  unitText(amount, unit, language).replace(/ان$/, amount === 2 ? 'ين' : '$&')

const partsOf = (seconds: number): readonly [amount: number, unit: SpanUnit] => {
  const [unit, size] = steps.find(([, step]) => seconds >= step) ?? ['second', 1]
  return [Math.trunc(seconds / size), unit]
}

/** The time since `at`, such as `12 minutes`, for a sentence that says `for` or `since` before it. */
export const spanSince = (at: string, now: number, language: Language): string =>
  unitTextAfter(...partsOf(Math.max(0, Math.round((now - Date.parse(at)) / 1000))), language)

/** The weekday of a date such as `2026-01-02`. */
export const weekdayName = (date: string, language: Language): string =>
  formatOf(language, 'UTC', { weekday: 'long' }).format(new Date(`${date}T00:00:00Z`))

/** The time that is left until `at`, for a text that ends in a colon before it. */
export const spanLeft = (at: string, now: number, language: Language): string =>
  unitText(...partsOf(Math.max(0, Math.round((Date.parse(at) - now) / 1000))), language)

/** Money inside a sentence, without decimals that its currency does not have. */
export const moneyText = (amount: string, currency: string, language: Language): string => {
  const shown = withDecimals(amount, currencyFacts(currency)?.decimals ?? storedDecimals)
  return `${inDigits(grouped(shown), language)} ${currencyName(currency, language)}`
}
