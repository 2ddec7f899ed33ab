/**
 * Folds a normalised text: removes differences in spelling that have no meaning (case, the forms of alef, ة and ه, ى and ي,
 * vowel signs, the tatweel that stretches a word). The result is for finding words, never for showing. Pure.
 */

// Vowel signs, Quranic marks and the tatweel.
const IGNORED = /[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/g
const SAME: Readonly<Record<string, string>> = {
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ئ: 'ي',
  ؤ: 'و',
  ة: 'ه',
  ک: 'ك',
}
const REPLACED = /[أإآٱىیئؤةک]/g

export const folded = (text: string): string =>
  text
    .replace(IGNORED, '')
    .replace(REPLACED, (letter) => SAME[letter]!)
    .toLowerCase()
