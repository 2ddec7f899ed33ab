/** The settings of a provider of an account's own, as the bodies that add and change it have them. */
import type { NewProvider, ProviderChanges } from '@sanad/contract/dashboard/wallets/providers'
import type { ProviderSettings } from '../../../wallets/providers/account-provider.ts'
import type { ProviderChanges as AccountProviderChanges } from '../../../wallets/providers/account-providers.ts'
import type { ReadBody } from '../schema-reader.ts'

type CommonFields<Color, Url, Packages, Text, Country, Steps, Lengths, Prefixes> = {
  readonly theme_color: Color
  readonly logo_url: Url
  readonly packages: Packages
  readonly display_name_ar: Text
  readonly country: Country
  readonly pay_steps: Steps
  readonly number_lengths: Lengths
  readonly number_prefixes: Prefixes
}

/** The settings that all bodies of providers have, own or shared. Undefined: the change leaves the setting out. */
export const commonSettings = <Color, Url, Packages, Text, Country, Steps, Lengths, Prefixes>(
  body: CommonFields<Color, Url, Packages, Text, Country, Steps, Lengths, Prefixes>,
) => ({
  themeColor: body.theme_color,
  logoUrl: body.logo_url,
  packages: body.packages,
  displayNameArabic: body.display_name_ar,
  country: body.country,
  paySteps: body.pay_steps,
  numberLengths: body.number_lengths,
  numberPrefixes: body.number_prefixes,
})

export const newProvider = (body: ReadBody<typeof NewProvider>): ProviderSettings => ({
  ...commonSettings(body),
  name: body.name,
  displayName: body.display_name || body.name,
  status: body.provider_status,
})

export const providerChanges = (body: ReadBody<typeof ProviderChanges>): AccountProviderChanges => ({
  ...commonSettings(body),
  name: body.name,
  displayName: body.display_name,
  status: body.provider_status,
})
