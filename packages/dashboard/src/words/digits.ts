/** Digits are Latin unless the user chose Arabic-Indic digits, which have their own separators: ٬ and ٫. */
import type { Language } from './catalogue.ts'
import { readPreference } from './preferences.ts'

const arabicIndic = '٠١٢٣٤٥٦٧٨٩'

export const toArabicIndic = (text: string): string =>
  text
    .replaceAll(/(?<=\d),(?=\d)/g, '٬')
    .replaceAll(/(?<=\d)\.(?=\d)/g, '٫')
    .replaceAll(/\d/g, (digit) => arabicIndic[Number(digit)]!)

/** In the digits that the user chose. An English text always has Latin digits. */
export const inDigits = (text: string, language: Language): string =>
  language === 'ar' && readPreference('digits') === 'arab' ? toArabicIndic(text) : text
