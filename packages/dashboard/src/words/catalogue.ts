/**
 * One catalogue entry in both languages, side by side. A text that is missing in one of them does not compile. Plurals
 * are written as `rows_one`, `rows_other`; Arabic has six forms, and all six are asked for. Texts are known as soon as their
 * file is loaded, and the build has it loaded by whoever names one of them: a screen brings its own words and no others.
 */
type ArabicPlural = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'

export type Arabic<English> = {
  readonly [Key in keyof English as Key extends `${string}_one`
    ? never
    : Key extends `${infer Base}_other`
      ? `${Base}_${ArabicPlural}`
      : Key]: string
}

export type Language = 'ar' | 'en'

const known = { en: new Map<string, string>(), ar: new Map<string, string>() }

export const words = <const English extends Readonly<Record<string, string>>>(
  en: English,
  ar: Arabic<English>,
): { readonly en: English; readonly ar: Arabic<English> } => {
  for (const key of Object.keys(en)) known.en.set(key, en[key]!)
  for (const [key, text] of Object.entries<string>(ar)) known.ar.set(key, text)
  return { en, ar }
}

export const isKnown = (key: string): boolean => known.en.has(key)

const plurals = { en: new Intl.PluralRules('en'), ar: new Intl.PluralRules('ar') }

/** The text of a key: `count` chooses among its plural forms, and each `{{name}}` becomes its value as it is shown. */
export const textOf = (
  language: Language,
  key: string,
  values: Readonly<Record<string, string | number>> = {},
  shown: (value: string | number) => string = String,
): string => {
  const texts = known[language]
  const { count } = values
  const form = typeof count === 'number' ? texts.get(`${key}_${plurals[language].select(count)}`) : undefined
  const text = form ?? texts.get(key) ?? key
  return text.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => shown(values[name] ?? ''))
}
