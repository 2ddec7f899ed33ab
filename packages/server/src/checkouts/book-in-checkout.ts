/**
 * A booking by a member, with the checkout of its intent. If the money goes onto a new intent in place of one that has ended (a wrong
 * amount is accepted, or an expired intent is copied) and the checkout is open, the new intent is added to it. What was forgiven
 * counts as settled: the checkout is complete, and the buyer's page says so. The checkout is locked before the alert, as when the
 * buyer pays the rest.
 */
import type { Instant } from '../core/clock.ts'
import { type CheckoutId, type IntentId, timeOrderedId } from '../core/ids.ts'
import { isRefusal } from '../core/refusal.ts'
import { type Scope, wholeAccount } from '../core/scope.ts'
import type { Zone } from '../core/zone.ts'
import { insertEndEvents } from '../intents/end-events.ts'
import type { Intent } from '../intents/intent.ts'
import { cancelPending } from '../intents/intent-sql.ts'
import type { BookingRefusal } from '../matching/queue/book-alert.ts'
import type { Tx } from '../postgres/connection/database.ts'
import { openIntentAt, stateAt, type WithIntents } from './checkout.ts'
import { addCheckoutIntent, checkoutOf, lockCheckoutOfIntent } from './checkout-sql.ts'
import { storeEndOfLocked } from './end-checkouts.ts'
import { intentsOf } from './list-checkouts.ts'
import { closeIntents } from './lock-checkout.ts'

/** `checkoutId`: the open checkout that was paid. `cancelled`: its open intent, which nobody has to pay any more. */
export type BookedInCheckout = {
  readonly intent: Intent
  readonly checkoutId: CheckoutId | undefined
  readonly cancelled: IntentId | undefined
}

/** `book`: books the money, in this transaction. */
export const bookInCheckout = async (
  tx: Tx,
  booking: { readonly scope: Scope; readonly intentId: string; readonly by: string },
  book: () => Promise<Intent | BookingRefusal>,
  zone: Zone,
  now: Instant,
): Promise<BookedInCheckout | BookingRefusal> => {
  const { scope, intentId, by } = booking
  const [row] = await lockCheckoutOfIntent(tx, scope, intentId)
  const checkout = row && checkoutOf(row)
  const isOpen =
    checkout !== undefined && stateAt(checkout, await intentsOf(tx, scope, checkout.id), now).status === 'OPEN'
  const intent = await book()
  if (isRefusal(intent)) return intent
  if (!isOpen) return { intent, checkoutId: undefined, cancelled: undefined }
  if (intent.id !== intentId) await addCheckoutIntent(tx, scope, checkout.id, intent.id, false)
  const found = { checkout, intents: await intentsOf(tx, scope, checkout.id) }
  const cancelled = await cancelUnpaid(tx, found, by, zone, now)
  await storeEndOfLocked(tx, await closeIntents(tx, found, zone, now), zone, now)
  return { intent, checkoutId: checkout.id, cancelled }
}

/** Cancels the open intent of a checkout that is complete. If the buyer has sent a reference, the money may be on its way: then the
 *  intent stays, and its money is shown as paid too much. */
const cancelUnpaid = async (tx: Tx, { checkout, intents }: WithIntents, by: string, zone: Zone, now: Instant) => {
  const open = openIntentAt(intents, now)
  if (open === undefined || open.reference !== '' || stateAt(checkout, intents, now).status !== 'COMPLETE')
    return undefined
  const cancellation = { id: open.id, entryId: timeOrderedId<string>(now), by }
  const rows = await cancelPending(tx, wholeAccount(checkout.accountId), cancellation, now)
  await insertEndEvents(tx, 'payment.cancelled', rows, zone, now)
  return rows.length > 0 ? open.id : undefined
}
