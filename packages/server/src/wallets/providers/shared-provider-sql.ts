import type { ProviderId } from '../../core/ids.ts'
import { jsonText, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'
import type { ProviderStatus } from '../wallets/wallet.ts'
import type { PaySteps } from './pay-steps.ts'

export const providerColumns = {
  id: uuid<ProviderId>(),
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
  app_link: nullable(text()),
}

const columns = `id, name, display_name, theme_color, logo_url, status, to_json(packages) as packages, display_name_ar, country,
         to_json(pay_steps_ar) as pay_steps_ar, to_json(pay_steps_en) as pay_steps_en, app_link`

export const lockSharedProvider = statement(
  'hold_shared_provider',
  providerColumns,
  (id: ProviderId) => [id],
  `select ${columns} from providers where id = $1 and account_id is null for no key update`,
)

/** Returns nothing if the name is taken. */
export const insertSharedProvider = statement(
  'insert_shared_provider',
  { id: uuid<ProviderId>() },
  (made: {
    id: ProviderId
    name: string
    displayName: string
    themeColor: string
    logoUrl: string
    packages: readonly string[]
    displayNameArabic: string
    country: string
    paySteps: PaySteps
    appLink: string
  }) => [
    made.id,
    made.name,
    made.displayName,
    made.themeColor,
    made.logoUrl,
    made.packages,
    made.displayNameArabic,
    made.country,
    made.paySteps.ar,
    made.paySteps.en,
    made.appLink,
  ],
  `
  insert into providers (id, name, display_name, theme_color, logo_url, packages, display_name_ar, country, pay_steps_ar,
                         pay_steps_en, app_link)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, nullif($11::text, ''))
  on conflict (name) where account_id is null do nothing
  returning id`,
)

export type ProviderChanges = {
  readonly displayName: string | undefined
  readonly themeColor: string | undefined
  readonly logoUrl: string | undefined
  readonly status: ProviderStatus | undefined
  readonly packages: readonly string[] | undefined
  readonly displayNameArabic: string | undefined
  readonly country: string | undefined
  readonly paySteps: PaySteps | undefined
  /** Empty: none. */
  readonly appLink: string | undefined
}

/**
 * Null leaves a field as it is. Increments the version: intents are created against a version of the wallet
 * (create-intents.ts).
 */
export const saveSharedProvider = statement(
  'save_shared_provider',
  providerColumns,
  (id: ProviderId, changed: ProviderChanges) => [
    id,
    changed.displayName ?? null,
    changed.themeColor ?? null,
    changed.logoUrl ?? null,
    changed.status ?? null,
    changed.packages ?? null,
    changed.displayNameArabic ?? null,
    changed.country ?? null,
    changed.paySteps?.ar ?? null,
    changed.paySteps?.en ?? null,
    changed.appLink ?? null,
  ],
  `
  update providers
     set display_name = coalesce($2, display_name), theme_color = coalesce($3, theme_color),
         logo_url = coalesce($4, logo_url), status = coalesce($5, status),
         packages = coalesce($6::text[], packages), display_name_ar = coalesce($7, display_name_ar),
         country = coalesce($8, country), pay_steps_ar = coalesce($9::text[], pay_steps_ar),
         pay_steps_en = coalesce($10::text[], pay_steps_en), app_link = nullif(coalesce($11::text, app_link), ''),
         version = version + 1
   where id = $1 and account_id is null
  returning ${columns}`,
)
