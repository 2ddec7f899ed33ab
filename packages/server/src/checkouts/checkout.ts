/**
 * A checkout and its states. Pure: from a checkout and its intents it computes the state at an instant, what may be paid next, and
 * whether its end may be stored.
 */
import { type CheckoutStatus, checkoutStatuses } from '@sanad/contract/kinds'
import type { Instant } from '../core/clock.ts'
import { day_ms } from '../core/duration.ts'
import type { AccountId, AlertId, CheckoutId, IntentId, PaymentLinkId, WalletId } from '../core/ids.ts'
import { type Minor, minor } from '../core/money.ts'
import { type Arrival, sumArrivals } from '../intents/arrival.ts'
import { type Status as IntentStatus, statusAt as intentStatusAt } from '../intents/intent.ts'

export { type CheckoutStatus, checkoutStatuses }

export type Locale = 'ar' | 'en'

export type Checkout = {
  readonly accountId: AccountId
  readonly id: CheckoutId
  /** As stored. `stateAt` gives the status at an instant. */
  readonly status: CheckoutStatus
  readonly amount: Minor
  readonly currency: string
  readonly externalOrderId: string
  readonly description: string
  /** The order lines, as the JSON text of answers. */
  readonly items: string
  /** The wallets that may be paid into. Empty: all except the test wallet. */
  readonly wallets: readonly WalletId[]
  readonly returnUrl: string
  readonly cancelUrl: string
  /** As JSON text. */
  readonly metadata: string
  readonly customerName: string
  readonly customerPhone: string
  readonly locale: '' | Locale
  readonly allowRemaining: boolean
  readonly referencesTried: number
  readonly createdBy: string
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly endedAt: Instant | null
  /** The payment link that created it. Null: the merchant's server created it. */
  readonly linkId: PaymentLinkId | null
  /** It can be paid into the test wallet and no other. */
  readonly testOnly: boolean
}

/** An intent as its checkout sees it. */
export type CheckoutIntent = {
  readonly id: IntentId
  readonly walletId: WalletId
  readonly walletName: string
  /** Its wallet is the test wallet. */
  readonly isTest: boolean
  readonly code: string
  readonly status: IntentStatus
  readonly base: Minor
  readonly payable: Minor
  readonly paid: Minor | null
  /** Null: it is not VERIFIED. */
  readonly arrival: Arrival | null
  readonly reference: string
  readonly alertId: AlertId | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly verifiedAt: Instant | null
}

export type WithIntents = { readonly checkout: Checkout; readonly intents: readonly CheckoutIntent[] }

export type CheckoutState = { readonly status: CheckoutStatus; readonly endedAt: Instant | null }

/** The actor in the timeline of an intent for actions on the page. */
export const pageActor = 'checkout'

/** A checkout creates at most so many intents. */
export const mostIntents = 20
/** Over all its intents, a checkout takes at most so many references. */
export const mostReferences = 20
/** The checkout's page shows the result for so long after the end. */
export const receiptLife_ms = 90 * day_ms

/** What arrived for a checkout, and what was forgiven: the sums over its verified intents. A wrong amount is not counted, because
 *  it may still pay another intent. */
export const receivedOf = (intents: readonly CheckoutIntent[]): Arrival =>
  sumArrivals(intents.map(({ arrival }) => arrival))

/** How much of the checkout's amount needs no further payment: the amounts of its verified intents, as they were asked for. If a
 *  member booked or accepted less, the rest was forgiven; the addition of a unique amount pays nothing of the order. */
const settledOf = (intents: readonly CheckoutIntent[]): Minor => {
  let settled = 0n
  for (const intent of intents) if (intent.status === 'VERIFIED') settled += settledBy(intent, intents)
  return minor(settled)
}

/** An accepted amount has an intent of exactly what arrived. If that is not what was asked, it settles what the intent asked for
 *  that ended as WRONG_AMOUNT: the rest was forgiven, and an excess pays nothing else. */
const settledBy = ({ base, payable, alertId, arrival }: CheckoutIntent, intents: readonly CheckoutIntent[]): Minor => {
  const isAccepted = arrival !== null && arrival.arrived === payable && (arrival.forgiven > 0n || arrival.excess > 0n)
  if (!isAccepted) return base
  return intents.find((one) => one.status === 'WRONG_AMOUNT' && one.alertId === alertId)?.base ?? base
}

export const remainingOf = (checkout: Pick<Checkout, 'amount'>, intents: readonly CheckoutIntent[]): Minor =>
  minor(checkout.amount - settledOf(intents))

