/**
 * Answers one question: may two credits of one real wallet and one amount report one payment? They may be a whole message and a
 * cut one, two wordings, two spellings, or reports of two phones or apps. Every path that spends money asks it: a match by
 * reference or by amount, a booking, an accepted balance, an accepted amount, a chosen wallet, a release, an undone dismissal, a
 * merge. Once one of two such credits is spent, only a member who confirms "this is another payment" can spend the other
 * (docs/decisions/0055). Pure.
 *
 * Two credits are two payments only if something proves it: two references, two payers, two balances that both follow, or
 * a day between them. An equal template or a broken balance proves nothing. One phone that reports two messages
 * proves something only if a member has said that the company sends one message for each payment (`reviewLater`).
 */
import { matchable_ms } from '../../alerts/alert.ts'
import { type ComparedText, comparedText, isPartOf } from '../../alerts/texts/message-parts.ts'
import { normalise } from '../../alerts/texts/normalise.ts'
import { withOneSpelling } from '../../alerts/texts/one-spelling.ts'
import type { Instant } from '../../core/clock.ts'
import { day_ms, minute_ms } from '../../core/duration.ts'
import type { CreditReport, Moment } from '../records/credit-report.ts'
import { comparePayer, payerWithNumber, shownPayer } from './payer-likeness.ts'

/** Messages of one payment are sent within this time, or reach us within it. */
export const samePayment_ms = matchable_ms
/** A company that sends several messages of one payment sends them within this time. */
export const together_ms = 10 * minute_ms
/** A report without any time may be about an old message: an app that was set up anew sends its whole inbox. */
export const untimed_ms = 7 * day_ms
/** A time before this is no time: the clock was never set (1970). */
export const earliestTime: Instant = Date.UTC(2020, 0, 1)
/** A time that is more than this before the report may be true, or that of a wrong clock: it proves nothing by itself. */
export const oldest_ms = 31 * day_ms
/** Clocks of phones and of SMS centres are expected to differ from ours by less than this. */
export const clockError_ms = 10 * minute_ms

/** `reviewLater`: the setting of the wallet. */
export const mayBeSamePayment = (a: CreditReport, b: CreditReport, reviewLater = true): boolean => {
  if (a.id === b.id || a.currency !== b.currency) return false
  // A reference identifies a payment. If only one of the two has one, it tells nothing about the other.
  if (a.referenceKey !== null && b.referenceKey !== null) return false
  if (!areNearInTime(a, b) || areTwoMovements(a, b)) return false
  // Neither the payers nor the texts can be told apart any more: a member decides.
  if (a.erased === true || b.erased === true) return true
  const payers = comparePayer(claimOf(a), payerWithNumber(b.payer, b.text)).likeness
  if (payers === 'same') return true
  // A cut message may show a cut name or number.
  return (payers === 'unknown' && (reviewLater || !areSentApart(a, b))) || isPartOfOther(a, b)
}

/**
 * Whether two messages were sent so far apart that a company which sends one for each payment means two payments. The times can be
 * compared if one phone and app reported both, or if both are times of the SMS centre.
 */
const areSentApart = (a: CreditReport, b: CreditReport): boolean => {
  const [timeA, timeB] = [recentTime(a), recentTime(b)]
  if (timeA === undefined || timeB === undefined) return false
  const comparable = isSameSource(a.source, b.source) || (hasCentreTime(a) && hasCentreTime(b))
  return comparable && Math.abs(timeA - timeB) > together_ms
}

const isSameSource = (a: CreditReport['source'], b: CreditReport['source']): boolean =>
  a.phoneId === b.phoneId && a.adapter === b.adapter && a.kind === b.kind

const hasCentreTime = ({ source, sentAt, receivedAt }: CreditReport): boolean =>
  source.kind === 'sms' && ifRecent(knownTime(sentAt, receivedAt), receivedAt) !== undefined

