/**
 * A member collects the rest after a payment that was too small, by the rule by which a buyer pays it (`openRest`): what arrived
 * verifies a new intent of exactly that amount, which counts as a part, and only the rest is still asked for. The member shares the
 * page of a checkout: that of the intent while it is open, otherwise a new one over the whole order. The buyer chooses the wallet
 * there. The checkout is locked before the alert, as in `openRest`.
 */
import type { Allowance } from '../accounts/limits/role-limits.ts'
import type { Instant } from '../core/clock.ts'
import { day_ms } from '../core/duration.ts'
import { type CheckoutId, type IntentId, timeOrderedId, type UserId } from '../core/ids.ts'
import type { Minor } from '../core/money.ts'
import { isRefusal, type Refusal, refuse } from '../core/refusal.ts'
import { type Scope, wholeAccount } from '../core/scope.ts'
import type { Zone } from '../core/zone.ts'
import { insertEndEvents } from '../intents/end-events.ts'
import type { Intent } from '../intents/intent.ts'
import { cancelPending } from '../intents/intent-sql.ts'
import { acceptPaid, type BookingRefusal } from '../matching/queue/book-alert.ts'
import type { Tx } from '../postgres/connection/database.ts'
import { joinTransaction } from '../postgres/query/joined.ts'
import { withSavepoints } from '../postgres/query/savepoints.ts'
import { mostIntents, openIntentAt, shortfallOf, stateAt, type WithIntents } from './checkout.ts'
import { addCheckoutIntent, checkoutOf, lockCheckoutOfIntent } from './checkout-sql.ts'
import type { CheckoutTokens } from './checkout-token.ts'
import { createCheckout, emptyDraft } from './create-checkout.ts'
import { intentsOf } from './list-checkouts.ts'
import { closeIntents } from './lock-checkout.ts'

export type CollectRequest = {
  readonly scope: Scope
  /** The intent that ended as WRONG_AMOUNT. */
  readonly intent: Intent
  readonly isTest: boolean
  readonly by: string
  /** Who takes the part that arrived: it belongs to a shift of this member. */
  readonly userId?: UserId
  /** What the member may do without asking. */
  readonly allowed: Allowance
  /** What arrived, as the member saw it. */
  readonly paid: Minor
  readonly anotherPayment: boolean
}

/** `part`: the intent of what arrived. `made`: the checkout is new. `cancelled`: the open intent over the whole amount. */
export type Collected = {
  readonly checkoutId: CheckoutId
  readonly part: Intent
  readonly rest: Minor
  readonly made: boolean
  readonly cancelled: IntentId | undefined
}

export type CollectRefusal = BookingRefusal | Refusal<'checkout_rest_refused' | 'checkout_intent_limit'>

/** The link is sent to somebody who has left: it can be paid for a day. */
const life_s = day_ms / 1000

export const collectRest = async (
  tx: Tx,
  deps: { readonly zone: Zone; readonly tokens: CheckoutTokens },
  request: CollectRequest,
  now: Instant,
): Promise<Collected | CollectRefusal> => {
  const { scope, intent, by, paid } = request
  const short = shortfallOf(intent)
  if (intent.matched === null || short === undefined) return refuse('checkout_rest_refused')
  const open = await lockOpenCheckout(tx, scope, intent, deps.zone, now)
  let cancelled: IntentId | undefined
  if (open !== undefined) {
    // The part, and an intent of the rest.
    if (open.intents.length + 2 > mostIntents) return refuse('checkout_intent_limit')
    const other = openIntentAt(open.intents, now)
    // Its money may be on the way, over the whole amount.
    if (other !== undefined && other.reference !== '') return refuse('checkout_rest_refused')
    if (other !== undefined) {
      const cancellation = { id: other.id, entryId: timeOrderedId<string>(now), by }
      const rows = await cancelPending(tx, scope, cancellation, now)
      await insertEndEvents(tx, 'payment.cancelled', rows, deps.zone, now)
      if (rows.length > 0) cancelled = other.id
      await closeIntents(tx, open, deps.zone, now)
    }
  }
  const within = withSavepoints(joinTransaction(tx))
  const checkout = open?.checkout ?? (await newCheckout(within, deps, request, now))
  const booking = {
    scope,
    alertId: intent.matched.id,
    intentId: intent.id,
    by,
    ...(request.userId === undefined ? {} : { userId: request.userId }),
    allowed: request.allowed,
    paid,
    anotherPayment: request.anotherPayment,
    counted: short.counted,
    endsBy: checkout.expiresAt,
  }
  const part = await acceptPaid(within, deps.zone, booking, now)
  if (isRefusal(part)) return part
  await addCheckoutIntent(tx, wholeAccount(scope.accountId), checkout.id, part.id, false)
  return { checkoutId: checkout.id, part, rest: short.rest, made: open === undefined, cancelled }
}

/** The checkout of the intent, locked, if it can still be paid. */
const lockOpenCheckout = async (
  tx: Tx,
  scope: Scope,
  intent: Intent,
  zone: Zone,
  now: Instant,
): Promise<WithIntents | undefined> => {
  const [row] = await lockCheckoutOfIntent(tx, scope, intent.id)
  if (row === undefined) return undefined
  const checkout = checkoutOf(row)
  const locked = await closeIntents(tx, { checkout, intents: await intentsOf(tx, scope, checkout.id) }, zone, now)
  return stateAt(checkout, locked.intents, now).status === 'OPEN' ? locked : undefined
}

const newCheckout = async (
  db: ReturnType<typeof withSavepoints>,
  { tokens }: { readonly tokens: CheckoutTokens },
  { scope, intent, isTest, by }: CollectRequest,
  now: Instant,
) => {
  const draft = {
    ...emptyDraft,
    amount: intent.base,
    currency: intent.currency,
    externalOrderId: intent.externalOrderId,
    // The rest may come by another real wallet. Test money stays in the test wallet.
    wallets: isTest ? [intent.walletId] : [],
    // The shop collects a rest here: it may come in two parts again.
    allowRemaining: true,
    life_s,
  }
  const created = await createCheckout({ db, tokens }, { scope, createdBy: by, draft, idempotency: undefined }, now)
  if (isRefusal(created)) throw new Error('a checkout without a key was refused')
  return created.checkout
}
