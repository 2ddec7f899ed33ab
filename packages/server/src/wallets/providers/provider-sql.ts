import type { ProviderId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { bool, jsonText, text, whole } from '../../postgres/query/columns.ts'
import { noColumns, type RowOf, scoped } from '../../postgres/query/statement.ts'
import type { ProviderStatus } from '../wallet.ts'
import type { ProviderSettings } from './account-provider.ts'

export const countOwnProviders = scoped(
  'count_own_providers',
  { providers: whole() },
  (scope: Scope) => [scope.accountId],
  `select count(*)::int as providers from providers where account_id = $1`,
)

export const settingsColumns = {
  name: text(),
  display_name: text(),
  theme_color: text(),
  logo_url: text(),
  status: text<ProviderStatus>(),
  packages: jsonText(),
  display_name_ar: text(),
  country: text(),
  pay_steps_ar: jsonText(),
  pay_steps_en: jsonText(),
  number_lengths: jsonText(),
  number_prefixes: jsonText(),
}

/** The columns above as a select list, in the same order. */
export const settingsFields = `name, display_name, theme_color, logo_url, status, to_json(packages) as packages, display_name_ar, country,
         to_json(pay_steps_ar) as pay_steps_ar, to_json(pay_steps_en) as pay_steps_en,
         to_json(number_lengths) as number_lengths, to_json(number_prefixes) as number_prefixes`

const listOf = (json: string): string[] => JSON.parse(json) as string[]

export const settingsOf = (row: RowOf<typeof settingsColumns>): ProviderSettings => ({
  name: row.name,
  displayName: row.display_name,
  displayNameArabic: row.display_name_ar,
  country: row.country,
  themeColor: row.theme_color,
  logoUrl: row.logo_url,
  status: row.status,
  packages: listOf(row.packages),
  paySteps: { ar: listOf(row.pay_steps_ar), en: listOf(row.pay_steps_en) },
  numberLengths: JSON.parse(row.number_lengths) as number[],
  numberPrefixes: listOf(row.number_prefixes),
})

const settingsParameters = (provider: ProviderSettings): unknown[] => [
  provider.name,
  provider.displayName,
  provider.themeColor,
  provider.logoUrl,
  provider.status,
  provider.packages,
  provider.displayNameArabic,
  provider.country,
  provider.paySteps.ar,
  provider.paySteps.en,
  provider.numberLengths,
  provider.numberPrefixes,
]

export const insertOwnProvider = scoped(
  'insert_own_provider',
  noColumns,
  (scope: Scope, id: ProviderId, provider: ProviderSettings) => [scope.accountId, id, ...settingsParameters(provider)],
  `
  insert into providers (account_id, id, name, display_name, theme_color, logo_url, status, packages, display_name_ar,
                         country, pay_steps_ar, pay_steps_en, number_lengths, number_prefixes)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
)

/** The account's own provider, locked until the transaction ends. Index: primary key. */
export const lockOwnProvider = scoped(
  'lock_own_provider',
  settingsColumns,
  (scope: Scope, id: ProviderId) => [scope.accountId, id],
  `
  select ${settingsFields}
    from providers
   where account_id = $1 and id = $2
     for no key update`,
)

/** The apps of a provider that the account may use. Until the transaction ends they are not changed: an owner confirms what they
 *  are. Index: primary key. */
export const shareProvider = scoped(
  'share_provider',
  { packages: jsonText(), shared: bool() },
  (scope: Scope, id: ProviderId) => [scope.accountId, id],
  `
  select to_json(packages) as packages, account_id is null as shared
    from providers
   where id = $2 and (account_id is null or account_id = $1)
     for share`,
)

/** Increments the version: answers that show the provider are built again. */
export const updateOwnProvider = scoped(
  'update_own_provider',
  noColumns,
  (scope: Scope, id: ProviderId, provider: ProviderSettings) => [scope.accountId, id, ...settingsParameters(provider)],
  `
  update providers
     set name = $3, display_name = $4, theme_color = $5, logo_url = $6, status = $7, packages = $8,
         display_name_ar = $9, country = $10, pay_steps_ar = $11, pay_steps_en = $12, number_lengths = $13,
         number_prefixes = $14, version = version + 1
   where account_id = $1 and id = $2`,
)

/** Whether the account has an open wallet of the provider. Index: wallets_of_provider. */
export const hasOpenWallets = scoped(
  'has_open_wallets',
  { wallets: bool() },
  (scope: Scope, providerId: ProviderId) => [scope.accountId, providerId],
  `select exists (select from wallets where account_id = $1 and provider_id = $2 and active) as wallets`,
)
