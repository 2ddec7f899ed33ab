/**
 * An alert's text in the one spelling that templates read. Phones, forwarders and providers differ in digits, in marks
 * nobody sees, in presentation forms and in line breaks; none of that is meaning. The raw text is kept elsewhere, so a
 * better normaliser can read it again: each parse notes the version that made it.
 *
 * The result is well-formed, has at most `LONGEST_TEXT` characters, and normalising it again changes nothing. Letters
 * keep their spelling: that أ and ا are one letter to a template is the template's business.
 */
import { asciiDigits } from '../ground/digits.ts'
import { SPACE, strip } from '../ground/python-text.ts'

export const NORMALISER_VERSION = 1

/** In UTF-16 units, of the raw text as well as of the result. */
export const LONGEST_TEXT = 4096

/** Stands where something was lost: beyond the longest text, or half a character. No slot accepts it, so what was cut never reads. */
export const LOST = '\ufffd'

// Zero-width and bidi marks, soft hyphen, byte order mark.
const UNSEEN = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g
const SPACES = new RegExp(`[${SPACE}]+`, 'g')

export const normalise = (raw: string): string => {
  const cut = raw.length > LONGEST_TEXT
  // Marks go first: one between a letter and its accent would keep the two from composing until the next pass.
  const seen = (cut ? raw.slice(0, LONGEST_TEXT) : raw).toWellFormed().replace(UNSEEN, '')
  const plain = asciiDigits(seen.normalize('NFKC')).replaceAll('\u066b', '.').replaceAll('\u066c', ',')
  const text = strip(plain.replace(SPACES, ' '))
  // One character can unfold into eighteen, so a short text may still come out too long.
  if (!cut && text.length <= LONGEST_TEXT) return text
  // Said aloud at the end: otherwise a true alert, thousands of spaces and any tail would read as the alert alone.
  return text.slice(0, LONGEST_TEXT - LOST.length).toWellFormed() + LOST
}
