/** An alert: what a phone reported, what was read in it, and its states. Pure. */
import type { AlertReason, AlertState } from '@sanad/contract/kinds'
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

export type { AlertState }
export type Reason = AlertReason

/** An alert in one of these states stands for its reference: another alert with the reference is compared with it. */
export const standingStates = ['waiting', 'matched', 'wrong_amount', 'booked'] as const satisfies readonly AlertState[]

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
