/**
 * One key for all spellings of an account number. A real wallet is its provider and its account number; users write the
 * number with spaces, dashes, Arabic digits or an international prefix. Pure.
 */
import { asciiDigits } from '../../core/digits.ts'

/** Mobile numbers after the country codes of the providers that Sanad knows: only before these the code is removed. */
const INTERNATIONAL = /^(?:967(?=0?7\d{8}$)|966(?=0?5\d{8}$)|254(?=0?[17]\d{8}$)|880(?=0?1\d{9}$)|20(?=0?1\d{9}$))/

/** Fewer digits are not an account number: `A1` and `B1` are two wallets. */
const leastDigits = 5

/** Undefined: it identifies no wallet and equals no other. */
export const numberKey = (accountNumber: string): string | undefined => {
  const plain = asciiDigits(accountNumber.normalize('NFKC'))
  const digits = plain.replace(/\D/g, '').replace(/^0+/, '')
  if (digits.length >= leastDigits) return digits.replace(INTERNATIONAL, '').replace(/^0+/, '').slice(0, 64)
  const letters = plain.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')
  return letters === '' ? undefined : letters.slice(0, 64)
}
