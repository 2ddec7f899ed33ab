import type { ProviderId, TemplateId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { text, uuid } from '../../postgres/query/columns.ts'
import { scoped, statement } from '../../postgres/query/statement.ts'

const providersUsed = `
  select provider_id from wallets where account_id = $1
   union select provider_id from wallet_numbers where account_id = $1
   union select provider_id from alert_templates where account_id = $1`

/** Providers that everybody shares and this account uses. */
export const sharedProvidersUsed = scoped(
  'shared_providers_used',
  { id: uuid<ProviderId>(), name: text() },
  (scope: Scope) => [scope.accountId],
  (only) => `
  select p.id, p.name from providers p where p.account_id is null and p.id in (${providersUsed})
   order by p.name ${only.everyWallet()} ${only.everyDay()}`,
)

/** Templates that everybody shares: those that read messages of the account now, and those that read a stored one. */
export const sharedTemplatesUsed = scoped(
  'shared_templates_used',
  { id: uuid<TemplateId>(), name: text() },
  (scope: Scope) => [scope.accountId],
  (only) => `
  select t.id, p.name || ' ' || t.name as name
    from alert_templates t join providers p on p.id = t.provider_id
   where t.account_id is null
     and (t.status = 'active' and t.provider_id in (${providersUsed})
          or t.id in (select a.template_id from alerts a where a.account_id = $1))
   order by 2 ${only.everyWallet()} ${only.everyDay()}`,
)

/** Which of these providers and templates are not in this database. Index: their primary keys. */
export const missingShared = statement(
  'missing_shared',
  { id: uuid() },
  (providers: readonly ProviderId[], templates: readonly TemplateId[]) => [providers, templates],
  `
  select w.id from unnest($1::uuid[]) as w (id) where not exists (select from providers p where p.id = w.id)
   union all
  select w.id from unnest($2::uuid[]) as w (id) where not exists (select from alert_templates t where t.id = w.id)`,
)

/** Whether anything here was made with the key of keyed hashes: whatever belongs to an account, or a recovery code of a user. */
export const usesHashKey = statement(
  'uses_hash_key',
  { used: text<'accounts' | 'recovery codes' | ''>() },
  () => [],
  `
  select case when exists (select from accounts) then 'accounts'
              when exists (select from users where recovery <> '{}') then 'recovery codes' else '' end as used`,
)