/** Whether it is test money: a part was paid into the test wallet, or the wallet chosen last is it, or no other can be chosen. */
export const isTestCheckout = (checkout: Pick<Checkout, 'testOnly'>, intents: readonly CheckoutIntent[]): boolean =>
  checkout.testOnly ||
  intents.at(-1)?.isTest === true ||
  intents.some(({ status, isTest }) => isTest && status === 'VERIFIED')

/** The intent that can be paid now. There is one at most. */
export const openIntentAt = (intents: readonly CheckoutIntent[], now: Instant): CheckoutIntent | undefined =>
  intents.find((intent) => intentStatusAt(intent, now) === 'PENDING')

/**
 * The state at an instant. Expiry and payment count at once, before they are stored. No intent ends later than its checkout
 * (`intentEnd`), so nothing can be paid from `expiresAt` on.
 */
export const stateAt = (checkout: Checkout, intents: readonly CheckoutIntent[], now: Instant): CheckoutState => {
  if (checkout.status !== 'OPEN') return { status: checkout.status, endedAt: checkout.endedAt }
  if (remainingOf(checkout, intents) <= 0n)
    return { status: 'COMPLETE', endedAt: Math.max(...intents.map((intent) => intent.verifiedAt ?? 0)) }
  const { expiresAt } = checkout
  return now >= expiresAt ? { status: 'EXPIRED', endedAt: expiresAt } : { status: 'OPEN', endedAt: null }
}

/**
 * The end that may be stored, which is final. An intent that is stored as PENDING can still be verified by a transaction that
 * began before its window ended. So the checkout's expiry is stored only after the end of such an intent.
 */
export const storableEnd = (
  checkout: Checkout,
  intents: readonly CheckoutIntent[],
  now: Instant,
): { readonly status: 'COMPLETE' | 'EXPIRED'; readonly endedAt: Instant } | undefined => {
  const { status, endedAt } = stateAt(checkout, intents, now)
  if (checkout.status !== 'OPEN' || endedAt === null) return undefined
  if (status === 'COMPLETE') return { status, endedAt }
  if (status === 'EXPIRED' && intents.every((intent) => intent.status !== 'PENDING')) return { status, endedAt }
  return undefined
}

/** Whether the page may create a new intent. The caller has handled the intent that is open. */
export const mayOpenIntent = (checkout: Checkout, intents: readonly CheckoutIntent[], now: Instant): boolean =>
  stateAt(checkout, intents, now).status === 'OPEN' && intents.length < mostIntents

type ShortIntent = Pick<CheckoutIntent, 'status' | 'base' | 'payable' | 'paid'>

export type Shortfall<I extends ShortIntent = CheckoutIntent> = {
  readonly intent: I
  readonly arrived: Minor
  /** What is still to be paid of the order. */
  readonly rest: Minor
  /** The part of the order that the amount that arrived pays. */
  readonly counted: Minor
}

/**
 * Defined if too little arrived for the intent. Of a unique amount, whoever pays the order's own amount has not paid the addition:
 * that is the rest, and the order counts as paid up to it.
 */
export const shortfallOf = <I extends ShortIntent>(intent: I): Shortfall<I> | undefined => {
  const { status, base, payable, paid } = intent
  if (status !== 'WRONG_AMOUNT' || paid === null || paid >= payable) return undefined
  const rest = minor(paid < base ? base - paid : payable - paid)
  return rest >= base ? undefined : { intent, arrived: paid, rest, counted: minor(base - rest) }
}

/**
 * The rest after a payment that was too small, if the merchant lets the buyer pay it. Two more intents are needed: one for the
 * amount that arrived and one for the rest.
 */
export const payableRest = (
  checkout: Checkout,
  intents: readonly CheckoutIntent[],
  now: Instant,
): Shortfall | undefined => {
  const allowed = checkout.allowRemaining && intents.length + 2 <= mostIntents && mayOpenIntent(checkout, intents, now)
  const last = intents.at(-1)
  return allowed && last !== undefined ? shortfallOf(last) : undefined
}

/** Whether the checkout may be paid into the wallet. The test wallet is used only if the merchant has listed it. */
export const mayCollectInto = (
  checkout: Pick<Checkout, 'wallets'>,
  wallet: { readonly id: WalletId; readonly isTest: boolean },
): boolean => (checkout.wallets.length === 0 ? !wallet.isTest : checkout.wallets.includes(wallet.id))

/** Whether the time of the receipt is over: then the page answers as if the checkout did not exist. */
export const isForgotten = (state: CheckoutState, now: Instant): boolean =>
  state.endedAt !== null && now >= state.endedAt + receiptLife_ms
