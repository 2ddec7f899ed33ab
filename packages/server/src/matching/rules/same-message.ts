/**
 * Whether a report is a message that was reported before: by another app, by another phone of the wallet, or again by the same
 * app. One message is one alert, no matter which phone or app reports it; two payments with the same text are two alerts. Pure.
 *
 * Only messages with the same sender and the same normalised text are compared. If they have a reference, the reference
 * decides, not this file. Without a reference:
 *
 * - If both reports have the time at which the message was sent, times within five seconds are the same message. Without it, the
 *   times at which the phones received the message are compared, or else the times at which the reports arrived.
 * - If the message shows a balance, a second payment would show another balance, unless the same amount left in between. So a
 *   text whose balance cannot follow from the known one is a repetition, however late it arrives.
 * - Otherwise each app reports each message once. The second report of one app is the second payment; the first report of
 *   another app is the first payment again.
 */
import { sameMessage_ms, sameText_ms, sameUntimedText_ms } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import { day_ms } from '../../core/duration.ts'
import type { Moment, Source } from '../records/credit-report.ts'

export type Reported = Moment &
  Source & {
    readonly isDuplicate: boolean
    /** A template read money in it, so it may be spent. */
    readonly isRead: boolean
  }

const near = (a: Instant, b: Instant, within_ms: number): boolean => Math.abs(a - b) <= within_ms

/** The time between two messages by their reports; undefined: the reports have no time of the same kind. */
const apart = (a: Moment, b: Moment): number | undefined => {
  if (a.sentAt !== null && b.sentAt !== null) return Math.abs(a.sentAt - b.sentAt)
  if (a.sentAt === null && b.sentAt === null && a.phoneReceivedAt !== null && b.phoneReceivedAt !== null)
    return Math.abs(a.phoneReceivedAt - b.phoneReceivedAt)
  return undefined
}

const untimed = ({ sentAt, phoneReceivedAt }: Moment): boolean => sentAt === null && phoneReceivedAt === null

const sameSource = (a: Source, b: Source): boolean => a.phoneId === b.phoneId && a.adapter === b.adapter

/** Whether it is the same message by the times alone. */
const sameMoment = (a: Moment, b: Moment): boolean => {
  const between = apart(a, b)
  if (between !== undefined) return between <= sameText_ms
  const within_ms = untimed(a) && untimed(b) ? sameUntimedText_ms : sameText_ms
  return near(a.receivedAt, b.receivedAt, within_ms)
}

/** Reports of two apps within this time are paired by their order. */
export const paired_ms = day_ms

/**
 * The alert that this report repeats, among those with the same text and wallet. `balance`: whether the text shows a
 * balance, and whether that could be a second movement.
 */
export const repeatedOf = <R extends Reported>(
  report: Moment & Source,
  earlier: readonly R[],
  balance: 'none' | 'second movement' | 'no second movement',
  /** All reports of the last day are among the earlier ones. Otherwise they cannot be paired by their order. */
  isComplete = true,
): R | undefined => {
  const originals = earlier.filter(({ isDuplicate }) => !isDuplicate)
  // Alerts that were read are preferred to copies that were not (their wallet was closed): only the former may be spent.
  const [read, unread] = [originals.filter(({ isRead }) => isRead), originals.filter(({ isRead }) => !isRead)]
  const byTime = [...read, ...unread].find((alert) => sameMoment(alert, report))
  if (byTime !== undefined && (byTime.isRead || balance !== 'no second movement')) return byTime
  if (balance === 'no second movement') return read.at(-1) ?? byTime ?? unread.at(-1)
  if (balance === 'second movement' || !isComplete) return undefined
  const recent = earlier.filter((alert) => near(alert.receivedAt, report.receivedAt, paired_ms))
  const fromSameSource = recent.filter((alert) => sameSource(alert, report)).length
  const payments = recent.filter(({ isDuplicate }) => !isDuplicate).toSorted((a, b) => a.receivedAt - b.receivedAt)
  const pair = payments[fromSameSource]
  if (pair === undefined || sameSource(pair, report)) return undefined
  // If the reports have times of the same kind, these were compared above: the messages are two.
  return apart(pair, report) === undefined ? pair : undefined
}

export const inSameMinutes = (a: Instant, b: Instant): boolean => near(a, b, sameMessage_ms)
