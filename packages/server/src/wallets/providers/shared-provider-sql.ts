import type { ProviderId } from '../../core/ids.ts'
import { nullable, text, uuid } from '../../postgres/query/columns.ts'
import { noColumns, statement } from '../../postgres/query/statement.ts'
import type { ProviderSettings } from './account-provider.ts'
import type { NumberRule } from './number-rule.ts'
import { settingsColumns, settingsFields } from './provider-sql.ts'

/** `appLink`: a link that opens the provider's app on the buyer's phone. Empty: none. */
export type SharedSettings = ProviderSettings & { readonly appLink: string }
type ShippedSettings = Omit<ProviderSettings, 'status' | 'paySteps' | 'numberLengths' | 'numberPrefixes'>

export const providerColumns = {
  id: uuid<ProviderId>(),
  ...settingsColumns,
  app_link: nullable(text()),
}

const fields = `id, ${settingsFields}, app_link`

export const lockSharedProvider = statement(
  'lock_shared_provider',
  providerColumns,
  (id: ProviderId) => [id],
  `select ${fields} from providers where id = $1 and account_id is null for no key update`,
)

/** Returns no row if the name is taken. */
export const insertSharedProvider = statement(
  'insert_shared_provider',
  { id: uuid<ProviderId>() },
  (provider: Omit<SharedSettings, 'status'> & { readonly id: ProviderId }) => [
    provider.id,
    provider.name,
    provider.displayName,
    provider.themeColor,
    provider.logoUrl,
    provider.packages,
    provider.displayNameArabic,
    provider.country,
    provider.paySteps.ar,
    provider.paySteps.en,
    provider.appLink,
    provider.numberLengths,
    provider.numberPrefixes,
  ],
  `
  insert into providers (id, name, display_name, theme_color, logo_url, packages, display_name_ar, country, pay_steps_ar,
                         pay_steps_en, app_link, number_lengths, number_prefixes)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, nullif($11::text, ''), $12, $13)
  on conflict (name) where account_id is null do nothing
  returning id`,
)

/**
 * Adds a provider of the operator. An existing one stays as it is, also its rule for account numbers, which the operator may have
 * changed; it only gets its Arabic name and its country if it has neither.
 */
export const addProvider = statement(
  'add_provider',
  noColumns,
  (provider: ShippedSettings & { readonly id: ProviderId; readonly numberRule: NumberRule }) => [
    provider.id,
    provider.name,
    provider.displayName,
    provider.themeColor,
    provider.logoUrl,
    provider.packages,
    provider.displayNameArabic,
    provider.country,
    provider.numberRule.lengths,
    provider.numberRule.prefixes,
  ],
  `
  insert into providers (id, name, display_name, theme_color, logo_url, packages, display_name_ar, country, number_lengths,
                         number_prefixes)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  on conflict (id) do update set display_name_ar = excluded.display_name_ar, country = excluded.country
   where providers.display_name_ar = '' and providers.country = ''`,
)

export type ProviderChanges = {
  readonly [Name in Exclude<keyof SharedSettings, 'name'>]: SharedSettings[Name] | undefined
}

/**
 * Null leaves a field as it is. Increments the version: a cached wallet of the provider is checked again before an intent
 * is created (create-intents.ts).
 */
export const saveSharedProvider = statement(
  'save_shared_provider',
  providerColumns,
  (id: ProviderId, changes: ProviderChanges) => [
    id,
    changes.displayName ?? null,
    changes.themeColor ?? null,
    changes.logoUrl ?? null,
    changes.status ?? null,
    changes.packages ?? null,
    changes.displayNameArabic ?? null,
    changes.country ?? null,
    changes.paySteps?.ar ?? null,
    changes.paySteps?.en ?? null,
    changes.appLink ?? null,
    changes.numberLengths ?? null,
    changes.numberPrefixes ?? null,
  ],
  `
  update providers
     set display_name = coalesce($2, display_name), theme_color = coalesce($3, theme_color),
         logo_url = coalesce($4, logo_url), status = coalesce($5, status),
         packages = coalesce($6::text[], packages), display_name_ar = coalesce($7, display_name_ar),
         country = coalesce($8, country), pay_steps_ar = coalesce($9::text[], pay_steps_ar),
         pay_steps_en = coalesce($10::text[], pay_steps_en), app_link = nullif(coalesce($11::text, app_link), ''),
         number_lengths = coalesce($12::smallint[], number_lengths), number_prefixes = coalesce($13::text[], number_prefixes),
         version = version + 1
   where id = $1 and account_id is null
  returning ${fields}`,
)
