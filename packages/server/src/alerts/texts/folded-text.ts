/**
 * A normalised text with the differences that writers of Arabic and English do not mean taken out: case, the forms of alef,
 * ة and ه, ى and ي, vowel signs and the line that stretches a word. For looking words up, never for showing. Pure.
 */

// Vowel signs and Quranic marks, and the stretching line.
const UNMEANT = /[\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]/g
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
const EXCHANGED = /[أإآٱىیئؤةک]/g

export const folded = (text: string): string =>
  text
    .replace(UNMEANT, '')
    .replace(EXCHANGED, (letter) => SAME[letter]!)
    .toLowerCase()
