/**
 * The id of a delivery begins with the first 64 bits of its event's id. So the id limits the events that the delivery can belong
 * to, and it is found by endpoint and event: deliveries need no index of their ids. Such an index would cost two writes for each
 * delivery, when it is created and when it ends.
 */
import type { DeliveryId } from '../core/ids.ts'

const sharedLength = 'xxxxxxxx-xxxx-7xxx'.length
const wholeLength = 'xxxxxxxx-xxxx-7xxx-8xxx-xxxxxxxxxxxx'.length

/** SQL of a new id. `eventId`: the column of the event's id. */
export const newDeliveryId = (eventId: string): string =>
  `(left(${eventId}::text, ${sharedLength}) || right(gen_random_uuid()::text, ${wholeLength - sharedLength}))::uuid`

/** The first and the last event id that the delivery can belong to. */
export const eventsOfDelivery = (id: DeliveryId): readonly [first: string, last: string] => {
  const beginning = id.slice(0, sharedLength)
  return [`${beginning}-0000-000000000000`, `${beginning}-ffff-ffffffffffff`]
}
