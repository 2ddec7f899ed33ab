/**
 * The code that pairs a phone, once: ten characters of Crockford base32, read from one screen and typed into another. This
 * file creates a code, parses it as users type it, and sets how long and how often it may be tried. Pure.
 *
 * A code does not contain the phone's id, so a wrong code could not be counted for any phone. Therefore its first four
 * characters are its prefix: a wrong code uses up one try of every open code with the same prefix. An attacker who knows a
 * prefix has five tries to guess the other 30 bits.
 */
import { asciiDigits } from '../../core/digits.ts'
import { minute_ms } from '../../core/duration.ts'
import { paymentCode } from '../../core/ids.ts'

declare const brand: unique symbol
export type PairingCode = string & { readonly [brand]: 'pairing code' }

export const pairingLife_ms = 10 * minute_ms
export const mostTries = 5

/** The same alphabet and length as the code of an intent. */
export const newPairingCode = (): PairingCode => paymentCode() as PairingCode

/** The code with a hyphen in the middle, which is easier to read. */
export const shownCode = (code: PairingCode): string => `${code.slice(0, 5)}-${code.slice(5)}`

export const prefixOf = (code: PairingCode): string => code.slice(0, 4)

const SEPARATORS = /[\s\p{Cf}\p{Pd}_.]/gu
const CODE = /^[0-9A-HJKMNP-TV-Z]{10}$/

/** Upper or lower case, with spaces or hyphens, digits of any script; O is 0, I and L are 1. Undefined: not a code. */
export const readPairingCode = (typed: string): PairingCode | undefined => {
  const code = asciiDigits(typed.slice(0, 100))
    .replace(SEPARATORS, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  return CODE.test(code) ? (code as PairingCode) : undefined
}
