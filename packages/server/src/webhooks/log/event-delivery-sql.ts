import type { DeliveryState } from '@sanad/contract/kinds'
import type { AlertId, DeliveryId, EndpointId, EventId, IntentId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { instant, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'
import { stateOf } from '../delivery-state-sql.ts'
import type { EventKind } from '../event.ts'
import { endKindsSql } from '../event-sql.ts'

/**
 * The events of an intent and their deliveries to each endpoint of the account, at most 50. The events are those of the alert
 * that ended the intent ($2; null: none did) and the event of an end without payment. State `nobody`: the event has no delivery.
 * A delivery ends after its event was created: only the partitions since an hour before that time are read. Index: events_once,
 * events_end_once, primary key of webhook_endpoints, unique (endpoint, event, replay) of deliveries, delivery_ends_of_endpoint.
 */
export const deliveriesOfIntent = scoped(
  'deliveries_of_intent',
  {
    event_id: uuid<EventId>(),
    kind: text<EventKind>(),
    delivery_id: nullable(uuid<DeliveryId>()),
    endpoint_id: nullable(uuid<EndpointId>()),
    url: nullable(text()),
    state: text<'nobody' | DeliveryState>(),
    attempts: whole(),
    next_at: nullable(instant()),
  },
  (scope: Scope, alertId: AlertId | null, intentId: IntentId) => [scope.accountId, alertId, intentId],
  `
  select e.id as event_id, e.kind, t.delivery_id, t.endpoint_id, t.url, coalesce(t.state, 'nobody') as state,
         coalesce(t.attempts, 0) as attempts, t.next_at
    from (select id, kind, created_at from events where account_id = $1 and alert_id = $2
           union all
          select id, kind, created_at from events
           where account_id = $1 and intent_id = $3 and kind in (${endKindsSql})) as e
    left join lateral (
         select d.id as delivery_id, d.endpoint_id, w.url, ${stateOf('d')} as state, d.attempt::int as attempts,
                case when d.lease_id is null then d.due_at end as next_at
           from webhook_endpoints w
           join deliveries d on d.endpoint_id = w.id and d.event_id = e.id
          where w.account_id = $1
         union all
         select x.delivery_id, x.endpoint_id, w.url, x.ending, x.attempts::int, null
           from webhook_endpoints w
           join delivery_ends x on x.account_id = $1 and x.endpoint_id = w.id and x.event_id = e.id
          where w.account_id = $1 and x.at > e.created_at - interval '1 hour') as t on true
   order by e.id, t.delivery_id
   limit 50`,
)
