/**
 * Sending one event again because a person asks for it: a delivery of its own, with the same event id and a log of its
 * own. What comes of it says nothing of the endpoint's health. Asked for twice before it went out, it goes out once.
 */
import type { Instant } from '../../core/clock.ts'
import type { AccountId, DeliveryId, EndpointId, EventId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { holdEndpoint } from '../endpoints/endpoint-sql.ts'
import { replayLife_ms, type WebhookSettings } from '../settings.ts'
import { eventOfDelivery, waitingByHand } from './redeliver-sql.ts'
import { insertReplays } from './replay-events-sql.ts'

/** `made`: false when it waits already. */
export type Redelivered = { readonly deliveryId: DeliveryId; readonly eventId: EventId; readonly made: boolean }

export const redeliver = (
  db: Db,
  accountId: AccountId,
  endpointId: EndpointId,
  id: DeliveryId,
  settings: WebhookSettings,
  now: Instant,
): Promise<Redelivered | Refusal<'endpoint_unknown' | 'delivery_unknown' | 'endpoint_disabled' | 'event_forgotten'>> =>
  db.transaction(async (tx) => {
    const [endpoint] = await holdEndpoint(tx, accountId, endpointId)
    if (endpoint === undefined) return refuse('endpoint_unknown')
    const [event] = await eventOfDelivery(tx, accountId, endpointId, id, now - replayLife_ms(settings))
    if (event === undefined) return refuse('delivery_unknown')
    if (!event.kept) return refuse('event_forgotten', { days: String(settings.replay_days) })
    if (!endpoint.enabled) return refuse('endpoint_disabled')
    const [waiting] = await waitingByHand(tx, endpointId, event.event_id)
    if (waiting !== undefined) return { deliveryId: waiting.id, eventId: event.event_id, made: false }
    const [made] = await insertReplays(tx, accountId, endpointId, [event.event_id], now)
    return { deliveryId: made!.id, eventId: event.event_id, made: true }
  })
