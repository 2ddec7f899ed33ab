/** `/webhooks/{id}/deliveries/`: lists deliveries, shows one with its attempts, and sends one again. */

import * as operations from '@sanad/contract/dashboard/webhooks/webhooks'
import type { DeliveryId } from '../../../core/ids.ts'
import type { Scope } from '../../../core/scope.ts'
import { type Arrival, readArrival } from '../../../intents/arrival.ts'
import { arrivalsOfIntents } from '../../../intents/arrival-sql.ts'
import { type Delivery, readDelivery, readLog } from '../../../webhooks/log/delivery-log.ts'
import { redeliver } from '../../../webhooks/log/redeliver.ts'
import { pageAnswer } from '../../routes/cursor.ts'
import { accepted } from '../refusals.ts'
import { change, type Route, route } from '../route.ts'
import { deliveryAnswer, wholeDeliveryAnswer } from './webhook-answers.ts'
import { endpointIn, type WebhookDeps } from './webhook-endpoints.ts'

/** What arrived for the intents of deliveries of payment.verified. Other events report no intent that was paid by itself. */
const arrivalsOf = async (
  deps: WebhookDeps,
  scope: Scope,
  deliveries: readonly Delivery[],
): Promise<ReadonlyMap<DeliveryId, Arrival | null>> => {
  const ids = deliveries.flatMap(({ kind, intentId }) =>
    kind === 'payment.verified' && intentId !== null ? [intentId] : [],
  )
  const rows = ids.length === 0 ? [] : await arrivalsOfIntents(deps.db, scope, ids)
  const byIntent = new Map(rows.map((row) => [row.id, readArrival(row)]))
  return new Map(
    deliveries.map(({ id, kind, intentId }) => [
      id,
      kind === 'payment.verified' && intentId !== null ? (byIntent.get(intentId) ?? null) : null,
    ]),
  )
}

export const deliveryRoutes = (deps: WebhookDeps): Route[] => [
  route(operations.listDeliveries, endpointIn(deps), async (call, { id }) => {
    const { state: filter = 'all', after: requested, page_size: size } = call.query
    const after = requested && { eventId: requested[0], replay: requested[1] }
    const found = await readLog(deps.db, call.member.scope, id, { filter, after, most: size + 1 })
    const arrivals = await arrivalsOf(deps, call.member.scope, found)
    const cursorOf = ({ eventId, replay }: Delivery) => [eventId, replay]
    return pageAnswer(found, size, cursorOf, (delivery) =>
      deliveryAnswer(delivery, arrivals.get(delivery.id) ?? null, deps.zone),
    )
  }),
  route(operations.showDelivery, endpointIn(deps), async (call, { id }) => {
    const delivery = accepted(await readDelivery(deps.db, call.member.scope, id, call.path.delivery))
    const arrivals = await arrivalsOf(deps, call.member.scope, [delivery])
    return wholeDeliveryAnswer(delivery, arrivals.get(delivery.id) ?? null, deps.zone)
  }),
  route(operations.redeliver, endpointIn(deps), async (call, { id }) => {
    const { member, now } = call
    const original = call.path.delivery
    const queued = await change(deps, call, async (db, audit) => {
      const done = accepted(await redeliver(db, member.scope, id, original, deps.settings, now))
      const after = { webhook: id, event: done.eventId, again: original }
      // A second request before the delivery is sent changes nothing: it is sent once.
      if (done.created) audit({ action: 'delivery.redeliver', kind: 'delivery', id: done.deliveryId, after })
      return done
    })
    deps.wake(member.scope.accountId)
    const delivery = accepted(await readDelivery(deps.db, member.scope, id, queued.deliveryId))
    const arrivals = await arrivalsOf(deps, member.scope, [delivery])
    return deliveryAnswer(delivery, arrivals.get(delivery.id) ?? null, deps.zone)
  }),
]
