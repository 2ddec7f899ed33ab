/**
 * The rule for account numbers of a provider: how many digits they have, and how they begin. A mobile number with a digit missing,
 * or of a network that does not exist, is refused before buyers send money to it. Pure.
 */
import { asciiDigits } from '../../core/digits.ts'
import { numberKey } from '../identity/account-number.ts'

export type NumberRule = {
  /** The numbers of digits that are allowed, without the international prefix. Empty: any. */
  readonly lengths: readonly number[]
  /** The digits that a number may begin with. Empty: any. */
  readonly prefixes: readonly string[]
}

export const noNumberRule: NumberRule = { lengths: [], prefixes: [] }

/** A mobile number in Yemen. */
export const yemeniMobile: NumberRule = { lengths: [9], prefixes: ['70', '71', '73', '77', '78'] }

/** What people write between the digits of a number. */
const separators = /[\s\p{Cf}\p{Pd}+().]/gu

/** Whether a number keeps the rule, as it is written or without its international prefix and leading zeros. */
export const keepsNumberRule = (accountNumber: string, { lengths, prefixes }: NumberRule): boolean => {
  if (lengths.length === 0 && prefixes.length === 0) return true
  const written = asciiDigits(accountNumber.normalize('NFKC')).replace(separators, '')
  if (!/^\d+$/.test(written)) return false
  return [written, numberKey(accountNumber) ?? ''].some(
    (digits) =>
      (lengths.length === 0 || lengths.includes(digits.length)) &&
      (prefixes.length === 0 || prefixes.some((prefix) => digits.startsWith(prefix))),
  )
}

const anything = '—'

/** The rule as facts of a refusal or a note: `lengths` and `prefixes`, each a list with commas, or `—`: any. */
export const numberRuleFacts = ({ lengths, prefixes }: NumberRule): Record<string, string> => ({
  lengths: lengths.join(', ') || anything,
  prefixes: prefixes.join(', ') || anything,
})

/** The facts as a sentence: "An account number of Jawali has 9 digits and begins with 70, 71, 73, 77 or 78." */
export const numberRuleText = ({ provider, lengths, prefixes }: Readonly<Record<string, string>>): string => {
  const either = (list = ''): string => list.replace(/, (?=[^,]*$)/, ' or ')
  const parts = [
    ...(lengths === anything ? [] : [`has ${either(lengths)} digits`]),
    ...(prefixes === anything ? [] : [`begins with ${either(prefixes)}`]),
  ]
  return `An account number of ${provider} ${parts.join(' and ')}.`
}
