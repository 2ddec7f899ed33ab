/**
 * The one-time code that pairs a phone: ten characters of Crockford base32, read from one screen and typed into
 * another. Creates it, parses it as users type it, and says how long and how often it may be tried. Pure.
 *
 * A code names no phone, so a wrong one could not be counted against any. Therefore its first four characters are its
 * prefix: a wrong code with the right prefix uses up one try of the codes with that prefix. What is left to guess is 30
 * bits, five times.
 */
import { asciiDigits } from '../../../core/digits.ts'
import { paymentCode } from '../../../core/ids.ts'

declare const brand: unique symbol
export type PairingCode = string & { readonly [brand]: 'pairing code' }

export const pairingLife_ms = 10 * 60_000
export const mostTries = 5

/** The same alphabet and length as the code of an intent. */
export const newPairingCode = (): PairingCode => paymentCode() as PairingCode

/** In two halves, easier to read. */
export const shownCode = (code: PairingCode): string => `${code.slice(0, 5)}-${code.slice(5)}`

export const prefixOf = (code: PairingCode): string => code.slice(0, 4)

const BETWEEN = /[\s\p{Cf}\p{Pd}_.]/gu
const CODE = /^[0-9A-HJKMNP-TV-Z]{10}$/

/** Upper or lower case, with spaces or hyphens, digits of any script; O is 0, I and L are 1. Undefined: not a code. */
export const readPairingCode = (typed: string): PairingCode | undefined => {
  const read = asciiDigits(typed.slice(0, 100))
    .replace(BETWEEN, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  return CODE.test(read) ? (read as PairingCode) : undefined
}
