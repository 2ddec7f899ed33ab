/**
 * The one-time code that pairs a phone: ten characters of Crockford base32, read from one screen and typed into another.
 * Here is how it is made, how it is read as people type it, and how long and how often it may be tried. Pure.
 *
 * A code names no phone, so a wrong one would count against nobody. Its first four characters are therefore its shelf:
 * whoever types a wrong code on the right shelf has used up a try of the code that lies there. What is left to guess is
 * 30 bits, five times.
 */
import { asciiDigits } from '../../core/digits.ts'
import { paymentCode } from '../../core/ids.ts'

declare const brand: unique symbol
export type PairingCode = string & { readonly [brand]: 'pairing code' }

export const pairingLife_ms = 10 * 60_000
export const mostTries = 5

/** Of the same alphabet and length as the code of an intent. */
export const newPairingCode = (): PairingCode => paymentCode() as PairingCode

/** In two halves, as a person reads it. */
export const shownCode = (code: PairingCode): string => `${code.slice(0, 5)}-${code.slice(5)}`

export const shelfOf = (code: PairingCode): string => code.slice(0, 4)

const BETWEEN = /[\s\p{Cf}\p{Pd}_.]/gu
const CODE = /^[0-9A-HJKMNP-TV-Z]{10}$/

/** In either case, with spaces or hyphens, digits of any script; O is 0, I and L are 1. Undefined: this is no code. */
export const readPairingCode = (typed: string): PairingCode | undefined => {
  const read = asciiDigits(typed.slice(0, 100))
    .replace(BETWEEN, '')
    .toUpperCase()
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  return CODE.test(read) ? (read as PairingCode) : undefined
}
