/** Digits are Latin unless the person chose otherwise. */
import type { Language } from './catalogue.ts'
import { readPreference } from './preferences.ts'

const arabicIndic = '٠١٢٣٤٥٦٧٨٩'

/** Only in Arabic: an English sentence keeps its digits. */
export const inDigits = (text: string, language: Language): string =>
  language === 'ar' && readPreference('digits') === 'arab'
    ? text.replaceAll(/\d/g, (digit) => arabicIndic[Number(digit)]!)
    : text
