/** A phone number as owners type it, made into what the payment page stores: digits alone, with the country code. Pure. */
import { asciiDigits } from '../../parts/format/typed-amount.ts'

/** A Yemeni mobile number of nine digits gets its country code. Any other text is left to the server, which checks it. */
export const contactNumber = (typed: string): string => {
  const plain = asciiDigits(typed)
    .replace(/[\s\p{Cf}\p{Pd}().]/gu, '')
    .replace(/^(?:\+|00)/, '')
  return /^0?7\d{8}$/.test(plain) ? `967${plain.slice(-9)}` : plain
}
