/** Digits are Latin unless the user chose Arabic-Indic digits, which have their own separators: ٬ and ٫. */
import type { Language } from './catalogue.ts'
import { readPreference } from './preferences.ts'

const arabicIndic = '٠١٢٣٤٥٦٧٨٩'

export const toArabicIndic = (text: string): string =>
  text
    .replaceAll(/(?<=\d),(?=\d)/g, '٬')
    .replaceAll(/(?<=\d)\.(?=\d)/g, '٫')
    .replaceAll(/\d/g, (digit) => arabicIndic[Number(digit)]!)

/**
 * The digits of a text itself, such as `آخر 14 يومًا`, in the digits that the user chose. Digits of a Latin word (A4) and digits
 * that are isolated (U+2066 to U+2069: a code, an example that is typed) stay as they are.
 */
export const withOwnDigits = (text: string, language: Language): string =>
  language === 'ar' && readPreference('digits') === 'arab'
    ? text.replaceAll(/\{\{\w+\}\}|\u2066[^\u2069]*\u2069|[A-Za-z]\w*|\d(?:[\d.,]*\d)?/g, (part) =>
        /^\d/.test(part) ? toArabicIndic(part) : part,
      )
    : text

/** In the digits that the user chose. An English text always has Latin digits. */
export const inDigits = (text: string, language: Language): string =>
  language === 'ar' && readPreference('digits') === 'arab' ? toArabicIndic(text) : text
