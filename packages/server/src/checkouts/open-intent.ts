/**
 * Creates the intent of a checkout when its buyer has chosen a wallet: an ordinary intent, created by the same code as in the
 * merchant API, with its quota. The checkout is locked meanwhile: of two concurrent choices one creates the intent and the other
 * finds it. Another wallet can be chosen while no reference was sent; then the first intent is cancelled.
 */
import { unlimited } from '../accounts/limits/role-limits.ts'
import type { Instant } from '../core/clock.ts'
import { type CheckoutId, type IntentId, timeOrderedId } from '../core/ids.ts'
import type { Minor } from '../core/money.ts'
import { isRefusal, type Refusal, refuse } from '../core/refusal.ts'
import { type Scope, wholeAccount } from '../core/scope.ts'
import type { Zone } from '../core/zone.ts'
import { intentCreator } from '../intents/create/create-intents.ts'
import { insertEndEvents } from '../intents/end-events.ts'
import { cancelPending } from '../intents/intent-sql.ts'
import { claimForNew } from '../matching/payers/claim-payer.ts'
import { acceptPaid } from '../matching/queue/book-alert.ts'
import type { Db, Tx } from '../postgres/connection/database.ts'
import { joinTransaction } from '../postgres/query/joined.ts'
import { withSavepoints } from '../postgres/query/savepoints.ts'
import type { WalletLookup } from '../wallets/entries/wallet-lookup.ts'
import {
  type Checkout,
  mayCollectInto,
  mayOpenIntent,
  mostIntents,
  openIntentAt,
  pageActor,
  payableRest,
  remainingOf,
  stateAt,
  type WithIntents,
} from './checkout.ts'
import { addCheckoutIntent } from './checkout-sql.ts'
import { storeEndOfLocked } from './end-checkouts.ts'
import { closeIntents, lockWithIntents } from './lock-checkout.ts'

export type OpenDeps = {
  readonly db: Db
  readonly zone: Zone
  readonly window_ms: number
  /** Looks wallets up inside a transaction. */
  readonly walletsIn: (db: Db) => WalletLookup
}

export type OpenRequest = {
  readonly scope: Scope
  readonly id: CheckoutId
  readonly walletId: string
  /** The phone number that the buyer will pay from, as the buyer entered it. Undefined or empty: none was entered. */
  readonly payerPhone?: string
  /** The account's monthly quota; null: none. */
  readonly quota: number | null
  /** Who chose the wallet. Left out: the buyer, on the page. */
  readonly by?: string
}

export type OpenIntentRefusal = Refusal<
  'checkout_unknown' | 'checkout_not_open' | 'checkout_wallet_refused' | 'checkout_intent_limit' | 'quota_exceeded'
>
export type OpenRefusal = OpenIntentRefusal | Refusal<'checkout_rest_refused'>

/** `changed`: the intents that were created or cancelled. `ended`: the checkout had ended, and its end was stored. */
export type Opened = { readonly changed: readonly IntentId[]; readonly ended: boolean }

const createWithin = async (
  deps: OpenDeps,
  tx: Tx,
  checkout: Checkout,
  request: OpenRequest,
  total: Minor,
  now: Instant,
): Promise<IntentId | OpenIntentRefusal> => {
  const { accountId } = checkout
  const within = withSavepoints(joinTransaction(tx))
  const wallets = deps.walletsIn(within)
  const wallet = await wallets.get(wholeAccount(accountId), request.walletId, now)
  if (wallet === undefined || !mayCollectInto(checkout, wallet) || wallet.currency !== checkout.currency)
    return refuse('checkout_wallet_refused')
  const create = intentCreator({ db: within, shared: within, wallets, window_ms: deps.window_ms, zone: deps.zone })
  const created = await create(
    {
      scope: wholeAccount(accountId),
      quota: request.quota,
      createdBy: checkout.createdBy,
      draft: {
        walletId: wallet.id,
        total,
        currency: checkout.currency,
        externalOrderId: checkout.externalOrderId,
        notes: checkout.description,
        // The order's lines add up to the whole amount, so an intent for a part has none.
        items: total === checkout.amount ? checkout.items : '[]',
      },
      wallet,
      endsBy: checkout.expiresAt,
      idempotency: undefined,
      write: () => '',
    },
    now,
  )
  if (!isRefusal(created)) {
    await addCheckoutIntent(tx, wholeAccount(accountId), checkout.id, created.intentId, true)
    const { customerName: name, customerPhone } = checkout
    const { payerPhone: byBuyer = '' } = request
    const claim = { name, phone: byBuyer || customerPhone, source: byBuyer === '' ? 'checkout' : 'buyer' } as const
    await claimForNew(tx, { scope: wholeAccount(accountId), intentId: created.intentId, ...claim }, now)
    return created.intentId as IntentId
  }
  return created.refused === 'quota_exceeded'
    ? refuse('quota_exceeded', { ...created.facts })
    : refuse('checkout_wallet_refused')
}

