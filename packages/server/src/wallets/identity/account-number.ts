/**
 * One key for all spellings of an account number. A real wallet is its provider and its account number; users write the
 * number with spaces, dashes, Arabic digits or an international prefix. Pure.
 */
import { asciiDigits } from '../../core/digits.ts'

/** The country codes of the providers that come with Sanad. A code is removed only before a mobile number of its country. */
const INTERNATIONAL = /^(?:967(?=0?7\d{8}$)|966(?=0?5\d{8}$)|254(?=0?[17]\d{8}$)|880(?=0?1\d{9}$)|20(?=0?1\d{9}$))/

/** A number with fewer digits is compared with its letters: `A1` and `B1` are two wallets. */
const leastDigits = 5

/** Undefined: the text has no digit and no letter, so it identifies no wallet. */
export const numberKey = (accountNumber: string): string | undefined => {
  const plain = asciiDigits(accountNumber.normalize('NFKC'))
  const digits = plain.replace(/\D/g, '').replace(/^0+/, '')
  if (digits.length >= leastDigits) return digits.replace(INTERNATIONAL, '').replace(/^0+/, '').slice(0, 64)
  const letters = plain.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')
  return letters === '' ? undefined : letters.slice(0, 64)
}
