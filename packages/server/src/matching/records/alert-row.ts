/** The rows that matching reads and writes: new alerts, changes of alerts, parts of messages, saved balances, and timeline
 *  entries of intents that were not matched. Pure. */
import type { AlertState, Hidden, Reason } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, AlertId, IntentId, PhoneId, TemplateId, WalletId, WalletIdentity } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import type { Scope } from '../../core/scope.ts'

/** An alert that a request names. */
export type AlertRef = { readonly scope: Scope; readonly alertId: string }

export type NewAlert = {
  readonly accountId: AccountId
  readonly id: AlertId
  readonly phoneId: PhoneId
  readonly clientId: string
  readonly adapter: string
  readonly trusted: boolean
  readonly kind: 'sms' | 'notification'
  readonly sender: string
  readonly package: string
  readonly title: string
  readonly text: string
  readonly simSlot: string
  readonly sentAt: Instant | null
  readonly phoneReceivedAt: Instant | null
  readonly receivedAt: Instant
  readonly normaliserVersion: number
  readonly fingerprint: Buffer
  readonly walletId: WalletId | null
  readonly identity: WalletIdentity | null
  readonly templateId: TemplateId | null
  readonly direction: 'credit' | 'debit' | null
  readonly amount: Minor | null
  readonly currency: string | null
  readonly reference: string | null
  readonly referenceKey: string | null
  readonly payer: string | null
  readonly balance: Minor | null
  readonly chain: 'fits' | 'break' | 'unknown' | null
  readonly chainMissing: Minor | null
  readonly chainSince: Instant | null
  readonly state: AlertState
  readonly reason: Reason
  readonly duplicateOf: AlertId | null
  readonly intentId: IntentId | null
  readonly unmatchedOwed: boolean
  readonly phoneNew: boolean
  readonly senderNew: boolean
  readonly deniedBy: AlertId | null
  readonly similarTo: AlertId | null
  readonly hidden: Hidden
  readonly sealedText: Buffer | null
  readonly forgetAt: Instant | null
}

export type AlertChange = Pick<
  NewAlert,
  'accountId' | 'id' | 'state' | 'reason' | 'intentId' | 'duplicateOf' | 'unmatchedOwed'
> & { readonly from: AlertState }

/** A stored alert that may be a part of a new alert's message, or contain it. */
export type PartRow = {
  readonly id: AlertId
  readonly device_id: PhoneId
  /** Whether the report was signed by the phone. */
  readonly trusted: boolean
  readonly sender: string
  readonly title: string
  readonly raw_text: string
  readonly received_at: Instant
  readonly identity: WalletIdentity | null
  readonly state: AlertState
  readonly reason: Reason
  readonly direction: 'credit' | 'debit' | null
  readonly amount: Minor | null
  readonly reference_key: string | null
}

export type SavedBalance = {
  readonly walletId: WalletIdentity
  readonly balance: Minor
  readonly alertId: AlertId
  readonly at: Instant
  readonly doubts: string
  /** Alerts that waited for this balance may be matched now. */
  readonly toRelease: boolean
}

/** A timeline entry for an intent whose amount arrived in an alert that did not verify it. */
export type NotMatched = {
  readonly accountId: AccountId
  readonly intentId: IntentId
  readonly entryId: string
  readonly alertId: AlertId
  readonly at: Instant
  /** The facts of the entry, as JSON. */
  readonly facts: string
}