/** Thrown to roll the transaction back; it carries the refusal. */
class Rollback extends Error {
  readonly refusal: OpenRefusal
  constructor(refusal: OpenRefusal) {
    super(refusal.refused)
    this.refusal = refusal
  }
}

/** A refusal rolls everything back, also the cancellation of the earlier intent. */
const rollbackIfRefused = async <R extends OpenRefusal>(
  db: Db,
  work: (tx: Tx) => Promise<Opened | R>,
): Promise<Opened | R> => {
  try {
    return await db.transaction(async (tx) => {
      const result = await work(tx)
      if (isRefusal(result)) throw new Rollback(result as R)
      return result as Opened
    })
  } catch (fault) {
    if (fault instanceof Rollback) return fault.refusal as R
    throw fault
  }
}

const refusalToOpen = (locked: WithIntents, now: Instant): OpenIntentRefusal =>
  locked.intents.length >= mostIntents && stateAt(locked.checkout, locked.intents, now).status === 'OPEN'
    ? refuse('checkout_intent_limit')
    : refuse('checkout_not_open')

export const openIntent = (deps: OpenDeps, request: OpenRequest, now: Instant): Promise<Opened | OpenIntentRefusal> =>
  rollbackIfRefused<OpenIntentRefusal>(deps.db, async (tx) => {
    const { scope, walletId, by = pageActor } = request
    const found = await lockWithIntents(tx, scope, request.id)
    if (found === undefined) return refuse('checkout_unknown')
    let locked = await closeIntents(tx, found, deps.zone, now)
    const changed: IntentId[] = []
    const open = openIntentAt(locked.intents, now)
    if (open !== undefined) {
      // The same wallet again, or another one after the buyer has sent a reference: the intent stays.
      if (open.walletId === walletId || open.reference !== '') return { changed, ended: false }
      const cancellation = { id: open.id, entryId: timeOrderedId<string>(now), by }
      const cancelled = await cancelPending(tx, scope, cancellation, now)
      await insertEndEvents(tx, 'payment.cancelled', cancelled, deps.zone, now)
      if (cancelled.length > 0) changed.push(open.id)
      locked = await closeIntents(tx, locked, deps.zone, now)
    }
    if (await storeEndOfLocked(tx, locked, deps.zone, now)) return { changed, ended: true }
    if (!mayOpenIntent(locked.checkout, locked.intents, now)) return refusalToOpen(locked, now)
    const total = remainingOf(locked.checkout, locked.intents)
    const created = await createWithin(deps, tx, locked.checkout, request, total, now)
    if (typeof created !== 'string') return created
    return { changed: [...changed, created], ended: false }
  })

/**
 * Lets the buyer pay the rest after a payment that was too small. The amount that arrived is spent on this checkout: its alert
 * verifies a new intent of exactly that amount, so the same money can pay nothing else. Then an intent for the rest is opened.
 */
export const openRest = (deps: OpenDeps, request: OpenRequest, now: Instant): Promise<Opened | OpenRefusal> =>
  rollbackIfRefused<OpenRefusal>(deps.db, async (tx) => {
    const { scope } = request
    const found = await lockWithIntents(tx, scope, request.id)
    if (found === undefined) return refuse('checkout_unknown')
    const locked = await closeIntents(tx, found, deps.zone, now)
    // A second click: the rest is already open.
    if (openIntentAt(locked.intents, now) !== undefined) return { changed: [], ended: false }
    if (await storeEndOfLocked(tx, locked, deps.zone, now)) return { changed: [], ended: true }
    const short = payableRest(locked.checkout, locked.intents, now)
    if (short === undefined || short.intent.alertId === null) return refuse('checkout_rest_refused')
    const booking = {
      scope,
      alertId: short.intent.alertId,
      intentId: short.intent.id,
      by: pageActor,
      byPage: true as const,
      allowed: unlimited,
      paid: short.arrived,
      counted: short.counted,
      endsBy: locked.checkout.expiresAt,
    }
    // A member may have booked or dismissed the money meanwhile: then it does not count for this checkout.
    const part = await acceptPaid(withSavepoints(joinTransaction(tx)), deps.zone, booking, now)
    if (isRefusal(part)) return refuse('checkout_rest_refused')
    await addCheckoutIntent(tx, scope, locked.checkout.id, part.id, false)
    const created = await createWithin(deps, tx, locked.checkout, request, short.rest, now)
    if (typeof created !== 'string') return created
    return { changed: [part.id, created], ended: false }
  })
