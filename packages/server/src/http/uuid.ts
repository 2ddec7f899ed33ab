/**
 * UUIDs in all forms that clients write: either case, with or without hyphens, in braces, as a URN, as an integer. Any
 * version is accepted, and the result is always the lower-case form with hyphens. The forms are those of the dialect.
 */
import { asciiDigits } from '../core/digits.ts'
import { codePoints, strip, stripInteger } from '../core/python-text.ts'

const CANONICAL = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
const BRACE = /[{}]/
const HEX = /^\+?(?:0[xX]_?)?([0-9a-fA-F]+(?:_[0-9a-fA-F]+)*)$/

export const uuidOfText = (text: string): string | undefined => {
  if (CANONICAL.test(text)) return text
  const written = text.replaceAll('urn:', '').replaceAll('uuid:', '')
  const bare = strip(written, BRACE).replaceAll('-', '')
  if (codePoints(bare) !== 32) return undefined
  // As in the dialect, any 32 characters that are a hexadecimal number by Python's rules for integers are accepted.
  const hex = HEX.exec(asciiDigits(stripInteger(bare)))?.[1]
  return hex === undefined ? undefined : hyphenated(hex.replaceAll('_', '').toLowerCase())
}

export const uuidOfInteger = (integer: bigint | undefined): string | undefined =>
  integer === undefined || integer < 0n || integer >= 1n << 128n ? undefined : hyphenated(integer.toString(16))

const hyphenated = (hex: string): string =>
  hex.padStart(32, '0').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
