import type { AccountId, ProviderId } from '../../core/ids.ts'
import { bool, jsonText, text, uuid, whole } from '../../postgres/query/columns.ts'
import { none, type RowOf, statement } from '../../postgres/query/statement.ts'
import type { ProviderStatus } from '../wallets/wallet.ts'
import type { ManagedProvider, ProviderSettings } from './account-provider.ts'

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
  sender_names: jsonText(),
  active_templates: whole(),
  wallets: whole(),
}

// What reads for this account: the operator's templates, and its own.
const active = `
  from alert_templates t
 where t.provider_id = p.id and t.status = 'active' and (t.account_id is null or t.account_id = $1)`

const managed = `
  select p.id, p.account_id is null as shared, p.name, p.display_name, p.theme_color, p.logo_url, p.status, p.version,
         to_json(p.packages) as packages,
         (select coalesce(json_agg(distinct s.name), '[]')
            from (select unnest(t.sender_names) as name ${active}) s) as sender_names,
         (select count(*)::int ${active}) as active_templates,
         (select count(*)::int from wallets w where w.account_id = $1 and w.provider_id = p.id) as wallets
    from providers p
   where (p.account_id is null or p.account_id = $1)`

/** Index: primary key. */
export const findProvider = statement(
  'find_managed_provider',
  columns,
  (accountId: AccountId, id: string) => [accountId, id],
  `${managed} and p.id = $2`,
)

/** The operator's and the account's own, by name, beyond a given one: a hundred of its own at most. */
export const listProviders = statement(
  'list_managed_providers',
  columns,
  (accountId: AccountId, after: readonly [name: string, id: string], limit: number) => [accountId, ...after, limit],
  `${managed} and (p.name collate "C", p.id) > ($2::text collate "C", $3::uuid)
   order by p.name collate "C", p.id
   limit $4`,
)

export const providerOf = (row: RowOf<typeof columns>): ManagedProvider => ({
  id: row.id,
  shared: row.shared,
  name: row.name,
  displayName: row.display_name,
  themeColor: row.theme_color,
  logoUrl: row.logo_url,
  status: row.status,
  version: row.version,
  packages: JSON.parse(row.packages),
  senderNames: JSON.parse(row.sender_names),
  activeTemplates: row.active_templates,
  wallets: row.wallets,
})

export const countProviders = statement(
  'count_own_providers',
  { providers: whole() },
  (accountId: AccountId) => [accountId],
  `select count(*)::int as providers from providers where account_id = $1`,
)

const settings = (provider: ProviderSettings): unknown[] => [
  provider.name,
  provider.displayName,
  provider.themeColor,
  provider.logoUrl,
  provider.status,
  provider.packages,
]

export const insertProvider = statement(
  'insert_own_provider',
  none,
  (accountId: AccountId, id: ProviderId, provider: ProviderSettings) => [accountId, id, ...settings(provider)],
  `
  insert into providers (account_id, id, name, display_name, theme_color, logo_url, status, packages)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

/** Held while it is changed. Index: primary key. */
export const holdProvider = statement(
  'hold_own_provider',
  {
    name: text(),
    display_name: text(),
    theme_color: text(),
    logo_url: text(),
    status: text<ProviderStatus>(),
    packages: jsonText(),
  },
  (accountId: AccountId, id: ProviderId) => [accountId, id],
  `
  select name, display_name, theme_color, logo_url, status, to_json(packages) as packages from providers
   where account_id = $1 and id = $2
     for no key update`,
)

/** The version counts up: answers that show the provider are written anew. */
export const updateProvider = statement(
  'update_own_provider',
  none,
  (accountId: AccountId, id: ProviderId, provider: ProviderSettings) => [accountId, id, ...settings(provider)],
  `
  update providers
     set name = $3, display_name = $4, theme_color = $5, logo_url = $6, status = $7, packages = $8,
         version = version + 1
   where account_id = $1 and id = $2`,
)
