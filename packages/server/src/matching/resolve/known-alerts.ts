/**
 * What is settled, and what is known while it is: an alert with what was read in it, and the book of all that was there
 * before, read under the locks and kept up to date. Pure.
 */
import { createHash } from 'node:crypto'
import { type AlertState, type Reason, type Report, sameText_ms } from '../../alerts/alert.ts'
import type { Chain } from '../../alerts/balances/balance-chain.ts'
import type { Hidden, Hiding } from '../../alerts/hidden/hidden-text.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, AlertId, DeviceId, IntentId, TemplateId, WalletId, WalletIdentity } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import type { WalletRules } from '../rules/judge.ts'
import type { Moment, Source } from '../rules/same-message.ts'
import type { PartRow } from './known-alerts-sql.ts'
import type { NewAlert } from './matching-sql.ts'

/** A wallet as far as alerts concern it. */
export type WatchedWallet = Omit<WalletRules, 'deviceOn'> & {
  readonly id: WalletId
  readonly identity: WalletIdentity
  readonly name: string
  readonly isTest: boolean
}

export type ReadMoney = {
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
  /** Its words say that the payment was reversed, failed or is pending. */
  readonly denied: boolean
  /** A notification of an app that is not the provider's. */
  readonly otherApp: boolean
}

/** What was made of the text. */
export type Understood =
  | {
      readonly kind: 'unread'
      readonly reason: Reason
      readonly wallet: WatchedWallet | undefined
      /** Whether its text is to be sealed, and why. */
      readonly hidden: Hidden
    }
  | ReadMoney

export type Settling = {
  readonly accountId: AccountId
  readonly deviceId: DeviceId
  readonly adapter: string
  readonly trusted: boolean
  readonly report: Report
  readonly understood: Understood
  /** How it is sealed, if it is hidden. */
  readonly hiding: Hiding
  readonly now: Instant
  /** An alert that is already there: released by a person, or read by a new template. */
  readonly stored?: {
    readonly id: AlertId
    readonly receivedAt: Instant
    readonly was: AlertState
    /** Undefined: nobody has read it before, so it has moved no balance. */
    readonly link: StoredLink | undefined
    readonly phoneNew: boolean
  }
  /** Whether it is matched, whatever the phone's switch says now. Undefined: the switch decides. */
  readonly released?: boolean
  /** A person took its balance for true. */
  readonly balanceAccepted?: boolean
}

/** How an alert's balance follows from the one before, as it is stored: one that follows from a doubtful one fits, and says
 *  what is missing before that. */
export type StoredLink = Pick<NewAlert, 'chain' | 'chainMissing' | 'chainSince'>

export type Known = { readonly id: AlertId; readonly state: AlertState }
/** `says`: whether it is this very message. */
export type Called = Known & { readonly says: (report: Report) => boolean }
export type Said = Known & {
  readonly reason: Reason
  readonly amount: Minor | null
  readonly currency: string | null
  readonly trusted: boolean
}
/** An alert with the same text, wherever in the account it came. */
export type SameWords = Said &
  Moment &
  Source & {
    readonly simSlot: string
    readonly identity: WalletIdentity | null
    readonly referenceKey: string | null
  }
/** `told`: an event says that it came. `owed`: one will. */
export type Named = Said & { readonly told: boolean; readonly owed: boolean; readonly link: StoredLink }

export type Claim = {
  readonly id: IntentId
  /** How many different references it has had. */
  readonly tried: number
  readonly code: string
  readonly externalOrderId: string
  readonly reference: string
  readonly base: Minor
  readonly payable: Minor
  readonly currency: string
  readonly expiresAt: Instant
}

/** What is already known. Keys: see `clientPlace`, `place`. */
export type Book = {
  readonly phones: ReadonlyMap<DeviceId, { readonly on: boolean; readonly pairedAt: Instant | null }>
  readonly byClient: Map<string, Called>
  readonly byPrint: Map<string, SameWords[]>
  /** Alerts of the last minutes that may be parts of the same message. */
  readonly recent: PartRow[]
  readonly byReference: Map<string, Named[]>
  /** Of what is settled again, what an event told of. */
  readonly told: ReadonlySet<AlertId>
  /** The PENDING intent that holds a reference. */
  readonly claims: Map<string, Claim>
  /** With an alert's id once an alert of this batch has moved it. */
  readonly balances: Map<WalletIdentity, Chain & { readonly alertId?: AlertId }>
  /** Wallets on which an intent without a reference is open. */
  readonly awaiting: ReadonlySet<WalletIdentity>
}

export const hiddenIn = ({ understood }: Pick<Settling, 'understood'>): Hidden =>
  understood.kind === 'read' ? '' : understood.hidden

export const clientPlace = (deviceId: DeviceId, clientId: string): string => `${deviceId} ${clientId}`
export const place = (identity: WalletIdentity, referenceKey: string): string => `${identity} ${referenceKey}`

export const wordsOf = ({ sender, text }: Pick<Report, 'sender' | 'text'>): Buffer =>
  createHash('sha256').update(`${sender}\n${text}`).digest()

/** The same words sent at another time are another message; where a phone does not say when, they are the same. */
export const sameSending = (a: Instant | null, b: Instant | null): boolean =>
  a === null || b === null || Math.abs(a - b) <= sameText_ms

/**
 * Under which name a message is stored: the phone's own, unless another message has it already (an agent that was set up
 * anew counts from the beginning). Then one that is made of the message, the same when it comes again.
 */
export const nameIn = (byClient: Book['byClient'], deviceId: DeviceId, report: Report): string => {
  const holder = byClient.get(clientPlace(deviceId, report.clientId))
  return holder === undefined || holder.says(report) ? report.clientId : anotherName(report)
}

const anotherName = ({ clientId, sender, text, sentAt }: Report): string =>
  `again:${createHash('sha256')
    .update(JSON.stringify([clientId, sender, text, sentAt]))
    .digest('hex')}`
