import type { Instant } from '../ground/clock.ts'
import type { AccountId, DeliveryId, EndpointId, EventId } from '../ground/ids.ts'
import { at, bool, uuid } from '../postgres/columns.ts'
import { statement } from '../postgres/statement.ts'

/** The event of a delivery, finished or not, and whether its text is still kept. Index: deliveries_id, deliveries_leased,
 *  delivery_ends_of_delivery, primary key of events. */
export const eventOfDelivery = statement(
  'event_of_delivery',
  { event_id: uuid<EventId>(), kept: bool() },
  (accountId: AccountId, endpointId: EndpointId, id: DeliveryId, keptSince: Instant) => [
    accountId,
    endpointId,
    id,
    at(keptSince),
  ],
  `
  select e.id as event_id, e.body <> '' and e.created_at > $4 as kept
    from (select event_id from deliveries
           where account_id = $1 and endpoint_id = $2 and id = $3 and lease_id is null
          union all
          select event_id from deliveries
           where account_id = $1 and endpoint_id = $2 and id = $3 and lease_id is not null
          union all
          select event_id from delivery_ends where account_id = $1 and endpoint_id = $2 and delivery_id = $3) as d
    join events e on e.account_id = $1 and e.id = d.event_id
   limit 1`,
)

/** A redelivery that has not gone out yet. Index: primary key. */
export const waitingByHand = statement(
  'waiting_by_hand',
  { id: uuid<DeliveryId>() },
  (endpointId: EndpointId, eventId: EventId) => [endpointId, eventId],
  `
  select id from deliveries
   where endpoint_id = $1 and event_id = $2 and by_hand and attempt = 0
   order by replay desc limit 1`,
)
