/**
 * The key under which two spellings of one account number meet. A real wallet is its provider and its account number;
 * people write the number with spaces, dashes, Arabic digits or an international prefix. Pure.
 */
import { asciiDigits } from '../../core/digits.ts'

/** Mobile numbers behind the country codes of the providers that Sanad knows: the code is put aside only before these. */
const INTERNATIONAL = /^(?:967(?=0?7\d{8}$)|966(?=0?5\d{8}$)|254(?=0?[17]\d{8}$)|880(?=0?1\d{9}$)|20(?=0?1\d{9}$))/

/** Fewer digits than this are no account number by themselves: `A1` and `B1` are two wallets. */
const leastDigits = 5

/** Undefined: nothing in it names a wallet, so it is like no other. */
export const numberKey = (accountNumber: string): string | undefined => {
  const plain = asciiDigits(accountNumber.normalize('NFKC'))
  const digits = plain.replace(/\D/g, '').replace(/^0+/, '')
  if (digits.length >= leastDigits) return digits.replace(INTERNATIONAL, '').replace(/^0+/, '').slice(0, 64)
  const letters = plain.toUpperCase().replace(/[^\p{L}\p{N}]/gu, '')
  return letters === '' ? undefined : letters.slice(0, 64)
}
