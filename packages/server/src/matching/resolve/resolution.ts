/**
 * A resolution: everything that changes when money ends an intent. The intent, the alert, the timeline entry and the event
 * belong together: they are built here, for every way in which an intent is resolved, and written by one statement
 * (write-resolutions.ts). Pure.
 */
import type { AlertState } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import {
  type AccountId,
  type AlertId,
  type EventId,
  type IntentId,
  timeOrderedId,
  type WalletId,
} from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import type { Zone } from '../../core/zone.ts'
import { type Arrival, arrivalOf } from '../../intents/arrival.ts'
import type { Attachment } from '../../intents/attachment.ts'
import { endedBody, verifiedBody } from '../../webhooks/event.ts'
import type { ResolvedIntent } from '../records/known-alerts.ts'
import { type Doubtful, doubtFacts, doubtsOf } from '../rules/doubts.ts'
import type { Outcome } from '../rules/judge.ts'

export type Resolution = {
  readonly accountId: AccountId
  readonly at: Instant
  readonly intent: {
    readonly id: IntentId
    readonly status: 'VERIFIED' | 'WRONG_AMOUNT'
    readonly payable: Minor
    readonly paid: Minor | null
    /** Null: WRONG_AMOUNT. */
    readonly arrival: Arrival | null
    readonly verifiedAt: Instant | null
    readonly manual: boolean
  }
  readonly alert: {
    readonly id: AlertId
    readonly state: 'matched' | 'wrong_amount' | 'booked'
    /** The stored state. Null: the caller writes the whole alert in this transaction, with the new state. */
    readonly from: AlertState | null
    /** The stored `similar_to` that the decision was made with. If it has changed since, the resolution fails. */
    readonly similarTo: string | null
  }
  readonly timeline: {
    readonly id: string
    readonly kind: 'verified' | 'wrong_amount' | 'booked'
    readonly by: string
    /** The doubts about the alert, as JSON. */
    readonly facts: string
  }
  /** `payment.verified`, or `payment.wrong_amount`, which is stored only if an endpoint subscribes to it. */
  readonly event: {
    readonly id: EventId
    readonly walletId: WalletId
    readonly body: string
    /** The text if the wallet is the test wallet, which the statement knows. Null: the same. */
    readonly testBody: string | null
  }
  /** The reference that is attached in the same step; null: the reference does not change. */
  readonly attachment: Attachment | null
}

export type ResolvingAlert = Doubtful & {
  readonly accountId: AccountId
  readonly id: AlertId
  readonly from: AlertState | null
}

/** What resolves the intent: an alert with its reference (`alert`), an alert with its unique amount (`amount`), an attached
 *  reference, or a member who books the alert. */
export type ResolvedBy =
  | { readonly way: 'alert' | 'amount'; readonly referencesTried: number }
  | { readonly way: 'reference'; readonly referencesTried: number; readonly attachment: Attachment }
  | { readonly way: 'booking'; readonly member: string; readonly arrival: Arrival }

/** Outcomes that end an intent. */
export type Ending = Extract<Outcome, { kind: 'verified' | 'wrong-amount' }>

export const endsIntent = (outcome: Outcome): outcome is Ending =>
  outcome.kind === 'verified' || outcome.kind === 'wrong-amount'

export const resolutionOf = (
  intent: ResolvedIntent,
  alert: ResolvingAlert,
  outcome: Ending,
  by: ResolvedBy,
  now: Instant,
  zone: Zone,
): Resolution => {
  const manual = by.way === 'booking'
  const doubts = doubtsOf(alert, by.way === 'booking' ? 0 : by.referencesTried)
  const common = { accountId: alert.accountId, at: now, attachment: by.way === 'reference' ? by.attachment : null }
  const entry = {
    id: timeOrderedId<string>(now),
    by: by.way === 'booking' ? by.member : by.way,
    facts: doubtFacts(doubts),
  }
  const ended = { id: intent.id, payable: intent.payable }
  const { id, from, similarTo } = alert
  if (outcome.kind === 'wrong-amount') {
    const wrong = { ...intent, manual, paid: outcome.paid }
    const body = (isTest: boolean): string => endedBody('payment.wrong_amount', { ...wrong, isTest }, now, zone)
    return {
      ...common,
      intent: { ...ended, status: 'WRONG_AMOUNT', paid: outcome.paid, arrival: null, verifiedAt: null, manual },
      // The money is not spent: it may still verify one other intent.
      alert: { id, state: 'wrong_amount', from, similarTo },
      timeline: { ...entry, kind: 'wrong_amount' },
      event: {
        id: timeOrderedId<EventId>(now),
        walletId: intent.walletId,
        body: body(false),
        testBody: body(true),
      },
    }
  }
  // The service verifies an intent only by exactly its payable amount; a member may book another one.
  const arrival = by.way === 'booking' ? by.arrival : arrivalOf(intent, intent.payable)
  return {
    ...common,
    intent: { ...ended, status: 'VERIFIED', paid: null, arrival, verifiedAt: outcome.at, manual },
    alert: { id, state: manual ? 'booked' : 'matched', from, similarTo },
    timeline: { ...entry, kind: manual ? 'booked' : 'verified' },
    event: {
      id: timeOrderedId<EventId>(now),
      walletId: intent.walletId,
      body: verifiedBody({ ...intent, manual }, outcome.at, zone),
      testBody: null,
    },
  }
}
