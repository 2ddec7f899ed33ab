/**
 * Reads a number in a query (`page`, `page_size`, `days`) as the dialect does: digits of any script, spaces around, a sign,
 * underscores between digits. Undefined: no whole number. The caller checks the range: a number too large to be exact is
 * returned as the largest safe integer, so that it stays too large, and never as Infinity.
 */
import { readInteger } from '../../core/python-text.ts'

export const readWholeNumber = (text: string): number | undefined => {
  const integer = readInteger(text)
  if (integer === undefined) return undefined
  if (integer > Number.MAX_SAFE_INTEGER) return Number.MAX_SAFE_INTEGER
  return integer < Number.MIN_SAFE_INTEGER ? Number.MIN_SAFE_INTEGER : Number(integer)
}
