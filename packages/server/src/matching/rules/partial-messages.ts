/**
 * Parts of one message. A long SMS is sent in two parts, and a phone or an app may report one of them: the longer text
 * counts. If part and whole were read as different money, both are for review. Pure.
 */

import type { AlertState } from '../../alerts/alert.ts'
import { type ComparedText, comparedText, isPartOf } from '../../alerts/texts/message-parts.ts'
import { normalise } from '../../alerts/texts/normalise.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, AlertId } from '../../core/ids.ts'
import type { AlertChange, PartRow } from '../resolve/alert-row.ts'
import type { AlertToResolve, MoneyReading } from '../resolve/known-alerts.ts'
import { inSameMinutes } from './same-message.ts'

export type Parts = {
  /** A longer message that contains this one. */
  readonly whole: PartRow | undefined
  /** Shorter messages that this one contains. */
  readonly pieces: readonly PartRow[]
}

/** In a batch each alert is compared with all before it: without this, a batch of a hundred normalised 5,000 texts. */
const comparedTexts = new WeakMap<PartRow, ComparedText>()

const comparedTextOf = (row: PartRow): ComparedText => {
  const known = comparedTexts.get(row) ?? comparedText(normalise(row.raw_text))
  comparedTexts.set(row, known)
  return known
}

/** Messages of the same sender within ten minutes, of which one is a part of the other. */
export const findParts = (
  alert: AlertToResolve,
  id: AlertId,
  receivedAt: Instant,
  recent: readonly PartRow[],
): Parts => {
  const near = recent.filter(
    (one) => one.id !== id && one.sender === alert.report.sender && inSameMinutes(one.received_at, receivedAt),
  )
  if (near.length === 0) return { whole: undefined, pieces: [] }
  const text = comparedText(normalise(alert.report.text))
  return {
    whole: near.find((one) => isPartOf(text, comparedTextOf(one))),
    pieces: near.filter((one) => isPartOf(comparedTextOf(one), text)),
  }
}

export type ComparedParts = {
  /** Parts of this message that were read as the same money, or not at all: this one supersedes them. */
  readonly same: readonly PartRow[]
  /** Parts of this message, or the whole of it, that were read as other money. */
  readonly different: readonly PartRow[]
  /** The longer message that contains this one and was read as the same money. */
  readonly whole: PartRow | undefined
  /** A part of this message that is booked already, or that verified an intent by its amount. */
  readonly spent: (PartRow & { readonly trusted: boolean; readonly currency: string | null }) | undefined
}

const spentStates: readonly AlertState[] = ['booked', 'matched']

export const compareParts = (money: MoneyReading, { whole, pieces }: Parts): ComparedParts => {
  const agrees = (one: PartRow): boolean =>
    one.amount === money.amount && (one.reference_key === null || one.reference_key === money.referenceKey)
  const open = pieces.filter(({ state }) => !spentStates.includes(state))
  const same = open.filter((one) => one.state === 'unread' || (one.reference_key === null && agrees(one)))
  const wholeAgrees =
    whole !== undefined &&
    whole.amount === money.amount &&
    (money.referenceKey === null || whole.reference_key === money.referenceKey)
  const booked = pieces.find((one) => spentStates.includes(one.state) && agrees(one) && money.referenceKey === null)
  return {
    same,
    different: [
      ...open.filter((one) => !same.includes(one) && !agrees(one)),
      ...(whole !== undefined && !wholeAgrees ? [whole] : []),
    ],
    whole: wholeAgrees ? whole : undefined,
    spent: booked && { ...booked, trusted: true, currency: money.currency },
  }
}

/** Money that was read in a part, or in a whole that differs, goes to review. */
export const partToReview = (accountId: AccountId, one: PartRow): AlertChange[] =>
  one.state !== 'waiting' && one.state !== 'review'
    ? []
    : [
        {
          accountId,
          id: one.id,
          from: one.state,
          state: 'review',
          reason: 'read_in_part',
          intentId: null,
          duplicateOf: null,
          unmatchedOwed: false,
        },
      ]

/** A part becomes a duplicate of the whole. */
export const partSuperseded = (accountId: AccountId, part: PartRow, whole: AlertId): AlertChange => ({
  accountId,
  id: part.id,
  from: part.state,
  state: 'duplicate',
  reason: 'message_part',
  intentId: null,
  duplicateOf: whole,
  unmatchedOwed: false,
})
