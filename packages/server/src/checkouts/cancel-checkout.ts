/**
 * Cancels a checkout for the merchant's server or a member: the checkout and its open intent end together. If a payment came first, the
 * checkout is complete and the cancellation is refused. Money that arrives afterwards goes to the unmatched queue like any other.
 */
import { type Allowance, overLimit } from '../accounts/limits/role-limits.ts'
import type { Instant } from '../core/clock.ts'
import { type IntentId, timeOrderedId } from '../core/ids.ts'
import { type Refusal, refuse } from '../core/refusal.ts'
import { type Scope, wholeAccount } from '../core/scope.ts'
import type { Zone } from '../core/zone.ts'
import { insertEndEvents } from '../intents/end-events.ts'
import { cancelPending } from '../intents/intent-sql.ts'
import type { Tx } from '../postgres/connection/database.ts'
import { openIntentAt, stateAt, type WithIntents } from './checkout.ts'
import { closeEndedCheckoutIntents, storeCheckoutEnd } from './checkout-sql.ts'
import { storeEndOfLocked } from './end-checkouts.ts'
import { intentsOf } from './list-checkouts.ts'
import { closeIntents, lockWithIntents } from './lock-checkout.ts'

export type Cancelled = WithIntents & { readonly cancelledIntent: IntentId | undefined }

/** `ended`: the checkout had ended by itself; its end was stored with its event, although the cancellation is refused. */
export type CancelResult =
  | { readonly kind: 'cancelled'; readonly cancelled: Cancelled }
  | {
      readonly kind: 'refused'
      readonly refusal: Refusal<'checkout_unknown' | 'checkout_not_open' | 'over_limit'>
      readonly ended: boolean
    }

export const cancelCheckout = async (
  tx: Tx,
  zone: Zone,
  request: { readonly scope: Scope; readonly id: string; readonly by: string; readonly allowed: Allowance },
  now: Instant,
): Promise<CancelResult> => {
  const { by } = request
  const over = overLimit(request.allowed, { kind: 'cancel' })
  if (over !== undefined) return { kind: 'refused', refusal: over, ended: false }
  const found = await lockWithIntents(tx, request.scope, request.id)
  if (found === undefined) return { kind: 'refused', refusal: refuse('checkout_unknown'), ended: false }
  // The caller sees the checkout: all of it ends.
  const scope = wholeAccount(request.scope.accountId)
  let locked = await closeIntents(tx, found, zone, now)
  let cancelledIntent: IntentId | undefined
  const isOpen = stateAt(locked.checkout, locked.intents, now).status === 'OPEN'
  const open = isOpen ? openIntentAt(locked.intents, now) : undefined
  if (open !== undefined) {
    const cancellation = { id: open.id, entryId: timeOrderedId<string>(now), by }
    const ended = await cancelPending(tx, scope, cancellation, now)
    await insertEndEvents(tx, 'payment.cancelled', ended, zone, now)
    if (ended.length > 0) cancelledIntent = open.id
    await closeEndedCheckoutIntents(tx, scope, locked.checkout.id)
    locked = { ...locked, intents: await intentsOf(tx, scope, locked.checkout.id) }
  }
  const { checkout, intents } = locked
  const { status } = stateAt(checkout, intents, now)
  if (status !== 'OPEN') {
    const ended = await storeEndOfLocked(tx, locked, zone, now)
    return { kind: 'refused', refusal: refuse('checkout_not_open', { status }), ended }
  }
  await storeCheckoutEnd(tx, scope, checkout.id, 'CANCELLED', now)
  const cancelled = { checkout: { ...checkout, status: 'CANCELLED' as const, endedAt: now }, intents, cancelledIntent }
  return { kind: 'cancelled', cancelled }
}
