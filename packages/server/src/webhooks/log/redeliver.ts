/**
 * Sends one event again because a user asks for it: as a new delivery, with the same event id and its own attempts. Its result
 * does not count for the endpoint's health, except a 410. If it is requested twice before it is sent, it is sent once.
 */
import type { Instant } from '../../core/clock.ts'
import type { DeliveryId, EndpointId, EventId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { lockEndpoint } from '../endpoints/endpoint-sql.ts'
import { replayLife_ms, type WebhookSettings } from '../settings.ts'
import { eventOfDelivery, waitingRedelivery } from './redeliver-sql.ts'
import { insertReplays } from './replay-events-sql.ts'

/** `created`: false if a redelivery of the event is waiting already. */
export type Redelivered = { readonly deliveryId: DeliveryId; readonly eventId: EventId; readonly created: boolean }

export const redeliver = async (
  tx: Tx,
  scope: Scope,
  endpointId: EndpointId,
  id: DeliveryId,
  settings: WebhookSettings,
  now: Instant,
): Promise<
  Redelivered | Refusal<'endpoint_unknown' | 'delivery_unknown' | 'endpoint_disabled' | 'event_forgotten'>
> => {
  const [endpoint] = await lockEndpoint(tx, scope, endpointId)
  if (endpoint === undefined) return refuse('endpoint_unknown')
  const [event] = await eventOfDelivery(tx, scope, endpointId, id, now - replayLife_ms(settings))
  if (event === undefined) return refuse('delivery_unknown')
  if (!event.has_text) return refuse('event_forgotten', { days: String(settings.replay_days) })
  if (!endpoint.enabled) return refuse('endpoint_disabled')
  const [waiting] = await waitingRedelivery(tx, endpointId, event.event_id)
  if (waiting !== undefined) return { deliveryId: waiting.id, eventId: event.event_id, created: false }
  const [delivery] = await insertReplays(tx, scope, endpointId, [event.event_id], now)
  return { deliveryId: delivery!.id, eventId: event.event_id, created: true }
}
