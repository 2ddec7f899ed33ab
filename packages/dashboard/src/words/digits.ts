/** Digits are Latin unless the user chose the Arabic-Indic ones. These come with their own separators: ٬ and ٫. */
import type { Language } from './catalogue.ts'
import { readPreference } from './preferences.ts'

const arabicIndic = '٠١٢٣٤٥٦٧٨٩'

export const toArabicIndic = (text: string): string =>
  text
    .replaceAll(/(?<=\d),(?=\d)/g, '٬')
    .replaceAll(/(?<=\d)\.(?=\d)/g, '٫')
    .replaceAll(/\d/g, (digit) => arabicIndic[Number(digit)]!)

/** Only in Arabic: an English sentence keeps its digits. */
export const inDigits = (text: string, language: Language): string =>
  language === 'ar' && readPreference('digits') === 'arab' ? toArabicIndic(text) : text
