/**
 * Whether an alert is a message that was reported before: by another app, by another phone of the wallet, or again by the
 * same one. One message is one alert, whichever phone or app reports it; two payments with the same text are two. Pure.
 *
 * Only messages with the same sender and the same normalised text are compared. If they have a reference, the reference
 * decides and not this file. Without one:
 *
 * - If both reports have the time at which the message was sent, times within five seconds are the same message.
 * - If the message shows a balance, a second payment would show another balance, unless the same amount left in between:
 *   a text whose balance cannot follow from the known one is a repetition, whenever it comes.
 * - Otherwise each app reports each message once. The second report of one app is the second payment; the first report of
 *   another app is the first payment again.
 */
import { sameMessage_ms, sameText_ms, sameUntimedText_ms } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'

export type Moment = {
  readonly sentAt: Instant | null
  readonly phoneReceivedAt: Instant | null
  readonly receivedAt: Instant
}
/** The phone and the app on it that reported a message. */
export type Source = { readonly deviceId: string; readonly adapter: string }
export type Reported = Moment &
  Source & {
    readonly isDuplicate: boolean
    /** Money was read in it, so it may be spent. */
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

const sameSource = (a: Source, b: Source): boolean => a.deviceId === b.deviceId && a.adapter === b.adapter

/** Whether the times alone say that it is the same message. */
export const sameMoment = (a: Moment, b: Moment): boolean => {
  const between = apart(a, b)
  if (between !== undefined) return between <= sameText_ms
  const within_ms = untimed(a) && untimed(b) ? sameUntimedText_ms : sameText_ms
  return near(a.receivedAt, b.receivedAt, within_ms)
}

/** Reports of two apps within this time are counted against each other. */
export const paired_ms = 24 * 3_600_000

/**
 * The alert that this report repeats, among those with the same text and wallet. `balance`: whether the text shows a
 * balance, and whether that could be a second movement.
 */
export const repeatedOf = <R extends Reported>(
  report: Moment & Source,
  earlier: readonly R[],
  balance: 'none' | 'second movement' | 'no second movement',
): R | undefined => {
  const first = earlier.filter((one) => !one.isDuplicate)
  // A copy that could not be read (its wallet was closed) comes after the one that was: that one may be spent.
  const [read, unread] = [first.filter((one) => one.isRead), first.filter((one) => !one.isRead)]
  const byTime = [...read, ...unread].find((one) => sameMoment(one, report))
  if (byTime !== undefined && (byTime.isRead || balance !== 'no second movement')) return byTime
  if (balance === 'no second movement') return read.at(-1) ?? byTime ?? unread.at(-1)
  if (balance === 'second movement') return undefined
  const recent = earlier.filter((one) => near(one.receivedAt, report.receivedAt, paired_ms))
  const mine = recent.filter((one) => sameSource(one, report)).length
  const payments = recent.filter((one) => !one.isDuplicate).toSorted((a, b) => a.receivedAt - b.receivedAt)
  const pair = payments[mine]
  if (pair === undefined || sameSource(pair, report)) return undefined
  // Times of the same kind that are far apart belong to two messages.
  return apart(pair, report) === undefined ? pair : undefined
}

export const inSameMinutes = (a: Instant, b: Instant): boolean => near(a, b, sameMessage_ms)
