/**
 * The alerts that will be resolved, and the stored data that they are compared with. That data is read under their locks
 * (read-known-alerts.ts) and updated after each alert, so that the next alert of a batch sees the one before it. Pure.
 */

import { createHash } from 'node:crypto'
import { type AlertState, type Hidden, type Reason, type Report, sameText_ms } from '../../alerts/alert.ts'
import type { Chain } from '../../alerts/balances/balance-chain.ts'
import type { Hiding } from '../../alerts/hidden/hidden-text.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, AlertId, IntentId, PhoneId, TemplateId, WalletId, WalletIdentity } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import type { Status } from '../../intents/intent.ts'
import type { NewAlert, PartRow } from './alert-row.ts'
import type { ClaimedPayer } from './claimed-payer.ts'
import type { CreditReport, Moment, Source } from './credit-report.ts'

/** The fields of a wallet that the verdict on an alert needs. */
export type WalletRules = {
  readonly currency: string
  readonly simSlot: string
  readonly phoneOn: boolean
  readonly reviewAbove: Minor | null
  readonly lowTrustLimit: Minor
  readonly reviewBrokenChains: boolean
}

/** The fields of a wallet that resolving an alert needs. */
export type WatchedWallet = Omit<WalletRules, 'phoneOn'> & {
  readonly id: WalletId
  readonly identity: WalletIdentity
  readonly name: string
  readonly isTest: boolean
  /** Ask also about a credit of the same amount that the same phone reported more than ten minutes apart (same-payment.ts). */
  readonly reviewLaterMessages: boolean
  /** A credit without a reference may verify the intent with its amount. */
  readonly uniqueAmounts: boolean
  /** No money has come into it under its present account number: the first is noted at the wallet. */
  readonly neverReceived?: boolean
  /** Since when messages of its sender count for it; null: from the start. */
  readonly senderAt: Instant | null
}

/** The money that a template read in a report, and its wallet. */
export type MoneyReading = {
  readonly kind: 'read'
  readonly wallet: WatchedWallet
  readonly templateId: TemplateId
  readonly direction: 'credit' | 'debit'
  readonly amount: Minor
  readonly currency: string
  readonly reference: string | null
  readonly referenceKey: string | null
  readonly payer: string | null
  readonly balance: Minor | null
  readonly fee: Minor | null
  /** The text or the title says that the payment was reversed, failed or is pending. */
  readonly denied: boolean
  /** Where a name should be, the text has words of a sentence, or the title has words, which may change what it says. */
  readonly unexpectedWords: boolean
  /** One of the two is said by the title of the notification: the same text may have come without it. */
  readonly titleDoubted: boolean
  /** A notification of an app that is not the provider's. */
  readonly otherApp: boolean
}

export type ReportReading =
  | {
      readonly kind: 'unread'
      readonly reason: Reason
      readonly wallet: WatchedWallet | undefined
      /** Whether the text must be sealed, and why. */
      readonly hidden: Hidden
    }
  | MoneyReading

export type AlertToResolve = {
  readonly accountId: AccountId
  readonly phoneId: PhoneId
  readonly adapter: string
  readonly trusted: boolean
  readonly report: Report
  readonly reading: ReportReading
  /** Seals the text, if it is hidden. */
  readonly hiding: Hiding
  readonly now: Instant
  /** Set for a stored alert that is resolved again: released by a member, or read by a new template. */
  readonly stored?: {
    readonly id: AlertId
    readonly receivedAt: Instant
    readonly was: AlertState
    /** Undefined: no template has read it before, so it has moved no balance. */
    readonly link: StoredLink | undefined
    readonly phoneNew: boolean
    readonly senderNew: boolean
  }
  /** True: match it even if the phone is switched off. False: hold it. Undefined: the phone's switch decides. */
  readonly released?: boolean
  /** A member accepted its balance. */
  readonly balanceAccepted?: boolean
  /** A member said that it is another payment than the one that brought the same amount. */
  readonly anotherPayment?: boolean
}

/** How an alert's balance follows from the one before, in its stored form. An alert that follows from a doubtful end is stored
 *  as `fits`, with the amount that is missing before that end. */
export type StoredLink = Pick<NewAlert, 'chain' | 'chainMissing' | 'chainSince'>

/** A stored alert with a phone's client id. */
export type SameClientIdAlert = {
  readonly id: AlertId
  readonly state: AlertState
  /** Whether a report is the same message. The client id alone does not prove it. */
  readonly isSameMessage: (report: Report) => boolean
}
export type EarlierAlert = {
  readonly id: AlertId
  readonly state: AlertState
  readonly reason: Reason
  readonly amount: Minor | null
  readonly currency: string | null
  readonly trusted: boolean
}
/** A stored alert with the same text, of any wallet of the account. */
export type SameTextAlert = EarlierAlert &
  Moment &
  Source & {
    readonly title: string
    /** Its text and title were erased after their time. */
    readonly erased?: boolean
    readonly simSlot: string
    readonly identity: WalletIdentity | null
    readonly referenceKey: string | null
    readonly link: StoredLink
    /** There are more alerts with this text than were read: this one, the last that was read, stands for them. */
    readonly standsForMore: boolean
  }
