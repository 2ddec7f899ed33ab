/** The fields of a provider that merchants do not get: its Arabic name, its country, how to pay with it, and its rule for account
 *  numbers. Pure. */
import type { ProviderSettings } from '../../wallets/providers/account-provider.ts'
import { hasOwnSteps, payStepsOf } from '../../wallets/providers/pay-steps.ts'

type NamedProvider = Pick<
  ProviderSettings,
  'displayName' | 'displayNameArabic' | 'country' | 'paySteps' | 'numberLengths' | 'numberPrefixes'
>

export const providerNames = (provider: NamedProvider) => {
  const { ar, en } = payStepsOf(provider)
  return {
    display_name_ar: provider.displayNameArabic,
    country: provider.country,
    pay_steps: { ar: [...ar], en: [...en] },
    own_pay_steps: hasOwnSteps(provider.paySteps),
    number_lengths: [...provider.numberLengths],
    number_prefixes: [...provider.numberPrefixes],
  }
}
