/**
 * The currencies, each in one row: its decimals, its word in both languages, and how messages of wallet companies spell it. Plain
 * data, for schemas, formatting, screens and templates. Sanad collects those of `collectedCurrencies`; the others can stand in
 * messages, which are then read and not matched.
 */
type CurrencyFacts = {
  /** How many digits the minor unit has. Amounts are whole numbers of minor units with two decimals (core/money.ts). */
  readonly decimals: 2
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

/** Of a new wallet, and of a request or a template that names none. */
export const usualCurrency: Currency = 'YER'

/** What is known of a currency; undefined: only its code is. */
export const currencyFacts = (code: string): CurrencyFacts | undefined =>
  Object.hasOwn(currencies, code) ? currencies[code as keyof typeof currencies] : undefined
