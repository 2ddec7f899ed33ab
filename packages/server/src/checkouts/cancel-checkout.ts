/**
 * Cancels a checkout for the merchant's server: it and its open intent end together. If a payment was first, the checkout is
 * complete and the cancellation is refused. Money that comes afterwards goes to the unmatched queue like any other.
 */
import type { Instant } from '../core/clock.ts'
import { type AccountId, type IntentId, timeOrderedId } from '../core/ids.ts'
import { type Refusal, refuse } from '../core/refusal.ts'
import type { Zone } from '../core/zone.ts'
import { insertEndEvents } from '../intents/end-events.ts'
import { cancelPending } from '../intents/intent-sql.ts'
import type { Tx } from '../postgres/connection/database.ts'
import { openIntentAt, stateAt, type WithIntents } from './checkout.ts'
import { closeEndedIntents, storeEnd } from './checkout-sql.ts'
import { storeHeldEnd } from './end-checkouts.ts'
import { closeIntents, holdCheckout } from './held-checkout.ts'
import { intentsOf } from './list-checkouts.ts'

export type Cancelled = WithIntents & { readonly cancelledIntent: IntentId | undefined }

/** `ended`: the refusal has stored the end that came first, with its event. */
export type CancelResult =
  | { readonly kind: 'cancelled'; readonly done: Cancelled }
  | {
      readonly kind: 'refused'
      readonly refusal: Refusal<'checkout_unknown' | 'checkout_not_open'>
      readonly ended: boolean
    }

export const cancelCheckout = async (
  tx: Tx,
  zone: Zone,
  request: { readonly accountId: AccountId; readonly id: string; readonly by: string },
  now: Instant,
): Promise<CancelResult> => {
  const { accountId, by } = request
  const found = await holdCheckout(tx, accountId, request.id)
  if (found === undefined) return { kind: 'refused', refusal: refuse('checkout_unknown'), ended: false }
  let held = await closeIntents(tx, found, zone, now)
  let cancelledIntent: IntentId | undefined
  const open = found.checkout.status === 'OPEN' ? openIntentAt(held.intents, now) : undefined
  if (open !== undefined) {
    const move = { accountId, id: open.id, moveId: timeOrderedId<string>(now), by }
    const cancelled = await cancelPending(tx, move, now)
    await insertEndEvents(tx, 'payment.cancelled', cancelled, zone, now)
    if (cancelled.length > 0) cancelledIntent = open.id
    await closeEndedIntents(tx, accountId, held.checkout.id)
    held = { ...held, intents: await intentsOf(tx, accountId, held.checkout.id) }
  }
  const { checkout, intents } = held
  const { status } = stateAt(checkout, intents, now)
  if (status !== 'OPEN') {
    const ended = await storeHeldEnd(tx, held, zone, now)
    return { kind: 'refused', refusal: refuse('checkout_not_open', { status }), ended }
  }
  await storeEnd(tx, accountId, checkout.id, 'CANCELLED', now)
  const done = { checkout: { ...checkout, status: 'CANCELLED' as const, endedAt: now }, intents, cancelledIntent }
  return { kind: 'cancelled', done }
}
