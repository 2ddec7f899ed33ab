/**
 * The currencies, each in one row: its decimals, its word in both languages, and how messages of wallet companies spell it. Plain
 * data, for schemas, formatting, screens and templates. Sanad collects those of `collectedCurrencies`; the others can stand in
 * messages, which are then read and not matched.
 */

/** The decimals of amounts in the database and in the APIs, whatever the currency is. More need a migration of every amount. */
export const storedDecimals = 2
/** The digits before the point. */
export const wholeDigits = 12

type CurrencyFacts = {
  /** The digits of its minor unit: an amount has no more, and is shown with so many. */
  readonly decimals: 0 | 1 | typeof storedDecimals
  readonly ar: string
  readonly en: string
  /** In normalised messages, the code first. */
  readonly spellings: readonly string[]
  /** The form of a template offers it. */
  readonly inForms: boolean
}

export const currencies = {
  YER: { decimals: 2, ar: 'ر.ي', en: 'YER', spellings: ['YER', 'ر.ي', 'ريال'], inForms: true },
  SAR: { decimals: 2, ar: 'ر.س', en: 'SAR', spellings: ['SAR', 'ر.س', 'ريال سعودي'], inForms: true },
  USD: { decimals: 2, ar: '$', en: 'USD', spellings: ['USD', '$', 'دولار'], inForms: true },
  BDT: { decimals: 2, ar: 'BDT', en: 'BDT', spellings: ['BDT', 'Tk', '৳'], inForms: false },
  KES: { decimals: 2, ar: 'KES', en: 'KES', spellings: ['KES', 'Ksh'], inForms: false },
  EGP: { decimals: 2, ar: 'EGP', en: 'EGP', spellings: ['EGP', 'جنيه', 'ج.م'], inForms: false },
} as const satisfies Readonly<Record<string, CurrencyFacts>>

/** The currencies that a wallet can have. */
export const collectedCurrencies = ['YER'] as const satisfies readonly (keyof typeof currencies)[]
export type Currency = (typeof collectedCurrencies)[number]

/** For sentences: "Only `YER`." */
export const collectedCodes = collectedCurrencies.map((code) => `\`${code}\``).join(', ')

/** Of a new wallet, and of a request or a template that names none. */
export const usualCurrency: Currency = 'YER'

/** `1500.00` with at most so many decimals. */
export const withDecimals = (amount: string, decimals: number): string => {
  const [whole, fraction = ''] = amount.split('.')
  const kept = fraction.slice(0, decimals)
  return kept === '' ? whole! : `${whole}.${kept}`
}

/** What is known of a currency; undefined: only its code is. */
export const currencyFacts = (code: string): CurrencyFacts | undefined =>
  Object.hasOwn(currencies, code) ? currencies[code as keyof typeof currencies] : undefined
