/**
 * Whether two alerts of one real wallet may report one payment in two wordings: an SMS and a notification, two apps, two phones, or
 * a second message of the provider. At least one of them has no reference, so no reference tells them apart; the same text is
 * compared elsewhere (same-message.ts). Once one is spent, only a member can use the other (docs/decisions/0055). Pure.
 */
import { matchable_ms } from '../../alerts/alert.ts'
import type { Link } from '../../alerts/balances/balance-chain.ts'
import type { Instant } from '../../core/clock.ts'
import { comparePayer, payerWithNumber, shownPayer } from './payer-likeness.ts'
import type { Moment } from './same-message.ts'

/** Where a message came from: the phone, the app on it, and whether as SMS or as notification. */
export type Source = { readonly deviceId: string; readonly adapter: string; readonly kind: string }

export const sourceKey = ({ deviceId, adapter, kind }: Source): string => `${deviceId} ${adapter} ${kind}`

export type CreditReport = Moment & {
  readonly id: string
  readonly referenceKey: string | null
  readonly currency: string | null
  readonly templateId: string | null
  readonly payer: string | null
  readonly text: string
  /** How its balance followed from the one before, when it came. */
  readonly link: Link['kind'] | null
  /** Keys of the sources that reported its text. */
  readonly sources: readonly string[]
}

/** Messages of one payment that reach the shop by different ways, or that show the same payer, come within this time. */
export const otherSource_ms = matchable_ms
/** The same for two messages of one source: a provider that sends two messages of one payment sends them together. */
export const sameSource_ms = 10 * 60_000
/** A report without any time may be about an old message: an app that was set up anew sends its whole inbox. */
export const untimed_ms = 7 * 24 * 3_600_000
/** No alert that came longer ago than this is compared. */
export const compared_ms = 31 * 24 * 3_600_000

/**
 * Whether the balances prove two payments: the balance of the later alert follows from the balance before it, and that one
 * includes the earlier alert. An alert that shows no balance, or did not move the balance (of another app or SIM), is not known
 * to be included.
 */
export const areTwoMovements = (a: CreditReport, b: CreditReport): boolean => {
  const [earlier, later] = a.receivedAt <= b.receivedAt ? [a, b] : [b, a]
  return later.link === 'fits' && earlier.link !== null && earlier.link !== 'unknown'
}

export const mayBeSamePayment = (a: CreditReport, b: CreditReport): boolean => {
  if (a.id === b.id || a.currency !== b.currency) return false
  if (a.referenceKey !== null && b.referenceKey !== null) return false
  // One wording: these are two payments, or reports of the same text, which same-message.ts compares.
  if (a.templateId !== null && a.templateId === b.templateId) return false
  if (areTwoMovements(a, b)) return false
  const payer = comparePayer(claimOf(a), payerWithNumber(b.payer, b.text)).likeness
  if (payer === 'differs') return false
  const sameSource = a.sources.some((source) => b.sources.includes(source))
  if (!sameSource) return apart(a, b) <= (isUntimed(a) || isUntimed(b) ? untimed_ms : otherSource_ms)
  return payer === 'same' ? apart(a, b) <= otherSource_ms : sentApart(a, b) <= sameSource_ms
}

const claimOf = ({ payer, text }: CreditReport) => shownPayer(payerWithNumber(payer, text) ?? '')

const isUntimed = ({ sentAt, phoneReceivedAt }: Moment): boolean => sentAt === null && phoneReceivedAt === null

const timeOf = ({ sentAt, phoneReceivedAt, receivedAt }: Moment): Instant => sentAt ?? phoneReceivedAt ?? receivedAt

/** The time between two messages, by the phones' times or by ours, whichever is shorter: a phone that was offline reports late,
 *  and a clock may be wrong. */
const apart = (a: Moment, b: Moment): number =>
  Math.min(Math.abs(timeOf(a) - timeOf(b)), Math.abs(a.receivedAt - b.receivedAt))

/** The time between two messages of one source, by its own clock: after it was offline, messages of hours arrive together. */
const sentApart = (a: Moment, b: Moment): number =>
  isUntimed(a) || isUntimed(b) ? Math.abs(a.receivedAt - b.receivedAt) : Math.abs(timeOf(a) - timeOf(b))
