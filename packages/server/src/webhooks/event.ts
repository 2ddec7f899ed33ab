/**
 * The events that are sent to merchants: their kinds, and the exact text of each, with the fields and the order of the contract.
 * Pure. The text that is built here is signed and sent, the same bytes at every attempt.
 */
import type { EventKind } from '@sanad/contract/kinds'
import type { Instant } from '../core/clock.ts'
import type { AccountId, AlertId, CheckoutId, EventId, IntentId, WalletId } from '../core/ids.ts'
import { formatMinor, type Minor } from '../core/money.ts'
import type { Zone } from '../core/zone.ts'

export type { EventKind }

export type NewEvent = {
  readonly accountId: AccountId
  readonly id: EventId
  readonly kind: EventKind
  /** Null: a checkout that never had an intent. */
  readonly walletId: WalletId | null
  readonly intentId: IntentId | null
  /** Null: an event of a checkout, or of the end of an unpaid intent. */
  readonly alertId: AlertId | null
  readonly body: string
  readonly createdAt: Instant
}

/** The field `resolution` of payment.received. */
export type Resolution = 'UNMATCHED' | 'MATCHED' | 'WRONG_AMOUNT'

export const verifiedBody = (
  intent: {
    readonly code: string
    readonly id: IntentId
    readonly externalOrderId: string
    readonly reference: string
    readonly base: Minor
    readonly payable: Minor
    readonly currency: string
    readonly manual: boolean
  },
  verifiedAt: Instant,
  zone: Zone,
): string =>
  JSON.stringify({
    event: 'payment.verified',
    ...intentFields(intent),
    currency: intent.currency,
    status: 'VERIFIED',
    verified_at: zone.format(new Date(verifiedAt)),
    manual_override: intent.manual,
  })

/** The first fields of every event about one intent, in the order of the contract. */
const intentFields = (intent: Parameters<typeof verifiedBody>[0]) => ({
  payment_id: intent.code,
  intent_id: intent.id,
  order_id: intent.externalOrderId,
  reference: intent.reference,
  base_amount: formatMinor(intent.base),
  amount: formatMinor(intent.payable),
})

/** The kinds of event for an intent that ended without being verified. They are stored only if an endpoint subscribes to them. */
export type EndKind = Extract<EventKind, 'payment.wrong_amount' | 'payment.expired' | 'payment.cancelled'>

const statusOfEnd: Readonly<Record<EndKind, string>> = {
  'payment.wrong_amount': 'WRONG_AMOUNT',
  'payment.expired': 'EXPIRED',
  'payment.cancelled': 'CANCELLED',
}

export const endKinds = Object.keys(statusOfEnd) as readonly EndKind[]

/** The fields of `payment.verified`, with the amount that arrived (null: none), `ended_at` instead of `verified_at`, and whether
 *  the intent was of the test wallet. */
export const endedBody = (
  kind: EndKind,
  intent: Parameters<typeof verifiedBody>[0] & { readonly paid: Minor | null; readonly isTest: boolean },
  endedAt: Instant,
  zone: Zone,
): string =>
  JSON.stringify({
    event: kind,
    ...intentFields(intent),
    paid_amount: intent.paid === null ? null : formatMinor(intent.paid),
    currency: intent.currency,
    status: statusOfEnd[kind],
    ended_at: zone.format(new Date(endedAt)),
    manual_override: intent.manual,
    is_test: intent.isTest,
  })

export type IncomingMoney = {
  readonly alertId: AlertId
  readonly reference: string | null
  readonly amount: Minor
  readonly currency: string
  readonly receivedAt: Instant
  readonly isTest: boolean
}

/** The first fields of every event about money that arrived, in the order of the contract. */
const moneyFields = (money: IncomingMoney) => ({
  event_id: money.alertId,
  reference: money.reference ?? '',
  amount: formatMinor(money.amount),
  currency: money.currency,
})

/** The last fields of every event about money that arrived. */
const arrivalFields = (money: IncomingMoney, zone: Zone) => ({
  received_at: zone.format(new Date(money.receivedAt)),
  is_test: money.isTest,
})

export const unmatchedBody = (money: IncomingMoney, walletName: string, zone: Zone): string =>
  JSON.stringify({
    event: 'payment.unmatched',
    ...moneyFields(money),
    wallet: walletName,
    ...arrivalFields(money, zone),
  })

export const receivedBody = (money: IncomingMoney, resolution: Resolution, zone: Zone): string =>
  JSON.stringify({
    event: 'payment.received',
    ...moneyFields(money),
    resolution,
    ...arrivalFields(money, zone),
  })

export type EndedCheckout = {
  readonly id: CheckoutId
  readonly externalOrderId: string
  readonly amount: Minor
  readonly paid: Minor
  readonly currency: string
  /** The intents that were paid, in the order of their creation. */
  readonly paidIntents: readonly IntentId[]
  /** As JSON text. */
  readonly metadata: string
  readonly endedAt: Instant
  readonly isTest: boolean
}

export const checkoutBody = (
  kind: 'checkout.completed' | 'checkout.expired',
  checkout: EndedCheckout,
  zone: Zone,
): string => {
  const at = zone.format(new Date(checkout.endedAt))
  return JSON.stringify({
    event: kind,
    checkout_id: checkout.id,
    order_id: checkout.externalOrderId,
    amount: formatMinor(checkout.amount),
    paid: formatMinor(checkout.paid),
    currency: checkout.currency,
    status: kind === 'checkout.completed' ? 'COMPLETE' : 'EXPIRED',
    intents: checkout.paidIntents,
    metadata: JSON.parse(checkout.metadata),
    ...(kind === 'checkout.completed' ? { completed_at: at } : { expired_at: at }),
    is_test: checkout.isTest,
  })
}
