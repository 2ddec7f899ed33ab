import type { ProviderId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { bool, jsonText, text, uuid, whole } from '../../postgres/query/columns.ts'
import { type RowOf, scoped, statement } from '../../postgres/query/statement.ts'
import type { AccountProvider } from '../../wallets/providers/account-provider.ts'
import { providerColumns } from '../../wallets/providers/shared-provider-sql.ts'
import type { ProviderStatus } from '../../wallets/wallet.ts'

const columns = {
  id: uuid<ProviderId>(),
  shared: bool(),
  name: text(),
  display_name: text(),
  theme_color: text(),
  logo_url: text(),
  status: text<ProviderStatus>(),
  version: whole(),
  packages: jsonText(),
  display_name_ar: text(),
  country: text(),
  pay_steps_ar: jsonText(),
  pay_steps_en: jsonText(),
  number_lengths: jsonText(),
  number_prefixes: jsonText(),
  place: text(),
  sender_names: jsonText(),
  active_templates: whole(),
  wallets: whole(),
}

// The templates that read alerts of this account: the operator's and its own.
const active = `
  from alert_templates t
 where t.provider_id = p.id and t.status = 'active' and (t.account_id is null or t.account_id = $1)`

// The sort key: providers of the account's own country, or of none, come first; then country by country; in each by name.
const place = `(case when p.country in ('', (select a.country from accounts a where a.id = $1)) then '' else p.country end)
         || '/' || p.name`

const select = `
  select p.id, p.account_id is null as shared, p.name, p.display_name, p.theme_color, p.logo_url, p.status, p.version,
         to_json(p.packages) as packages, p.display_name_ar, p.country,
         to_json(p.pay_steps_ar) as pay_steps_ar, to_json(p.pay_steps_en) as pay_steps_en,
         to_json(p.number_lengths) as number_lengths, to_json(p.number_prefixes) as number_prefixes, ${place} as place,
         (select coalesce(json_agg(distinct s.name), '[]')
            from (select unnest(t.sender_names) as name ${active}) s) as sender_names,
         (select count(*)::int ${active}) as active_templates,
         (select count(*)::int from wallets w where w.account_id = $1 and w.provider_id = p.id) as wallets
    from providers p
   where (p.account_id is null or p.account_id = $1)`

/** Index: primary key. */
export const findProvider = scoped(
  'find_provider',
  columns,
  (scope: Scope, id: string) => [scope.accountId, id],
  `${select} and p.id = $2`,
)

/** The operator's providers and the account's own (at most a hundred), by country and name, after a given one. */
export const listProviders = scoped(
  'list_providers',
  columns,
  (scope: Scope, after: readonly [place: string, id: string], limit: number) => [scope.accountId, ...after, limit],
  `${select} and (${place} collate "C", p.id) > ($2::text collate "C", $3::uuid)
   order by ${place} collate "C", p.id
   limit $4`,
)

export const providerOf = (row: RowOf<typeof columns>): AccountProvider => ({
  id: row.id,
  shared: row.shared,
  name: row.name,
  displayName: row.display_name,
  themeColor: row.theme_color,
  logoUrl: row.logo_url,
  status: row.status,
  version: row.version,
  packages: JSON.parse(row.packages),
  displayNameArabic: row.display_name_ar,
  country: row.country,
  paySteps: { ar: JSON.parse(row.pay_steps_ar), en: JSON.parse(row.pay_steps_en) },
  numberLengths: JSON.parse(row.number_lengths),
  numberPrefixes: JSON.parse(row.number_prefixes),
  place: row.place,
  senderNames: JSON.parse(row.sender_names),
  activeTemplates: row.active_templates,
  wallets: row.wallets,
})

/**
 * The shared providers by country and name, with their numbers of wallets and templates; at most 500. Indexes:
 * providers_shared_name, wallets_of_provider, alert_templates_active.
 */
export const sharedProviders = statement(
  'shared_providers',
  { ...providerColumns, wallets: whole(), active_templates: whole() },
  (only: string | null) => [only],
  `
  select p.id, p.name, p.display_name, p.theme_color, p.logo_url, p.status, to_json(p.packages) as packages,
         p.display_name_ar, p.country, to_json(p.pay_steps_ar) as pay_steps_ar, to_json(p.pay_steps_en) as pay_steps_en,
         to_json(p.number_lengths) as number_lengths, to_json(p.number_prefixes) as number_prefixes, p.app_link,
         (select count(*)::int from (select from wallets w where w.provider_id = p.id limit 1000) as w) as wallets,
         (select count(*)::int from alert_templates t where t.provider_id = p.id and t.status = 'active')
           as active_templates
    from providers p
   where p.account_id is null and ($1::uuid is null or p.id = $1)
   order by p.country, p.name
   limit 500`,
)
