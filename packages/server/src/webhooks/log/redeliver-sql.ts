import type { Instant } from '../../core/clock.ts'
import type { DeliveryId, EndpointId, EventId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, uuid } from '../../postgres/query/columns.ts'
import { onlyRow, scoped, statement } from '../../postgres/query/statement.ts'
import { eventsOfDelivery } from '../delivery-id.ts'

/** The event of a delivery, finished or not, and whether its text is still stored. Index: primary key of deliveries,
 *  delivery_ends_of_endpoint, primary key of events. */
export const eventOfDelivery = scoped(
  'event_of_delivery',
  { event_id: uuid<EventId>(), has_text: bool() },
  (scope: Scope, endpointId: EndpointId, id: DeliveryId, storedSince: Instant) => [
    scope.accountId,
    endpointId,
    id,
    at(storedSince),
    ...eventsOfDelivery(id),
  ],
  `
  select e.id as event_id, e.body <> '' and e.created_at > $4 as has_text
    from (select event_id from deliveries
           where account_id = $1 and endpoint_id = $2 and event_id between $5::uuid and $6::uuid and id = $3
          union all
          select event_id from delivery_ends
           where account_id = $1 and endpoint_id = $2 and event_id between $5::uuid and $6::uuid and delivery_id = $3) as d
   cross join lateral (
         select e.id, e.body, e.created_at from events e
          where ${onlyRow('e.account_id = $1', 'e.id', 'd.event_id')}) as e
   limit 1`,
)

/** A redelivery that has not been sent yet. Index: primary key. */
export const waitingRedelivery = statement(
  'waiting_redelivery',
  { id: uuid<DeliveryId>() },
  (endpointId: EndpointId, eventId: EventId) => [endpointId, eventId],
  `
  select id from deliveries
   where endpoint_id = $1 and event_id = $2 and by_hand and attempt = 0
   order by replay desc limit 1`,
)
