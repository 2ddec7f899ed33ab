/**
 * The key by which references are compared. Users copy a reference from a screen, an SMS or a photo: Arabic digits, stray
 * spaces, invisible direction marks and letter case must not keep a payment from its intent. Leading zeros count. The
 * reference is stored and returned as it was sent; only comparison uses the key.
 */
import { asciiDigits } from './digits.ts'
import { SPACE } from './python-text.ts'

declare const brand: unique symbol
export type ReferenceKey = string & { readonly [brand]: 'reference key' }

const MOST_PASSES = 8
const PLAIN = /^[0-9A-Z]*$/
// White space, and characters that cannot be seen: zero-width and bidi marks, soft hyphen, byte order mark,
// fillers, variation selectors, the blank Braille pattern.
const UNSEEN = new RegExp(`[${SPACE}\\p{Default_Ignorable_Code_Point}\\u2800]`, 'gu')

/** Empty if the reference holds no visible character. */
export const referenceKey = (reference: string): ReferenceKey => {
  if (PLAIN.test(reference)) return reference as ReferenceKey
  let key = reference
  // One pass is not always enough: after a mark is removed, its neighbours may compose. Two or three passes are enough.
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const next = asciiDigits(key.normalize('NFKC')).replace(UNSEEN, '').toUpperCase()
    if (next === key) break
    key = next
  }
  return key as ReferenceKey
}
