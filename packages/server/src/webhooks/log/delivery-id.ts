/**
 * The id of a delivery begins as that of its event does, with the same first 64 bits. Whoever has it knows within a
 * millisecond which events it can be of, and finds it by endpoint and event: deliveries need no index of their ids, which
 * would be written for each of them twice, when it is made and when it ends.
 */
import type { DeliveryId } from '../../core/ids.ts'

const shared = 'xxxxxxxx-xxxx-7xxx'.length
const all = 'xxxxxxxx-xxxx-7xxx-8xxx-xxxxxxxxxxxx'.length

/** In SQL, for the event of that column. */
export const newDeliveryId = (event: string): string =>
  `(left(${event}::text, ${shared}) || right(gen_random_uuid()::text, ${all - shared}))::uuid`

/** The first and the last event that it can be of. */
export const eventsOfDelivery = (id: DeliveryId): readonly [first: string, last: string] => {
  const beginning = id.slice(0, shared)
  return [`${beginning}-0000-000000000000`, `${beginning}-ffff-ffffffffffff`]
}
