import type { AlertId, ProviderId, TemplateId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { instant, minor, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped } from '../../postgres/query/statement.ts'
import type { AlertState } from '../alert.ts'
import { type NewTemplate, templateColumns, templateRow } from './template-sql.ts'

/** A template that the account may see: the operator's, or its own. Index: primary key. */
export const visibleTemplate = scoped(
  'visible_template',
  templateColumns,
  (scope: Scope, id: string) => [scope.accountId, id],
  `select ${templateRow} from alert_templates where id = $2 and (account_id is null or account_id = $1)`,
)

export type TemplateCursor = readonly [name: string, lineage: string, version: number]

/** A page of the templates that the account may see, by name, the newest version of each first. A null filter filters nothing.
 *  There are a few hundred templates at most. Index: alert_templates_of_provider if a provider is given. */
export const listVisibleTemplates = scoped(
  'list_visible_templates',
  templateColumns,
  (
    scope: Scope,
    filter: { readonly providerId: ProviderId | null; readonly status: string | null },
    after: TemplateCursor | undefined,
    limit: number,
  ) => [
    scope.accountId,
    filter.providerId,
    filter.status,
    after?.[0] ?? null,
    after?.[1] ?? null,
    after?.[2] ?? null,
    limit,
  ],
  `
  select ${templateRow} from alert_templates
   where (account_id is null or account_id = $1)
     and ($2::uuid is null or provider_id = $2)
     and ($3::text is null or status = $3)
     and ($4::text is null
          or (name collate "C", lineage, -version) > ($4::text collate "C", $5::uuid, -($6::int)))
   order by name collate "C", lineage, version desc
   limit $7`,
)

/** Locks the templates of an account for the transaction: each change is checked against the other templates. */
export const lockTemplates = scoped(
  'lock_templates',
  { locked: whole() },
  (scope: Scope) => [`templates ${scope.accountId}`],
  `select count(pg_advisory_xact_lock(hashtextextended($1, 72622313)))::int as locked`,
)

/** How many drafts and active templates of its own the account has. */
export const countTemplates = scoped(
  'count_templates',
  { templates: whole() },
  (scope: Scope) => [scope.accountId],
  `select count(*)::int as templates from alert_templates where account_id = $1 and status <> 'retired'`,
)

/** The newest version of a template of the account, and its draft if there is one. Index: alert_templates_version. */
export const newestVersion = scoped(
  'newest_version',
  { version: whole(), draft: nullable(uuid<TemplateId>()) },
  (scope: Scope, lineage: string) => [scope.accountId, lineage],
  `
  select coalesce(max(version), 0) as version,
         (array_agg(id) filter (where status = 'draft'))[1] as draft
    from alert_templates
   where account_id = $1 and lineage = $2`,
)

export type DraftContent = Pick<
  NewTemplate,
  'name' | 'senderNames' | 'direction' | 'currency' | 'sentence' | 'samples' | 'counterSamples'
>

export const updateDraft = scoped(
  'update_draft',
  { id: uuid<TemplateId>() },
  (scope: Scope, id: TemplateId, draft: DraftContent) => [
    scope.accountId,
    id,
    draft.name,
    draft.senderNames,
    draft.direction,
    draft.currency,
    draft.sentence,
    draft.samples,
    draft.counterSamples,
  ],
  `
  update alert_templates
     set name = $3, sender_names = $4, direction = $5, currency = $6, sentence = $7, samples = $8, counter_samples = $9
   where account_id = $1 and id = $2 and status = 'draft'
  returning id`,
)

/** Deletes a draft. No row refers to it, because a draft never reads alerts. */
export const deleteDraftRow = scoped(
  'delete_draft_row',
  noColumns,
  (scope: Scope, id: TemplateId) => [scope.accountId, id],
  `delete from alert_templates where account_id = $1 and id = $2 and status = 'draft'`,
)

export const retireOwnTemplate = scoped(
  'retire_own_template',
  { id: uuid<TemplateId>() },
  (scope: Scope, id: TemplateId) => [scope.accountId, id],
  `update alert_templates set status = 'retired' where account_id = $1 and id = $2 and status = 'active' returning id`,
)

/** The account's recent alerts of these senders, newest first: the last unread ones, and those among its last 5,000 alerts.
 *  Hidden alerts are left out. Index: alerts_unread, primary key. */
export const alertsToPreview = scoped(
  'alerts_to_preview',
  {
    id: uuid<AlertId>(),
    received_at: instant(),
    sender: text(),
    raw_text: text(),
    state: text<AlertState>(),
    reason: text(),
    template_name: nullable(text()),
    direction: nullable(text<'credit' | 'debit'>()),
    amount: nullable(minor()),
    currency: nullable(text()),
    reference: nullable(text()),
  },
  (scope: Scope, senders: readonly string[], limit: number) => [scope.accountId, senders, limit],
  `
  with found as (
    select u.id
      from unnest($2::text[]) as s (sender)
     cross join lateral (
       select id from alerts
        where account_id = $1 and sender = s.sender and state = 'unread'
        order by id desc limit $3) u
    union
    select r.id
      from (select id, sender, hidden from alerts where account_id = $1 order by id desc limit 5000) r
     where r.sender = any($2::text[]) and r.hidden = '')
  select a.id, a.received_at, a.sender, a.raw_text, a.state, a.reason, t.name as template_name, a.direction, a.amount,
         a.currency, a.reference
    from (select id from found order by id desc limit $3) f
    join alerts a on a.account_id = $1 and a.id = f.id
    left join alert_templates t on t.id = a.template_id
   order by a.id desc`,
)
