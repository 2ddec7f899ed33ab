import type { Attachment } from '../../intents/attachment.ts'
import { fold } from '../../intents/intent.ts'
import { withKey } from '../../intents/reference-sql.ts'
import { at, orNull, units, whole } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'
import { intoOutbox, isSubscribed } from '../../webhooks/event-sql.ts'
import type { Resolution } from './resolution.ts'

type Column<Row> = readonly [name: string, type: string, of: (one: Row) => unknown]

const resolutionColumns: readonly Column<Resolution>[] = [
  ['account_id', 'uuid', (one) => one.accountId],
  ['id', 'uuid', (one) => one.intent.id],
  ['at', 'timestamptz', (one) => at(one.at)],
  ['status', 'text', (one) => one.intent.status],
  ['paid', 'bigint', (one) => units(one.intent.paid)],
  ['verified_at', 'timestamptz', (one) => orNull(one.intent.verifiedAt)],
  ['manual', 'bool', (one) => one.intent.manual],
  ['alert_id', 'uuid', (one) => one.alert.id],
  ['alert_from', 'text', (one) => one.alert.from],
  ['alert_state', 'text', (one) => one.alert.state],
  ['entry_id', 'uuid', (one) => one.timeline.id],
  ['kind', 'text', (one) => one.timeline.kind],
  ['by', 'text', (one) => one.timeline.by],
  ['facts', 'json', (one) => one.timeline.facts],
  ['event_id', 'uuid', (one) => one.event.id],
  ['event_wallet_id', 'uuid', (one) => one.event.walletId],
  ['event_body', 'text', (one) => one.event.body],
]

export type ResolutionWithReference = Resolution & { readonly attachment: Attachment }

const attachmentColumns: readonly Column<ResolutionWithReference>[] = [
  ['reference', 'text', (one) => one.attachment.reference],
  ['reference_key', 'text', (one) => one.attachment.referenceKey],
  ['search_reference', 'text', (one) => fold(one.attachment.reference)],
  ['reference_entry_id', 'uuid', (one) => one.attachment.moveId],
  ['reference_by', 'text', (one) => one.attachment.by],
]

const attachingSql = {
  intent: `,
           reference = n.reference, reference_key = n.reference_key, search_reference = n.search_reference,
           reference_at = n.at, reference_keys = ${withKey('n')}`,
  timeline: `
    union all
    select account_id, id, reference_entry_id, at, 'reference', reference_by, null, json_build_object('reference', reference)
      from n`,
}

/**
 * The one statement that resolves intents: intent, alert, timeline and event, each once. It fails unless it changes every
 * intent and every alert that it was given. With `attaching` the intents get their references too; without, those columns
 * are left out, because writing them makes PostgreSQL work out the search index of the row again.
 */
const resolveSql = <Row>(columns: readonly Column<Row>[], attaching: typeof attachingSql | undefined): string => `
  with n as (
    select *
      from unnest(${columns.map(([, type], i) => `$${i + 1}::${type}[]`).join(', ')})
        as n (${columns.map(([name]) => name).join(', ')})),
  changed as (
    update intents i
       set status = n.status, paid = n.paid, verified_at = n.verified_at, manual = n.manual, alert_id = n.alert_id${attaching?.intent ?? ''}
      from n
     -- Written so that the primary key is used, not an index of PENDING intents, however few the planner expects.
     where i.account_id = n.account_id and i.id = n.id and i.status || '' = 'PENDING'
    returning i.id),
  moved as (
    update alerts a
       set state = n.alert_state, reason = '', intent_id = n.id, duplicate_of = null, unmatched_owed = false
      from n
     where n.alert_from is not null and a.account_id = n.account_id and a.id = n.alert_id
       and a.state || '' = n.alert_from
    returning a.id),
  entries as (
    insert into intent_moves (account_id, intent_id, id, at, kind, by, alert_id, facts)
    select account_id, id, entry_id, at, kind, by, alert_id, facts from n${attaching?.timeline ?? ''}),
  happened as (
    select account_id, event_id as id, 'payment.' || lower(status) as kind, event_wallet_id as wallet_id, id as intent_id,
           case when status = 'VERIFIED' then alert_id end as alert_id, event_body as body, at as created_at
      from n
     where status = 'VERIFIED'
        or ${isSubscribed('payment.wrong_amount', { account: 'n.account_id', wallet: 'n.event_wallet_id' })}),
  ${intoOutbox('happened')}
  select case when changed.count = input.count and moved.count = input.alerts then changed.count
              else ('an intent or an alert changed while it was held: ' || changed.count || ' and ' || moved.count)::bigint
          end as done
    from (select count(*) from changed) as changed, (select count(*) from moved) as moved,
         (select count(*), count(alert_from) as alerts from n) as input`

/** Resolves PENDING intents. The caller holds their rows and the locks of their references. Index: primary keys. */
export const resolveIntents = statement(
  'resolve_intents',
  { done: whole() },
  (resolutions: readonly Resolution[]) => resolutionColumns.map(([, , of]) => resolutions.map(of)),
  resolveSql(resolutionColumns, undefined),
)

const attachingColumns: readonly Column<ResolutionWithReference>[] = [...resolutionColumns, ...attachmentColumns]

/** The same for intents that get their references in this step. That no other PENDING intent of the wallet holds the
 *  reference is the unique index intents_reference_held. Index: primary keys. */
export const resolveWithReferences = statement(
  'resolve_with_references',
  { done: whole() },
  (resolutions: readonly ResolutionWithReference[]) => attachingColumns.map(([, , of]) => resolutions.map(of)),
  resolveSql(attachingColumns, attachingSql),
)
