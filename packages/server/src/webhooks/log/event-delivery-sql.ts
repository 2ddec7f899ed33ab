import type { AccountId, AlertId, DeliveryId, EndpointId, EventId } from '../../core/ids.ts'
import { nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'
import type { EventKind } from '../event.ts'

/**
 * The events of an alert, and their deliveries to each endpoint of the account, at most 50. A delivery ends after its event was
 * made: so only the partitions since then are read. Index: events_once, primary key of webhook_endpoints, unique
 * (endpoint, event, replay) of deliveries, delivery_ends_of_endpoint.
 */
export const deliveriesOfAlert = statement(
  'told_of',
  {
    event_id: uuid<EventId>(),
    kind: text<EventKind>(),
    delivery_id: nullable(uuid<DeliveryId>()),
    endpoint_id: nullable(uuid<EndpointId>()),
    state: text<'nobody' | 'waiting' | 'sending' | 'delivered' | 'exhausted' | 'disabled'>(),
    attempts: whole(),
  },
  (accountId: AccountId, alertId: AlertId) => [accountId, alertId],
  `
  select e.id as event_id, e.kind, t.delivery_id, t.endpoint_id, coalesce(t.state, 'nobody') as state,
         coalesce(t.attempts, 0) as attempts
    from events e
    left join lateral (
         select d.id as delivery_id, d.endpoint_id, case when d.lease_id is null then 'waiting' else 'sending' end as state,
                d.attempt::int as attempts
           from webhook_endpoints w
           join deliveries d on d.endpoint_id = w.id and d.event_id = e.id
          where w.account_id = $1
         union all
         select x.delivery_id, x.endpoint_id, x.ending, x.attempts::int
           from webhook_endpoints w
           join delivery_ends x on x.account_id = $1 and x.endpoint_id = w.id and x.event_id = e.id
          where w.account_id = $1 and x.at > e.created_at - interval '1 hour') as t on true
   where e.account_id = $1 and e.alert_id = $2
   order by e.id, t.delivery_id
   limit 50`,
)
