import { at } from '../postgres/query/columns.ts'
import { noColumns, statement } from '../postgres/query/statement.ts'
import { newDeliveryId } from './delivery-id.ts'
import { type EndKind, endKinds, type NewEvent } from './event.ts'

/** The list of a condition `kind in (…)`, as in the index events_end_once. */
export const endKindsSql = endKinds.map((kind) => `'${kind}'`).join(', ')

/**
 * An SQL condition: an endpoint of the account subscribes to the end of an intent, so that its event is stored. A disabled
 * endpoint counts: the events that it misses can be sent later. `intent`: the columns of its account and wallet. Index: primary
 * key.
 */
export const isSubscribed = (
  kind: EndKind,
  intent: { readonly account: string; readonly wallet: string },
): string => `exists (
           select from webhook_endpoints w
            where w.account_id = ${intent.account} and w.deleted_at is null and '${kind}' = any(w.kinds)
              and (w.wallet_id is null or w.wallet_id = ${intent.wallet}))`

/**
 * CTEs that store the events of another CTE in the outbox and queue them for every endpoint that subscribes to them. The unique
 * index events_once ensures one event of each kind for an alert. If an endpoint receives both payment.received and
 * payment.verified, the second follows the first, whether they are stored together or not.
 */
export const intoOutbox = (events: string): string => `stored as (
    insert into events (account_id, id, kind, wallet_id, intent_id, alert_id, body, created_at)
    select account_id, id, kind, wallet_id, intent_id, alert_id, body, created_at from ${events}
    returning account_id, id, kind, wallet_id, alert_id, created_at),
  queued as (
    insert into deliveries (id, account_id, event_id, endpoint_id, due_at, created_at, follows)
    select ${newDeliveryId('t.id')}, t.account_id, t.id, w.id, t.created_at, t.created_at,
           case when t.kind = 'payment.verified' and 'payment.received' = any(w.kinds)
                then coalesce((select r.id from stored r where r.alert_id = t.alert_id and r.kind = 'payment.received'),
                              (select e.id from events e where e.alert_id = t.alert_id and e.kind = 'payment.received'))
            end
      from stored t
      join webhook_endpoints w
        on w.account_id = t.account_id and w.enabled and t.kind = any(w.kinds)
       and (w.wallet_id is null or w.wallet_id = t.wallet_id))`

/** Puts events into the outbox and the queues, in the caller's transaction. */
export const insertEvents = statement(
  'insert_events',
  noColumns,
  (events: readonly NewEvent[]) => [
    events.map((one) => one.accountId),
    events.map((one) => one.id),
    events.map((one) => one.kind),
    events.map((one) => one.walletId),
    events.map((one) => one.intentId),
    events.map((one) => one.alertId),
    events.map((one) => one.body),
    events.map((one) => at(one.createdAt)),
  ],
  `
  with new_events as (
    select *
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[], $8::timestamptz[])
        as n (account_id, id, kind, wallet_id, intent_id, alert_id, body, created_at)),
  ${intoOutbox('new_events')}
  select from stored where false`,
)
