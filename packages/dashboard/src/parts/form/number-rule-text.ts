/** The rule for the account numbers of a provider as its form has it: texts, with the digits that the user typed. Pure. */
import { asciiDigits } from '../format/typed-amount.ts'

export type NumberRuleText = { readonly lengths: string[]; readonly prefixes: string[] }

export const ruleText = (
  provider: { readonly number_lengths: number[]; readonly number_prefixes: string[] } | undefined,
): NumberRuleText => ({
  lengths: (provider?.number_lengths ?? []).map(String),
  prefixes: provider?.number_prefixes ?? [],
})

export const ruleOf = ({ lengths, prefixes }: NumberRuleText) => ({
  number_lengths: lengths.map((length) => Number(asciiDigits(length))),
  number_prefixes: prefixes.map(asciiDigits),
})
