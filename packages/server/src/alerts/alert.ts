/** An alert: what a phone reported, what was read in it, and its states. Pure. */
import type { Instant } from '../core/clock.ts'
import type { AccountId, AlertId, IntentId, PhoneId, TemplateId, WalletId } from '../core/ids.ts'
import type { Minor } from '../core/money.ts'

/** What a phone sends, before anything is read in it. */
export type Report = {
  /** Chosen by the phone, and the same when it sends the report again. */
  readonly clientId: string
  readonly kind: 'sms' | 'notification'
  readonly sender: string
  readonly package: string
  readonly title: string
  readonly text: string
  readonly simSlot: '' | 'SIM1' | 'SIM2'
  readonly sentAt: Instant | null
  readonly phoneReceivedAt: Instant | null
}

export type AlertState =
  /** The phone was switched off: stored, and not matched until a member releases it. */
  | 'held'
  /** No template could read it. */
  | 'unread'
  /** A one-time code, or a message of a sender that no wallet and no provider has: sealed, and not shown. */
  | 'hidden'
  /** Money that left the wallet: it verifies nothing, and only moves the balance. */
  | 'debit'
  | 'duplicate'
  /** A credit with a reference that no intent has yet. */
  | 'waiting'
  /** A credit that only a member may book; the reason says why. */
  | 'review'
  /** Spent: it verified an intent. */
  | 'matched'
  | 'booked'
  /** It ended an intent that asked for another amount. It is not spent, and may verify one other. */
  | 'wrong_amount'
  | 'dismissed'

/** Why an alert is in its state. */
export type Reason =
  | ''
  | 'unknown_sender'
  | 'which_wallet'
  | 'not_understood'
  | 'ambiguous'
  | 'no_reference'
  | 'wrong_currency'
  | 'other_sim'
  | 'second_amount'
  | 'low_trust'
  | 'above_limit'
  | 'broken_chain'
  | 'no_intent'
  | 'late'
  | 'device_off'
  | 'same_text'
  | 'same_reference'
  /** A member dismissed an alert of the same money that proved less. */
  | 'dismissed_before'
  /** Stored without a decision because of a fault of ours. */
  | 'not_decided'
  /** The text says that the payment was reversed, failed or is pending. */
  | 'denied'
  /** A notification of an app that is not the provider's. */
  | 'other_app'
  /** The same message was reported for another wallet before. */
  | 'seen_before'
  /** A duplicate: a part of a longer message. */
  | 'message_part'
  /** A part of this message was read as other money, or it is such a part. */
  | 'read_in_part'
  /** Without a reference, on a wallet with unique amounts: why it did not verify the intent that asks for its amount. Several
   *  intents ask for it, or did until a short time ago. */
  | 'amount_of_several'
  /** The intent has a reference: only that verifies it. */
  | 'amount_has_reference'
  /** The intent was paid a short time ago. */
  | 'amount_paid_before'
  /** The money was sent before the intent was made. */
  | 'amount_before_intent'
  /** Another payer was claimed for the intent. */
  | 'amount_payer_differs'
  /** Another message brought the same amount, with a reference or without: it may be the same payment. */
  | 'amount_seen'

/** How long an alert can still be matched with an intent that gets its reference later. */
export const matchable_ms = 24 * 3_600_000

/** The same text from the same sender within this time is one alert: phones resend after a reboot. */
export const sameText_ms = 5_000

/** The same for an app that does not report when a message was sent or received: its retries come later. */
export const sameUntimedText_ms = 10 * 60_000

/** Parts of one message come within this time. */
export const sameMessage_ms = 10 * 60_000

/** A phone that was connected less than this ago counts as new. */
export const newPhone_ms = 24 * 3_600_000

export type Alert = {
  readonly accountId: AccountId
  readonly id: AlertId
  readonly deviceId: PhoneId
  readonly walletId: WalletId | null
  readonly sender: string
  readonly receivedAt: Instant
  readonly templateId: TemplateId | null
  readonly direction: 'credit' | 'debit' | null
  readonly amount: Minor | null
  readonly currency: string | null
  readonly reference: string | null
  readonly referenceKey: string | null
  readonly payer: string | null
  readonly balance: Minor | null
  readonly state: AlertState
  readonly reason: Reason
  readonly intentId: IntentId | null
}