/** `announced`: an event has announced the money. `owed`: an event will announce it later. */
export type SameReferenceAlert = EarlierAlert & {
  readonly announced: boolean
  readonly owed: boolean
  readonly link: StoredLink
}

/** The fields of an intent that a resolution needs. */
export type ResolvedIntent = {
  readonly id: IntentId
  /** The wallet that the event names. The alert may be of another entry of the same real wallet. */
  readonly walletId: WalletId
  readonly code: string
  readonly externalOrderId: string
  readonly reference: string
  readonly base: Minor
  readonly payable: Minor
  readonly currency: string
}

/** The PENDING intent that has a reference. */
export type HoldingIntent = ResolvedIntent & { readonly referencesTried: number; readonly expiresAt: Instant }

/** An intent that holds an amount of a real wallet: it is open, or ended so lately that the amount rests. */
export type AmountHoldingIntent = HoldingIntent & {
  readonly status: Status
  readonly createdAt: Instant
  readonly hasReference: boolean
  /** The claimed payer; empty: none was claimed. */
  readonly claimed: ClaimedPayer
}

/** A stored credit of the same amount. */
export type RecentAmount = CreditReport & {
  readonly id: AlertId
  readonly spent: boolean
  /** The intent that it verified, if it is spent. */
  readonly intentId: IntentId | null
  /** There are more credits of its kind than were read. It stands for them: it counts as the same payment. */
  readonly standsForMore: boolean
}

/** Alerts of this time were not read, because there were too many. */
export type NotRead = { readonly from: Instant; readonly until: Instant }

/** Keys of the maps: `clientKey`, `moneyKey`, `amountKey`, and the fingerprint in hex. */
export type KnownAlerts = {
  readonly phones: ReadonlyMap<PhoneId, { readonly on: boolean; readonly pairedAt: Instant | null }>
  readonly byClientId: Map<string, SameClientIdAlert>
  readonly byFingerprint: Map<string, SameTextAlert[]>
  /** Alerts of the last minutes that may be parts of the same message. */
  readonly recentParts: Map<AccountId, readonly PartRow[]>
  /** Times of which not all such alerts were read. */
  readonly partsNotRead: ReadonlyMap<AccountId, readonly NotRead[]>
  readonly byReference: Map<string, SameReferenceAlert[]>
  /** Stored alerts of the batch that an event has announced. */
  readonly announced: ReadonlySet<AlertId>
  readonly intents: Map<string, HoldingIntent>
  /** `alertId`: the alert of this batch that moved the balance last; absent: none did. */
  readonly balances: Map<WalletIdentity, Chain & { readonly alertId?: AlertId }>
  /** For wallets with unique amounts: the intents that hold an amount. */
  readonly amountHolders: Map<string, AmountHoldingIntent[]>
  /** Stored credits of an amount, with a reference, or without one and spent. A new alert may report the same payment. */
  readonly recentAmounts: Map<string, readonly RecentAmount[]>
  /** Wallets on which an intent without a reference is open. */
  readonly awaitingReference: ReadonlySet<WalletIdentity>
}

/** Whether it is a credit of a wallet with unique amounts. */
export const matchesByAmount = (alert: AlertToResolve): alert is AlertToResolve & { readonly reading: MoneyReading } =>
  alert.reading.kind === 'read' && alert.reading.direction === 'credit' && alert.reading.wallet.uniqueAmounts

/** A credit that the service may match: by its reference, or by its amount. */
export const isMatchable = (alert: AlertToResolve): alert is AlertToResolve & { readonly reading: MoneyReading } =>
  matchesByAmount(alert) ||
  (alert.reading.kind === 'read' && alert.reading.direction === 'credit' && alert.reading.referenceKey !== null)

export const hiddenKind = ({ reading }: Pick<AlertToResolve, 'reading'>): Hidden =>
  reading.kind === 'read' ? '' : reading.hidden

export const clientKey = (phoneId: PhoneId, clientId: string): string => `${phoneId} ${clientId}`
export const moneyKey = (identity: WalletIdentity, referenceKey: string): string => `${identity} ${referenceKey}`

export const textDigest = ({ sender, text }: Pick<Report, 'sender' | 'text'>): Buffer =>
  createHash('sha256').update(`${sender}\n${text}`).digest()

/** The same text sent at another time is another message. A report without a time counts as sent at the same time. */
export const sameSentTime = (a: Instant | null, b: Instant | null): boolean =>
  a === null || b === null || Math.abs(a - b) <= sameText_ms

/**
 * The client id under which a message is stored: the phone's own, unless another message already has it (an agent that was
 * installed again counts from the beginning). Then the id is derived from the message, so that a retry gets the same id.
 */
export const clientIdFor = (byClientId: KnownAlerts['byClientId'], phoneId: PhoneId, report: Report): string => {
  const holder = byClientId.get(clientKey(phoneId, report.clientId))
  return holder === undefined || holder.isSameMessage(report) ? report.clientId : derivedClientId(report)
}

const derivedClientId = ({ clientId, sender, text, sentAt }: Report): string =>
  `again:${createHash('sha256')
    .update(JSON.stringify([clientId, sender, text, sentAt]))
    .digest('hex')}`
