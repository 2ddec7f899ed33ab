/**
 * A checkout and its states. Pure: decides from a checkout and its intents what it is at an instant, what may be paid next, and
 * when its end may be stored.
 */
import { type CheckoutStatus, checkoutStatuses } from '@sanad/contract/kinds'
import type { Instant } from '../core/clock.ts'
import type { AccountId, AlertId, CheckoutId, IntentId, PaymentLinkId, WalletId } from '../core/ids.ts'
import { type Minor, minor } from '../core/money.ts'
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
  /** The order lines as the JSON text that answers carry. */
  readonly items: string
  /** Empty: all wallets that are offered. */
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
  /** Null: the merchant's server made it. */
  readonly linkId: PaymentLinkId | null
}

/** An intent as its checkout sees it. */
export type CheckoutIntent = {
  readonly id: IntentId
  readonly walletId: WalletId
  readonly walletName: string
  readonly code: string
  readonly status: IntentStatus
  readonly base: Minor
  readonly payable: Minor
  readonly paid: Minor | null
  readonly reference: string
  readonly alertId: AlertId | null
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly verifiedAt: Instant | null
}

export type WithIntents = { readonly checkout: Checkout; readonly intents: readonly CheckoutIntent[] }

export type CheckoutState = { readonly status: CheckoutStatus; readonly endedAt: Instant | null }

/** Who is named in the timeline of an intent for what happened on the page. */
export const pageActor = 'checkout'

/** A checkout makes at most so many intents. */
export const mostIntents = 20
/** Over all its intents, a checkout takes at most so many references. */
export const mostReferences = 20
/** The link shows what became of the checkout for so long after its end. */
export const receiptLife_ms = 90 * 86_400_000

/** What is paid: the sum of the verified intents. A wrong amount is not counted, because it may yet pay another intent. */
export const paidOf = (intents: readonly CheckoutIntent[]): Minor => {
  let paid = 0n
  for (const one of intents) if (one.status === 'VERIFIED') paid += one.base
  return minor(paid)
}

export const remainingOf = (checkout: Pick<Checkout, 'amount'>, intents: readonly CheckoutIntent[]): Minor =>
  minor(checkout.amount - paidOf(intents))

/** The intent that can be paid now. There is one at most. */
export const openIntentAt = (intents: readonly CheckoutIntent[], now: Instant): CheckoutIntent | undefined =>
  intents.find((one) => intentStatusAt(one, now) === 'PENDING')

/** When nothing more can be paid: an intent that was open when the checkout's own time ended is still waited for. */
const closesAt = (checkout: Checkout, intents: readonly CheckoutIntent[]): Instant => {
  let end = checkout.expiresAt
  for (const one of intents)
    if ((one.status === 'PENDING' || one.status === 'EXPIRED') && one.expiresAt > end) end = one.expiresAt
  return end
}

/** Expiry and payment show at once, before they are stored. */
export const stateAt = (checkout: Checkout, intents: readonly CheckoutIntent[], now: Instant): CheckoutState => {
  if (checkout.status !== 'OPEN') return { status: checkout.status, endedAt: checkout.endedAt }
  if (remainingOf(checkout, intents) <= 0n)
    return { status: 'COMPLETE', endedAt: Math.max(...intents.map((one) => one.verifiedAt ?? 0)) }
  const end = closesAt(checkout, intents)
  return now >= end ? { status: 'EXPIRED', endedAt: end } : { status: 'OPEN', endedAt: null }
}

/**
 * The end that may be stored, which is final. An intent that is stored as PENDING can still be verified by a transaction that
 * began before its window ended: until its end is stored, the checkout's expiry is not.
 */
export const storableEnd = (
  checkout: Checkout,
  intents: readonly CheckoutIntent[],
  now: Instant,
): { readonly status: 'COMPLETE' | 'EXPIRED'; readonly endedAt: Instant } | undefined => {
  const { status, endedAt } = stateAt(checkout, intents, now)
  if (checkout.status !== 'OPEN' || endedAt === null) return undefined
  if (status === 'COMPLETE') return { status, endedAt }
  if (status === 'EXPIRED' && intents.every((one) => one.status !== 'PENDING')) return { status, endedAt }
  return undefined
}

/** Whether the page may make a new intent. The caller has dealt with the one that is open. */
export const mayOpenIntent = (checkout: Checkout, intents: readonly CheckoutIntent[], now: Instant): boolean =>
  stateAt(checkout, intents, now).status === 'OPEN' && now < checkout.expiresAt && intents.length < mostIntents

export type Shortfall = { readonly intent: CheckoutIntent; readonly arrived: Minor; readonly rest: Minor }

/** The last payment was too small. */
export const shortfallOf = (intents: readonly CheckoutIntent[]): Shortfall | undefined => {
  const last = intents.at(-1)
  if (last?.status !== 'WRONG_AMOUNT' || last.paid === null || last.paid >= last.base) return undefined
  return { intent: last, arrived: last.paid, rest: minor(last.base - last.paid) }
}

/**
 * What is left after too small a payment, if the merchant lets the buyer pay the rest. Two more intents are needed: one for what
 * arrived and one for the rest.
 */
export const payableRest = (
  checkout: Checkout,
  intents: readonly CheckoutIntent[],
  now: Instant,
): Shortfall | undefined => {
  const allowed = checkout.allowRemaining && intents.length + 2 <= mostIntents && mayOpenIntent(checkout, intents, now)
  return allowed ? shortfallOf(intents) : undefined
}

/** May money for this checkout be collected into the wallet? The test wallet only where the merchant has named it. */
export const mayCollectInto = (
  checkout: Pick<Checkout, 'wallets'>,
  wallet: { readonly id: WalletId; readonly isTest: boolean },
): boolean => (checkout.wallets.length === 0 ? !wallet.isTest : checkout.wallets.includes(wallet.id))

/** Whether the receipt's time is over: then the link answers like one that does not exist. */
export const isForgotten = (state: CheckoutState, now: Instant): boolean =>
  state.endedAt !== null && now >= state.endedAt + receiptLife_ms
