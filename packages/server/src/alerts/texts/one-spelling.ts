/**
 * Gives a normalised text one spelling, so that two spellings of one message compare as equal: `1,500.00` and `1500`, `YER 16`
 * and `YER16`, the forms of alef. The result is for comparing messages, never for reading or showing. Pure.
 */
import { folded } from './folded-text.ts'

/** A number with separators. Where a comma and a point could be mistaken for one another, both are left out. */
const NUMBER = /\d[\d.,]*/g
const SPACES = /\s+/g

export const withOneSpelling = (text: string): string => folded(text).replace(NUMBER, oneNumber).replace(SPACES, '')

/** Without thousands separators, and without zeros after the point. */
const oneNumber = (number: string): string => {
  const plain = number.replaceAll(',', '')
  return plain.includes('.') ? plain.replace(/\.?0*$/, '') : plain
}
