import type { AlertId, EventId } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import { fold } from '../../intents/intent.ts'
import { type Attachment, withKey } from '../../intents/reference-sql.ts'
import { at, units, whole } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'
import { intoOutbox } from '../../webhooks/event-sql.ts'

export type Claim = Attachment & {
  /** PENDING: the alert is not for it, so only the reference is attached. */
  readonly status: 'PENDING' | 'VERIFIED' | 'WRONG_AMOUNT'
  readonly alertId: AlertId | null
  readonly paid: Minor | null
  /** Of the second line in the timeline. */
  readonly resolvedMoveId: string
  readonly eventId: EventId
  /** What the merchant is told, when it is VERIFIED. */
  readonly body: string
  /** What a person should look at twice, as the JSON of the timeline's line. */
  readonly facts: string
}

/**
 * Attaches references whose money was there before them. Intent, alert, both lines of the timeline and the event, each once,
 * in one statement: every statement more would be waited for by a buyer at the till. The rows of the intents are held
 * (holdForReferences), and the locks of the references. Index: primary keys.
 */
export const claimReferences = statement(
  'claim_references',
  { done: whole() },
  (claims: readonly Claim[]) => [
    claims.map((one) => one.accountId),
    claims.map((one) => one.id),
    claims.map((one) => one.reference),
    claims.map((one) => one.referenceKey),
    claims.map((one) => fold(one.reference)),
    claims.map((one) => one.moveId),
    claims.map((one) => one.by),
    claims.map((one) => at(one.now)),
    claims.map((one) => one.status),
    claims.map((one) => one.alertId),
    claims.map((one) => units(one.paid)),
    claims.map((one) => one.resolvedMoveId),
    claims.map((one) => one.eventId),
    claims.map((one) => one.body),
    claims.map((one) => one.facts),
  ],
  `
  with n as (
    select *
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::uuid[], $7::text[], $8::timestamptz[],
                  $9::text[], $10::uuid[], $11::bigint[], $12::uuid[], $13::uuid[], $14::text[], $15::json[])
        as n (account_id, id, reference, reference_key, search_reference, move_id, by, now,
              status, alert_id, paid, resolved_move_id, event_id, body, facts)),
  changed as (
    update intents i
       set reference = n.reference, reference_key = n.reference_key, search_reference = n.search_reference,
           reference_at = n.now, reference_keys = ${withKey('n')}, status = n.status, alert_id = n.alert_id, paid = n.paid,
           verified_at = case when n.status = 'VERIFIED' then n.now end
      from n
     where i.account_id = n.account_id and i.id = n.id and i.status || '' = 'PENDING'
    returning i.account_id, i.id, i.wallet_id, i.status, i.alert_id, n.reference, n.by, n.now, n.move_id, n.resolved_move_id,
              n.event_id, n.body, n.facts),
  lines as (
    insert into intent_moves (account_id, intent_id, id, at, kind, by, facts, alert_id)
    select c.account_id, c.id, m.id, c.now, m.kind, m.by, m.facts, m.alert_id
      from changed c
     cross join lateral (
           values (c.move_id, 'reference', c.by, json_build_object('reference', c.reference), null::uuid),
                  (c.resolved_move_id, lower(c.status), 'reference', c.facts, c.alert_id))
             as m (id, kind, by, facts, alert_id)
     where m.kind <> 'pending'),
  moved as (
    update alerts a
       set state = case when n.status = 'VERIFIED' then 'matched' else 'wrong_amount' end, reason = '', intent_id = n.id,
           duplicate_of = null, unmatched_owed = false
      from n
     where a.account_id = n.account_id and a.id = n.alert_id and a.state || '' in ('waiting', 'wrong_amount')
    returning a.id),
  happened as (
    select account_id, event_id as id, 'payment.verified' as kind, wallet_id, id as intent_id, alert_id, body,
           now as created_at
      from changed where status = 'VERIFIED'),
  ${intoOutbox('happened')}
  select case when changed.count = asked.count and moved.count = asked.alerts then changed.count
              else ('what was held changed: ' || changed.count || ' and ' || moved.count)::bigint end as done
    from (select count(*) from changed) as changed, (select count(*) from moved) as moved,
         (select count(*), count(alert_id) as alerts from n) as asked`,
)
