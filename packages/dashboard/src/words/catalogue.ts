/**
 * One catalogue entry in both languages, side by side. A text that is missing in one of them does not compile. Plurals
 * are written as i18next reads them (`rows_one`, `rows_other`); Arabic has six forms, and all six are asked for.
 */
type ArabicPlural = 'zero' | 'one' | 'two' | 'few' | 'many' | 'other'

export type Arabic<English> = {
  readonly [Key in keyof English as Key extends `${string}_one`
    ? never
    : Key extends `${infer Base}_other`
      ? `${Base}_${ArabicPlural}`
      : Key]: string
}

export const words = <const English extends Readonly<Record<string, string>>>(
  en: English,
  ar: Arabic<English>,
): { readonly en: English; readonly ar: Arabic<English> } => ({ en, ar })
