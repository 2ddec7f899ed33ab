/**
 * Compares an alert with parts of its message. A long SMS is sent in parts, and a phone or an app may report one of them alone:
 * the longer text counts. If a part and the whole are read as different money, both go to review. Pure.
 */
import { LRUCache } from 'lru-cache'
import { type AlertState, sameMessage_ms } from '../../alerts/alert.ts'
import { type ComparedText, comparedText, isPartOf } from '../../alerts/texts/message-parts.ts'
import { normalise } from '../../alerts/texts/normalise.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, AlertId } from '../../core/ids.ts'
import type { AlertChange, PartRow } from '../records/alert-row.ts'
import type { AlertToResolve, MoneyReading, NotRead } from '../records/known-alerts.ts'
import { inSameMinutes } from './same-message.ts'

export type Parts = {
  /** A longer message that contains this one. */
  readonly whole: PartRow | undefined
  /** Shorter messages that this one contains. */
  readonly pieces: readonly PartRow[]
}

/**
 * A cache, by the text as it was sent. Each alert is compared with those of the last ten minutes, and they are read again for each
 * batch: preparing the texts of five hundred takes some milliseconds, for each alert of a busy phone. A row keeps its own for the alerts
 * of its batch: finding it by the text takes longer than comparing it.
 */
const comparedTexts = new LRUCache<string, ComparedText>({
  maxSize: 2_000_000,
  sizeCalculation: ({ text, decomposed }, sent) => sent.length + text.length + decomposed.length + 1,
})

const ofRow = new WeakMap<PartRow, ComparedText>()

const comparedTextOf = (row: PartRow): ComparedText => {
  const own = ofRow.get(row)
  if (own !== undefined) return own
  const { raw_text } = row
  let compared = comparedTexts.get(raw_text)
  if (compared === undefined) {
    compared = comparedText(normalise(raw_text))
    comparedTexts.set(raw_text, compared)
  }
  ofRow.set(row, compared)
  return compared
}

/**
 * Finds messages of the same sender and wallet within ten minutes that are parts of this one, or contain it. If the wallet is not
 * known, only messages of the same phone are compared: one of another wallet must not be hidden as a part. But a longer message of an
 * unknown wallet, which was not read, may be the whole of a credit: it sends the credit to review (`compareParts`).
 */
export const findParts = (
  alert: AlertToResolve,
  id: AlertId,
  receivedAt: Instant,
  recent: readonly PartRow[],
): Parts => {
  const isNear = (other: PartRow): boolean =>
    other.id !== id && other.sender === alert.report.sender && inSameMinutes(other.received_at, receivedAt)
  if (!recent.some(isNear)) return { whole: undefined, pieces: [] }
  const identity = alert.reading.wallet?.identity ?? null
  const text = comparedText(normalise(alert.report.text))
  const isRead = alert.reading.kind === 'read'
  const pieces: PartRow[] = []
  let whole: PartRow | undefined
  let wholeOfUnknown: PartRow | undefined
  // One pass, and one look at the prepared text of each: a busy phone has hundreds of them.
  for (const other of recent) {
    if (!isNear(other)) continue
    const isSameWallet = other.identity === identity && (identity !== null || other.device_id === alert.phoneId)
    const isUnknownWallet = identity !== null && other.identity === null
    if (!isSameWallet && !(isUnknownWallet && isRead)) continue
    const compared = comparedTextOf(other)
    const containsIt = isPartOf(text, compared)
    if (isSameWallet) {
      if (containsIt) whole ??= other
      if (isPartOf(compared, text)) pieces.push(other)
    } else if (containsIt) wholeOfUnknown ??= other
  }
  return { whole: whole ?? wholeOfUnknown, pieces }
}

/** Whether some of the alerts that may be parts of a message were not read. */
export const hasMoreParts = (receivedAt: Instant, notRead: readonly NotRead[] = []): boolean =>
  notRead.some(({ from, until }) => until >= receivedAt - sameMessage_ms && from <= receivedAt + sameMessage_ms)

export type ComparedParts = {
  /** Parts of this message that were read as the same money, or not at all: this one supersedes them. */
  readonly same: readonly PartRow[]
  /** Parts of this message, or the whole of it, that were read as other money. */
  readonly different: readonly PartRow[]
  /** The longer message that contains this one and was read as the same money. */
  readonly whole: PartRow | undefined
  /** A part of this message that a member booked, or that verified an intent by its amount. */
  readonly spent: (PartRow & { readonly trusted: boolean; readonly currency: string | null }) | undefined
}

const spentStates: readonly AlertState[] = ['booked', 'matched']

export const compareParts = (money: MoneyReading, { whole, pieces }: Parts): ComparedParts => {
  const agrees = (part: PartRow): boolean =>
    part.amount === money.amount && (part.reference_key === null || part.reference_key === money.referenceKey)
  const open = pieces.filter(({ state }) => !spentStates.includes(state))
  const same = open.filter((part) => part.state === 'unread' || (part.reference_key === null && agrees(part)))
  const wholeAgrees =
    whole !== undefined &&
    whole.amount === money.amount &&
    (money.referenceKey === null || whole.reference_key === money.referenceKey)
  const spent = pieces.find((part) => spentStates.includes(part.state) && agrees(part) && money.referenceKey === null)
  return {
    same,
    different: [
      ...open.filter((part) => !same.includes(part) && !agrees(part)),
      ...(whole !== undefined && !wholeAgrees ? [whole] : []),
    ],
    whole: wholeAgrees ? whole : undefined,
    spent: spent && { ...spent, trusted: true, currency: money.currency },
  }
}

/** A part, or a whole, that was read as other money goes to review. */
export const partToReview = (accountId: AccountId, part: PartRow): AlertChange[] =>
  part.state !== 'waiting' && part.state !== 'review'
    ? []
    : [
        {
          accountId,
          id: part.id,
          from: part.state,
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