/**
 * Whether the balances prove two payments: both credits follow from the known balance, each when it came, and they show two
 * balances. One payment shows one balance in all its messages; the second one may follow again if the same amount has left the
 * wallet in between. Any other link proves nothing: the credit shows no balance, did not move the balance (another app or SIM), or
 * does not follow from the known balance.
 */
const areTwoMovements = (a: CreditReport, b: CreditReport): boolean =>
  a.link === 'fits' && b.link === 'fits' && a.walletId === b.walletId && a.balance !== b.balance

/** Whether one text is a part of the other. Different spellings of the same amount or letter make no difference. */
const isPartOfOther = (a: CreditReport, b: CreditReport): boolean => {
  const [one, other] = [partTextOf(a), partTextOf(b)]
  return isPartOf(one, other) || isPartOf(other, one)
}

/** A cache: a credit is compared with all others of its amount. */
const partTexts = new WeakMap<CreditReport, ComparedText>()

const partTextOf = (credit: CreditReport): ComparedText => {
  const known = partTexts.get(credit) ?? comparedText(withOneSpelling(normalise(credit.text)))
  partTexts.set(credit, known)
  return known
}

const claimOf = ({ payer, text }: CreditReport) => shownPayer(payerWithNumber(payer, text) ?? '')

/** A time that a phone reports; undefined: none, or an impossible one. */
export const knownTime = (time: Instant | null, receivedAt: Instant): Instant | undefined =>
  time !== null && time >= earliestTime && time <= receivedAt + clockError_ms ? time : undefined

/** When a message was sent, or else when the phone got it. */
export const messageTime = ({ sentAt, phoneReceivedAt, receivedAt }: Moment): Instant | undefined =>
  knownTime(sentAt, receivedAt) ?? knownTime(phoneReceivedAt, receivedAt)

const ifRecent = (time: Instant | undefined, receivedAt: Instant): Instant | undefined =>
  time !== undefined && time >= receivedAt - oldest_ms ? time : undefined

/** The same, without times long before the report. */
const recentTime = ({ sentAt, phoneReceivedAt, receivedAt }: Moment): Instant | undefined =>
  ifRecent(knownTime(sentAt, receivedAt), receivedAt) ?? ifRecent(knownTime(phoneReceivedAt, receivedAt), receivedAt)

/** The times that a message may have. One long before the report may be true, or that of a wrong clock: both are considered. */
const possibleTimes = (message: Moment): readonly (Instant | undefined)[] => [messageTime(message), recentTime(message)]

/** By the messages' times or by ours, whichever are nearer: a phone that was offline reports late, and a clock may be wrong. */
const areNearInTime = (a: Moment, b: Moment): boolean =>
  Math.abs(a.receivedAt - b.receivedAt) <= samePayment_ms ||
  possibleTimes(a).some((timeA) => possibleTimes(b).some((timeB) => areNear(a, timeA, b, timeB)))

const areNear = (a: Moment, timeA: Instant | undefined, b: Moment, timeB: Instant | undefined): boolean => {
  if (timeA !== undefined && timeB !== undefined) return Math.abs(timeA - timeB) <= samePayment_ms
  if (timeA !== undefined) return isNearUntimed(a, timeA, b)
  if (timeB !== undefined) return isNearUntimed(b, timeB, a)
  return Math.abs(a.receivedAt - b.receivedAt) <= untimed_ms
}

/** The message without a time is as old as its report, or older. The other one may have been reported long after it was sent. */
const isNearUntimed = (timed: Moment, time: Instant, untimed: Moment): boolean =>
  time - untimed.receivedAt <= samePayment_ms &&
  Math.min(untimed.receivedAt - time, Math.abs(timed.receivedAt - untimed.receivedAt)) <= untimed_ms

/** The earliest time of arrival that a credit must have to be near this one in time. */
export const comparedSince = (credit: Moment): Instant =>
  Math.min(
    ...possibleTimes(credit).map((time) =>
      time === undefined ? credit.receivedAt - untimed_ms : Math.min(time, credit.receivedAt) - samePayment_ms,
    ),
  ) - clockError_ms
