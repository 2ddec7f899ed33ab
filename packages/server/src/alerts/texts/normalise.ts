/**
 * Normalises an alert's text to the form that templates read. Phones, forwarding apps and providers differ in digits, invisible
 * marks, presentation forms and line breaks, which have no meaning. The raw text is stored, so that a better normaliser can
 * be applied to it later; each alert has the version that it was read with.
 *
 * The result is well-formed, has at most `LONGEST_TEXT` characters, and does not change when it is normalised again. Letters
 * keep their spelling: templates treat أ and ا as one letter themselves. Pure.
 */
import { asciiDigits } from '../../core/digits.ts'
import { SPACE, strip } from '../../core/python-text.ts'

export const NORMALISER_VERSION = 2

/** The limit in UTF-16 units, for the raw text and for its NFKC form. */
export const LONGEST_TEXT = 4096

/** Stands where text was removed: beyond the limit, half a surrogate pair, too many accents, a symbol with a digit. No slot
 *  accepts it, so such a text is never read. */
export const LOST = '\ufffd'

// Zero-width and bidi marks, soft hyphen, byte order mark.
const UNSEEN = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
// Nobody writes so many accents on one letter, and sorting them takes quadratic time.
const ACCENTS = /[\p{M}\uff9e\uff9f]{31,}/gu
// Superscripts, circled digits, fractions and the like. NFKC would turn them into digits: 15⁰⁰ would be read as 1500.
const SYMBOLS = /[\p{No}\p{So}]/gu
const SPACES = new RegExp(`[${SPACE}]+`, 'g')

export const normalise = (raw: string): string => {
  // Marks are removed first: one between a letter and its accent would keep the two from being composed.
  const visible = cut(raw)
    .toWellFormed()
    .replace(UNSEEN, '')
    .replace(ACCENTS, LOST)
    .replace(SYMBOLS, (symbol) => (/\p{Nd}/u.test(symbol.normalize('NFKC')) ? LOST : symbol))
  // NFKC turns one character into up to eighteen, so the limits are applied again.
  const formed = cut(visible.normalize('NFKC')).replace(ACCENTS, LOST)
  return strip(asciiDigits(formed).replaceAll('\u066b', '.').replaceAll('\u066c', ',').replace(SPACES, ' '))
}

/** Cuts and marks the cut. Without the mark, an alert followed by thousands of spaces and a denial would be read without it. */
const cut = (text: string): string =>
  text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT - LOST.length).toWellFormed() + LOST : text
