/** The bodies of adding and changing a provider of an account's own. */
import { NewProvider, ProviderChanges } from '@sanad/contract/dashboard/wallets/providers'
import type { ProviderSettings } from '../../../wallets/providers/account-provider.ts'
import type { ProviderChanges as AccountProviderChanges } from '../../../wallets/providers/account-providers.ts'
import { type BodyReader, bodyReader, mapBody } from '../schema-reader.ts'

export const readNewProvider: BodyReader<ProviderSettings> = mapBody(bodyReader(NewProvider), (body) => ({
  name: body.name,
  displayName: body.display_name || body.name,
  themeColor: body.theme_color,
  logoUrl: body.logo_url,
  status: body.provider_status,
  packages: body.packages,
  displayNameArabic: body.display_name_ar,
  country: body.country,
  paySteps: body.pay_steps,
}))

export const readProviderChanges: BodyReader<AccountProviderChanges> = mapBody(bodyReader(ProviderChanges), (body) => ({
  name: body.name,
  displayName: body.display_name,
  themeColor: body.theme_color,
  logoUrl: body.logo_url,
  status: body.provider_status,
  packages: body.packages,
  displayNameArabic: body.display_name_ar,
  country: body.country,
  paySteps: body.pay_steps,
}))
