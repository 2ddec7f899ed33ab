/** The company of a wallet as its buyers see it: its name and the steps of paying, in the buyer's language, and its app. Pure. */
import { type PaySteps, payStepsOf } from '../../wallets/providers/pay-steps.ts'
import type { Locale } from '../checkout.ts'

export type Company = {
  /** The key of a provider that all accounts share; empty: it is the account's own. */
  readonly key: string
  readonly name: string
  readonly steps: readonly string[]
  /** The link that opens its app, with `{account}` and `{amount}` to be filled in. Empty: none is known. */
  readonly appLink: string
}

/** One company in each language. */
export type LocalizedCompany = Readonly<Record<Locale, Company>>

type Provider = {
  readonly key: string
  readonly displayName: string
  readonly displayNameArabic: string
  readonly paySteps: PaySteps
  readonly appLink: string
}

export const localizedCompany = (provider: Provider): LocalizedCompany => {
  const { key, displayName, displayNameArabic, appLink } = provider
  const steps = payStepsOf(provider)
  return {
    ar: { key, name: displayNameArabic || displayName, steps: steps.ar, appLink },
    en: { key, name: displayName, steps: steps.en, appLink },
  }
}

/** The link that opens the app with the account and the amount filled in. Undefined: the company has no link. */
export const appLinkTo = ({ appLink }: Company, account: string, amount: string): string | undefined =>
  appLink === ''
    ? undefined
    : appLink
        .replaceAll('{account}', () => encodeURIComponent(account))
        .replaceAll('{amount}', () => encodeURIComponent(amount))
