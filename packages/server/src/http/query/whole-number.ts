/**
 * `page` and `page_size` as the dialect reads them: digits of any script, spaces around, a sign, underscores between.
 * Undefined when the text is no whole number. What is too small or too large is the caller's to say: a number too long
 * to hold exactly comes back as the nearest that can be, so that it stays too large, and never as Infinity.
 */
import { readInteger } from '../../core/python-text.ts'

export const readWholeNumber = (text: string): number | undefined => {
  const integer = readInteger(text)
  if (integer === undefined) return undefined
  if (integer > Number.MAX_SAFE_INTEGER) return Number.MAX_SAFE_INTEGER
  return integer < Number.MIN_SAFE_INTEGER ? Number.MIN_SAFE_INTEGER : Number(integer)
}
