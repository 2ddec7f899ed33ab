/**
 * The id of a delivery has the first 64 bits of its event's id. So the id alone says which events of one millisecond it can
 * belong to, and the delivery is found by endpoint and event: deliveries need no index of their ids, which would cost two
 * writes each, when a delivery is made and when it ends.
 */
import type { DeliveryId } from '../../core/ids.ts'

const shared = 'xxxxxxxx-xxxx-7xxx'.length
const all = 'xxxxxxxx-xxxx-7xxx-8xxx-xxxxxxxxxxxx'.length

/** In SQL, for the event of that column. */
export const newDeliveryId = (event: string): string =>
  `(left(${event}::text, ${shared}) || right(gen_random_uuid()::text, ${all - shared}))::uuid`

/** The first and the last event that it can belong to. */
export const eventsOfDelivery = (id: DeliveryId): readonly [first: string, last: string] => {
  const beginning = id.slice(0, shared)
  return [`${beginning}-0000-000000000000`, `${beginning}-ffff-ffffffffffff`]
}
