/** The fields of a provider that merchants do not get: its Arabic name, its country, and how to pay with it. Pure. */
import type { ProviderSettings } from '../../wallets/providers/account-provider.ts'
import { hasOwnSteps, payStepsOf } from '../../wallets/providers/pay-steps.ts'

type NamedProvider = Pick<ProviderSettings, 'displayName' | 'displayNameArabic' | 'country' | 'paySteps'>

export const providerNames = (provider: NamedProvider) => {
  const { ar, en } = payStepsOf(provider)
  return {
    display_name_ar: provider.displayNameArabic,
    country: provider.country,
    pay_steps: { ar: [...ar], en: [...en] },
    own_pay_steps: hasOwnSteps(provider.paySteps),
  }
}
