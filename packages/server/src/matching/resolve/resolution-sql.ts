import { type StoredArrival, storedOf } from '../../intents/arrival.ts'
import type { Attachment } from '../../intents/attachment.ts'
import { fold } from '../../intents/intent.ts'
import { changesIntents, type IntentChange } from '../../intents/intent-changes.ts'
import { withKey } from '../../intents/reference-sql.ts'
import type { CommittedStatement } from '../../postgres/connection/count-committed.ts'
import { at, orNull, units, whole } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'
import { intoOutbox, isSubscribed } from '../../webhooks/event-sql.ts'
import type { Resolution } from './resolution.ts'

type Column<Row> = readonly [name: string, type: string, value: (row: Row) => unknown]

const stored = ({ intent }: Resolution): StoredArrival => storedOf(intent.arrival, intent.payable)

const resolutionColumns: readonly Column<Resolution>[] = [
  ['account_id', 'uuid', (row) => row.accountId],
  ['id', 'uuid', (row) => row.intent.id],
  ['at', 'timestamptz', (row) => at(row.at)],
  ['status', 'text', (row) => row.intent.status],
  ['paid', 'bigint', (row) => units(row.intent.paid)],
  ['arrived', 'bigint', (row) => units(stored(row).arrived)],
  ['forgiven', 'bigint', (row) => units(stored(row).forgiven)],
  ['excess', 'bigint', (row) => units(stored(row).excess)],
  ['verified_at', 'timestamptz', (row) => orNull(row.intent.verifiedAt)],
  ['manual', 'bool', (row) => row.intent.manual],
  ['alert_id', 'uuid', (row) => row.alert.id],
  ['alert_from', 'text', (row) => row.alert.from],
  ['alert_similar', 'uuid', (row) => row.alert.similarTo],
  ['alert_state', 'text', (row) => row.alert.state],
  ['entry_id', 'uuid', (row) => row.timeline.id],
  ['kind', 'text', (row) => row.timeline.kind],
  ['by', 'text', (row) => row.timeline.by],
  ['facts', 'json', (row) => row.timeline.facts],
  ['event_id', 'uuid', (row) => row.event.id],
  ['event_wallet_id', 'uuid', (row) => row.event.walletId],
  ['event_body', 'text', (row) => row.event.body],
  ['event_test_body', 'text', (row) => row.event.testBody],
]

export type ResolutionWithReference = Resolution & { readonly attachment: Attachment }

const attachmentColumns: readonly Column<ResolutionWithReference>[] = [
  ['reference', 'text', (row) => row.attachment.reference],
  ['reference_key', 'text', (row) => row.attachment.referenceKey],
  ['search_reference', 'text', (row) => fold(row.attachment.reference)],
  ['reference_entry_id', 'uuid', (row) => row.attachment.entryId],
  ['reference_by', 'text', (row) => row.attachment.by],
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
 * The statement that resolves intents: it writes intent, alert, timeline entry and event, each once. It fails unless it changes
 * every intent and every alert that it was given. With `attaching` the intents also get their references. Without it, those
 * columns are left out, because writing them makes PostgreSQL update the search index of the row.
 */
const resolveSql = <Row>(columns: readonly Column<Row>[], attaching: typeof attachingSql | undefined): string => `
  with n as (
    select *
      from unnest(${columns.map(([, type], i) => `$${i + 1}::${type}[]`).join(', ')})
        as n (${columns.map(([name]) => name).join(', ')})),
  changed as (
    update intents i
       set status = n.status, paid = n.paid, arrived = n.arrived, forgiven = n.forgiven, excess = n.excess,
           verified_at = n.verified_at, manual = n.manual, alert_id = n.alert_id${attaching?.intent ?? ''}
      from n
     -- The || keeps the planner from the indexes of PENDING intents: the primary key is used.
     where i.account_id = n.account_id and i.id = n.id and i.status || '' = 'PENDING'
    returning i.id),
  moved as (
    update alerts a
       set state = n.alert_state, reason = '', intent_id = n.id, duplicate_of = null, unmatched_owed = false
      from n
     where n.alert_from is not null and a.account_id = n.account_id and a.id = n.alert_id
       -- An attached reference reads the alert without locking its row. Meanwhile a booking may have marked it as a possible copy.
       and a.state || '' = n.alert_from and a.similar_to is not distinct from n.alert_similar
    returning a.id),
  entries as (
    insert into intent_moves (account_id, intent_id, id, at, kind, by, alert_id, facts)
    select account_id, id, entry_id, at, kind, by, alert_id, facts from n${attaching?.timeline ?? ''}),
  happened as (
    select account_id, event_id as id, 'payment.' || lower(status) as kind, event_wallet_id as wallet_id, id as intent_id,
           case when status = 'VERIFIED' then alert_id end as alert_id,
           case when event_test_body is not null
                 and (select w.is_test from wallets w where w.account_id = n.account_id and w.id = n.event_wallet_id)
                then event_test_body else event_body end as body, at as created_at
      from n
     where status = 'VERIFIED'
        or ${isSubscribed('payment.wrong_amount', { account: 'n.account_id', wallet: 'n.event_wallet_id' })}),
  ${intoOutbox('happened')}
  select case when changed.count = input.count and moved.count = input.alerts then changed.count
              else ('an intent or an alert changed while its row was locked: ' || changed.count || ' and ' || moved.count)::bigint
          end as done
    from (select count(*) from changed) as changed, (select count(*) from moved) as moved,
         (select count(*), count(alert_from) as alerts from n) as input`

/** The statement fails unless it changes every intent that it was given: so what it was given is what changed. */
const statusAt = resolutionColumns.findIndex(([name]) => name === 'status')
const resolved = ({ query }: CommittedStatement): IntentChange[] =>
  (query.values[statusAt] as readonly Resolution['intent']['status'][]).map((status) =>
    status === 'VERIFIED' ? 'verified' : 'wrong_amount',
  )

/** Resolves PENDING intents. The caller has locked their rows and their references. Index: primary keys. */
export const resolveIntents = changesIntents(
  statement(
    'resolve_intents',
    { done: whole() },
    (resolutions: readonly Resolution[]) => resolutionColumns.map(([, , value]) => resolutions.map(value)),
    resolveSql(resolutionColumns, undefined),
  ),
  resolved,
)

const attachingColumns: readonly Column<ResolutionWithReference>[] = [...resolutionColumns, ...attachmentColumns]

/** The same for intents that get their references in this step. The unique index intents_reference_held guarantees that no other
 *  PENDING intent of the wallet has the reference. Index: primary keys. */
export const resolveWithReferences = changesIntents(
  statement(
    'resolve_with_references',
    { done: whole() },
    (resolutions: readonly ResolutionWithReference[]) => attachingColumns.map(([, , value]) => resolutions.map(value)),
    resolveSql(attachingColumns, attachingSql),
  ),
  resolved,
)
