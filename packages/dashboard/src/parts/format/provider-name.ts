/** The name of a provider in the reader's language, and the providers as options by country. */
import type { Language } from '../../words/language.ts'

type ProviderNames = { readonly display_name: string; readonly display_name_ar: string }

export const providerName = ({ display_name, display_name_ar }: ProviderNames, language: Language): string =>
  language === 'ar' && display_name_ar !== '' ? display_name_ar : display_name

export const countryName = (code: string, language: Language): string =>
  new Intl.DisplayNames([language], { type: 'region' }).of(code) ?? code

type ListedProvider = ProviderNames & { readonly id: string; readonly country: string }
type Option = { readonly value: string; readonly label: string }
type Group = { readonly group: string; readonly items: Option[] }

/**
 * In the order of the server: the account's own country first. Providers without a country come before all groups; a single
 * country makes no group.
 */
export const providerOptions = (providers: readonly ListedProvider[], language: Language): (Option | Group)[] => {
  const optionOf = (provider: ListedProvider): Option => ({
    value: provider.id,
    label: providerName(provider, language),
  })
  const countries = [...new Set(providers.map(({ country }) => country))].filter((country) => country !== '')
  if (countries.length < 2) return providers.map(optionOf)
  return [
    ...providers.filter(({ country }) => country === '').map(optionOf),
    ...countries.map((country) => ({
      group: countryName(country, language),
      items: providers.filter((provider) => provider.country === country).map(optionOf),
    })),
  ]
}
