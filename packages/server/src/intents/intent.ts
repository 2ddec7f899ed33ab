/** A payment intent, its states, and its status at an instant. Pure. */
import { type IntentStatus, intentStatuses as statuses } from '@sanad/contract/kinds'
import type { Instant } from '../core/clock.ts'
import {
  type AccountId,
  type AlertId,
  type IntentId,
  type PhoneId,
  paymentCode,
  timeOrderedId,
  type WalletId,
} from '../core/ids.ts'
import type { Minor } from '../core/money.ts'
import type { Arrival } from './arrival.ts'

export { statuses }
export type Status = IntentStatus

export type Item = {
  readonly name: string
  readonly description: string
  readonly price: Minor
  readonly quantity: number
}

export type Intent = {
  readonly accountId: AccountId
  readonly id: IntentId
  readonly walletId: WalletId
  readonly code: string
  /** The stored status. `statusAt` also considers that the window may have closed since. */
  readonly status: Status
  readonly base: Minor
  readonly payable: Minor
  readonly paid: Minor | null
  /** What arrived for it, and what was forgiven. Null: it is not VERIFIED. */
  readonly arrival: Arrival | null
  readonly currency: string
  readonly externalOrderId: string
  readonly notes: string
  /** The order lines, as the JSON text in answers. */
  readonly items: string
  readonly reference: string
  readonly manual: boolean
  readonly createdAt: Instant
  readonly expiresAt: Instant
  readonly verifiedAt: Instant | null
  /** The alert that resolved the intent, and the phone that reported it. */
  readonly matched: Matched | null
}

export type Matched = {
  readonly id: AlertId
  readonly amount: Minor | null
  readonly sender: string
  readonly reference: string | null
  readonly receivedAt: Instant
  readonly phone: { readonly id: PhoneId; readonly name: string }
}

/** Expiry depends only on the time: an intent is EXPIRED at once, before the background loop has stored it. */
export const statusAt = (intent: Pick<Intent, 'status' | 'expiresAt'>, now: Instant): Status =>
  intent.status === 'PENDING' && now >= intent.expiresAt ? 'EXPIRED' : intent.status

export type Draft = {
  readonly walletId: WalletId
  readonly total: Minor
  readonly currency: string
  readonly externalOrderId: string
  readonly notes: string
  readonly items: string
}

/**
 * When an intent that is opened at `now` ends: when its window is over, or at `endsBy` if that is earlier. An intent of a checkout
 * ends with the checkout at the latest (docs/decisions/0058).
 */
export const intentEnd = (now: Instant, window_ms: number, endsBy: Instant = Number.POSITIVE_INFINITY): Instant =>
  Math.min(now + window_ms, endsBy)

/** A new intent, with the amount that the merchant asked for. */
export const newIntent = (
  accountId: AccountId,
  draft: Draft,
  window_ms: number,
  now: Instant,
  endsBy?: Instant,
): Intent => ({
  accountId,
  id: timeOrderedId<IntentId>(now),
  walletId: draft.walletId,
  code: paymentCode(),
  status: 'PENDING',
  base: draft.total,
  payable: draft.total,
  paid: null,
  arrival: null,
  currency: draft.currency,
  externalOrderId: draft.externalOrderId,
  notes: draft.notes,
  items: draft.items,
  reference: '',
  manual: false,
  createdAt: now,
  expiresAt: intentEnd(now, window_ms, endsBy),
  verifiedAt: null,
  matched: null,
})

/**
 * Folds case for searches. This is done here and not in the database, whose locale is unknown. A part of a text must fold as
 * it does inside the whole text: sigma is the only letter with another lower case at the end of a word.
 */
export const fold = (text: string): string => text.toLowerCase().replaceAll('ς', 'σ')

/** Separates the searched fields, so that no term matches across two of them. */
export const fieldMark = '\u001f'
