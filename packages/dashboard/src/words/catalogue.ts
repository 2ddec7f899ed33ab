/**
 * A catalogue contains the texts of one screen in both languages. A text that is missing in one language is a type error.
 * Plurals are written as `rows_one`, `rows_other`; Arabic has six forms, and all six are required. Texts are registered
 * when their file is loaded. A component imports the catalogues that it reads, so a screen loads only its own texts.
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

export type Catalogue = { readonly en: Readonly<Record<string, string>>; readonly ar: Readonly<Record<string, string>> }

/** The key of a plural is written without its form. */
type WithoutForm<Key> = Key extends `${infer Name}_one` | `${infer Name}_other` ? Name : Key

/** The keys of a catalogue, or of several as a union. */
export type KeyOf<C> = C extends Catalogue ? WithoutForm<keyof C['en'] & string> : never

const registered = { en: new Map<string, string>(), ar: new Map<string, string>() }

export const words = <const English extends Readonly<Record<string, string>>>(
  en: English,
  ar: Arabic<English>,
): { readonly en: English; readonly ar: Arabic<English> } => {
  for (const key of Object.keys(en)) registered.en.set(key, en[key]!)
  for (const [key, text] of Object.entries<string>(ar)) registered.ar.set(key, text)
  return { en, ar }
}

/** Whether a key that contains a code of the server has a text. A newer server may send codes without a text here. */
export const hasText = <C extends Catalogue>(catalogue: C, key: string): key is KeyOf<C> =>
  Object.hasOwn(catalogue.en, key) || Object.hasOwn(catalogue.en, `${key}_other`)

const plurals = { en: new Intl.PluralRules('en'), ar: new Intl.PluralRules('ar') }

/** The text of a key: `count` selects the plural form, and each `{{name}}` is replaced by its formatted value. `own` formats the rest. */
export const textOf = (
  language: Language,
  key: string,
  values: Readonly<Record<string, string | number>> = {},
  format: (value: string | number) => string = String,
  own: (text: string) => string = (text) => text,
): string => {
  const texts = registered[language]
  const { count } = values
  const form = typeof count === 'number' ? texts.get(`${key}_${plurals[language].select(count)}`) : undefined
  const text = form ?? texts.get(key) ?? key
  return own(text).replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => format(values[name] ?? ''))
}
