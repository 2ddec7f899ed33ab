import type { Instant } from '../../core/clock.ts'
import type { AccountId, ProviderId, TemplateId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, instant, jsonText, nullable, orNull, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'
import { isNotFrozen } from '../../postgres/tenancy/freeze-sql.ts'
import { isNotMoved } from '../../postgres/tenancy/move-sql.ts'

export const templateColumns = {
  id: uuid<TemplateId>(),
  provider_id: uuid<ProviderId>(),
  account_id: nullable(uuid<AccountId>()),
  lineage: uuid(),
  version: whole(),
  name: text(),
  sender_names: jsonText(),
  direction: text<'credit' | 'debit'>(),
  currency: text(),
  sentence: text(),
  status: text<'draft' | 'active' | 'retired'>(),
  samples: jsonText(),
  counter_samples: jsonText(),
  created_at: instant(),
}

export const templateRow = `
  id, provider_id, account_id, lineage, version, name, to_json(sender_names) as sender_names, direction, currency,
  sentence, status, samples, counter_samples, created_at`

/** The active templates of a provider: the operator's and the account's own, at most 200. Without an account: only the
 *  operator's. Index: alert_templates_active. */
export const activeTemplates = statement(
  'active_templates',
  templateColumns,
  (providerId: ProviderId, accountId: AccountId | null) => [providerId, accountId],
  `
  select ${templateRow} from alert_templates
   where provider_id = $1 and status = 'active' and (account_id is null or account_id = $2)
   order by lineage, version
   limit 200`,
)

/** The active templates of a sender, of all providers: the operator's and the account's own, at most 200. Templates are few. */
export const templatesOfSender = scoped(
  'templates_of_sender',
  templateColumns,
  (scope: Scope, sender: string) => [scope.accountId, sender],
  `
  select ${templateRow} from alert_templates
   where status = 'active' and (account_id is null or account_id = $1) and $2 = any(sender_names)
   order by lineage, version
   limit 200`,
)

/** The senders of the active templates of a provider: the operator's and the account's own. `by_operator`: a template of the
 *  operator names it. Index: alert_templates_active. */
export const sendersOfTemplates = scoped(
  'senders_of_templates',
  { sender: text(), by_operator: bool() },
  (scope: Scope, providerId: ProviderId) => [providerId, scope.accountId],
  `
  select s.name as sender, bool_or(t.account_id is null) as by_operator
    from alert_templates t
   cross join lateral unnest(t.sender_names) as s (name)
   where t.provider_id = $1 and t.status = 'active' and (t.account_id is null or t.account_id = $2)
   group by s.name`,
)

/** The template, locked until the transaction ends. Index: primary key. */
export const findTemplate = statement(
  'find_template',
  templateColumns,
  (id: string) => [id],
  `select ${templateRow} from alert_templates where id = $1 for update`,
)

export type NewTemplate = {
  readonly id: TemplateId
  readonly providerId: ProviderId
  readonly accountId: AccountId | null
  readonly lineage: string
  readonly version: number
  readonly name: string
  readonly senderNames: readonly string[]
  readonly direction: 'credit' | 'debit'
  readonly currency: string
  readonly sentence: string
  readonly status: 'draft' | 'active'
  readonly samples: string
  readonly counterSamples: string
  readonly now: Instant
}

export const insertTemplate = statement(
  'insert_template',
  noColumns,
  (template: NewTemplate) => [
    template.id,
    template.providerId,
    template.accountId,
    template.lineage,
    template.version,
    template.name,
    template.senderNames,
    template.direction,
    template.currency,
    template.sentence,
    template.status,
    template.samples,
    template.counterSamples,
    at(template.now),
  ],
  `
  insert into alert_templates (id, provider_id, account_id, lineage, version, name, sender_names, direction, currency,
                               sentence, status, samples, counter_samples, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
)

/** Retires the active version of a template, before the next is activated: a unique index allows only one active version. */
export const retireActive = statement(
  'retire_active',
  { id: uuid<TemplateId>() },
  (lineage: string) => [lineage],
  `update alert_templates set status = 'retired' where lineage = $1 and status = 'active' returning id`,
)

export const activateTemplate = statement(
  'activate_template',
  { id: uuid<TemplateId>() },
  (id: TemplateId) => [id],
  `update alert_templates set status = 'active' where id = $1 and status = 'draft' returning id`,
)

/** Active accounts with a wallet of this provider: their unread alerts may be read now. `only`: the account that owns the
 *  template, if it is not shared. */
export const accountsOfProvider = statement(
  'accounts_of_provider',
  { account_id: uuid<AccountId>() },
  (providerId: ProviderId, only: AccountId | null) => [providerId, only],
  `
  select distinct w.account_id
    from wallets w
    join accounts a on a.id = w.account_id and a.status = 'ACTIVE'
   where w.provider_id = $1 and ($2::uuid is null or w.account_id = $2) and ${isNotMoved('w.account_id')}
   order by w.account_id`,
)

/** Every version of the provider's templates, at most 1,000. */
export const knownTemplates = statement(
  'known_templates',
  { id: uuid<TemplateId>() },
  (providerId: ProviderId) => [providerId],
  `select id from alert_templates where provider_id = $1 order by id limit 1000`,
)

/** A lock, so that one node at a time writes the shipped templates. No other lock uses the number. */
export const lockShipping = statement(
  'lock_shipping',
  { locked: whole() },
  () => [],
  `select count(pg_advisory_xact_lock(72622313)) as locked`,
)

/**
 * An active template for which earlier alerts must be reread: for the first time, or for the second time if the first was
 * before `since`. Index: alert_templates_unread.
 */
export const templateToReread = statement(
  'template_to_reread',
  {
    id: uuid<TemplateId>(),
    provider_id: uuid<ProviderId>(),
    account_id: nullable(uuid<AccountId>()),
    sender_names: jsonText(),
    reread_at: nullable(instant()),
  },
  (since: Instant) => [at(since)],
  `
  select id, provider_id, account_id, to_json(sender_names) as sender_names, reread_at
    from alert_templates
   where status = 'active' and not reread and (reread_at is null or reread_at <= $1)
     and (account_id is null or ${isNotFrozen('account_id')})
   order by created_at
   limit 1`,
)

/** After the first reread the template waits for the second; after that it is done. If two nodes do it at once, one marks it. */
export const markReread = statement(
  'mark_reread',
  noColumns,
  (id: TemplateId, before: Instant | null, now: Instant) => [id, orNull(before), at(now)],
  `
  update alert_templates
     set reread = reread_at is not null, reread_at = $3
   where id = $1 and reread_at is not distinct from $2`,
)
