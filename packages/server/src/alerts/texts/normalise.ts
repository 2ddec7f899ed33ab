/**
 * An alert's text in the one spelling that templates read. Phones, forwarders and providers differ in digits, in marks
 * nobody sees, in presentation forms and in line breaks; none of that is meaning. The raw text is kept elsewhere, so a
 * better normaliser can read it again: each parse notes the version that made it.
 *
 * The result is well-formed, has at most `LONGEST_TEXT` characters, and normalising it again changes nothing. Letters
 * keep their spelling: that أ and ا are one letter to a template is the template's business.
 */
import { asciiDigits } from '../../core/digits.ts'
import { SPACE, strip } from '../../core/python-text.ts'

export const NORMALISER_VERSION = 1

/** In UTF-16 units, of the raw text as well as of its unfolded form. */
export const LONGEST_TEXT = 4096

/** Stands where something was lost: beyond the longest text, half a character, a heap of accents. No slot accepts it, so what was cut never reads. */
export const LOST = '\ufffd'

// Zero-width and bidi marks, soft hyphen, byte order mark.
const UNSEEN = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
// Nobody writes so many accents on one letter, and putting them in order takes time with the square of their number.
const ACCENTS = /[\p{M}\uff9e\uff9f]{31,}/gu
const SPACES = new RegExp(`[${SPACE}]+`, 'g')

export const normalise = (raw: string): string => {
  // Marks go first: one between a letter and its accent would keep the two from composing until the next pass.
  const seen = cut(raw).toWellFormed().replace(UNSEEN, '').replace(ACCENTS, LOST)
  // One character can unfold into eighteen, so a short text may become too long only here, and so may a heap of accents.
  const formed = cut(seen.normalize('NFKC')).replace(ACCENTS, LOST)
  return strip(asciiDigits(formed).replaceAll('\u066b', '.').replaceAll('\u066c', ',').replace(SPACES, ' '))
}

/** Says aloud that it cut: otherwise a true alert, thousands of spaces and any tail would read as the alert alone. */
const cut = (text: string): string =>
  text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT - LOST.length).toWellFormed() + LOST : text
