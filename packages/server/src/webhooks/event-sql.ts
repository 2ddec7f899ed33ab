import type { EventId } from '../ground/ids.ts'
import { at } from '../postgres/columns.ts'
import { none, statement } from '../postgres/statement.ts'
import type { NewEvent } from './event.ts'

/** Of money that is told of as verified and as received together: the two events. */
const followers = (events: readonly NewEvent[]): readonly (readonly [verified: EventId, received: EventId])[] => {
  const received = events.filter((one) => one.kind === 'payment.received')
  return received.flatMap(({ alertId, id }) =>
    events.flatMap((one) =>
      one.kind === 'payment.verified' && one.alertId === alertId ? [[one.id, id] as const] : [],
    ),
  )
}

/**
 * Puts events into the outbox, and into the queue of every endpoint that asked for them, in the caller's transaction. That
 * an alert is told of once in each kind is the unique index events_once. Where an endpoint is told of money as received and
 * as verified, the second follows the first, whether they come together or not.
 */
export const insertEvents = statement(
  'insert_events',
  none,
  (events: readonly NewEvent[]) => {
    const together = followers(events)
    return [
      events.map((one) => one.accountId),
      events.map((one) => one.id),
      events.map((one) => one.kind),
      events.map((one) => one.walletId),
      events.map((one) => one.intentId),
      events.map((one) => one.alertId),
      events.map((one) => one.body),
      events.map((one) => at(one.createdAt)),
      together.map(([verified]) => verified),
      together.map(([, received]) => received),
    ]
  },
  `
  with told as (
    insert into events (account_id, id, kind, wallet_id, intent_id, alert_id, body, created_at)
    select *
      from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::uuid[], $6::uuid[], $7::text[], $8::timestamptz[])
    returning account_id, id, kind, wallet_id, alert_id, created_at)
  insert into deliveries (account_id, event_id, endpoint_id, due_at, created_at, follows)
  select t.account_id, t.id, w.id, t.created_at, t.created_at,
         case when t.kind = 'payment.verified' and 'payment.received' = any(w.kinds)
              then coalesce((select f.received from unnest($9::uuid[], $10::uuid[]) as f (verified, received)
                              where f.verified = t.id),
                            (select e.id from events e where e.alert_id = t.alert_id and e.kind = 'payment.received'))
          end
    from told t
    join webhook_endpoints w
      on w.account_id = t.account_id and w.enabled and t.kind = any(w.kinds)
     and (w.wallet_id is null or w.wallet_id = t.wallet_id)`,
)
