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

/** A normalised text folded, without accents, and without ء, which many writers leave out: الغا for إلغاء. Letters of other
 *  scripts that look like Latin ones are Latin. */
export const bareLetters = (text: string): string =>
  folded(text)
    .normalize('NFD')
    .replace(/[\p{M}ء]/gu, '')
    .normalize('NFC')
    .replace(LOOK_ALIKES, latinLetter)

// Cyrillic and Greek letters that look like Latin ones, each followed by the Latin letter.
const LOOKS = 'аaеeоoсcрpхxуyіiѕsԁdԛqԝwһhјjтtкkмmνvοoαaιiρpτtκkυuıiɑaɡgօoսu'
const LATIN = new Map(Array.from({ length: LOOKS.length / 2 }, (_, i) => [LOOKS[i * 2]!, LOOKS[i * 2 + 1]!]))
const LOOK_ALIKES = new RegExp(`[${[...LATIN.keys()].join('')}]`, 'g')
const latinLetter = (letter: string): string => LATIN.get(letter)!
