/** The company of a wallet as its buyers see it: the name and the steps of paying, in the buyer's language. Pure. */
import { type PaySteps, payStepsOf } from '../../wallets/providers/pay-steps.ts'
import type { Locale } from '../checkout.ts'

export type Company = { readonly name: string; readonly steps: readonly string[] }

export const companyIn = (
  locale: Locale,
  provider: { readonly displayName: string; readonly displayNameArabic: string; readonly paySteps: PaySteps },
): Company => {
  const { displayName, displayNameArabic } = provider
  const name = locale === 'ar' ? displayNameArabic || displayName : displayName
  return { name, steps: payStepsOf(provider)[locale] }
}
