/**
 * Matches a credit whose reference no intent has with the intent that has exactly its amount, on a wallet with unique amounts
 * (docs/decisions/0042). It passes the known alerts and intents to the rule (rules/amount-match.ts), and turns the result into
 * the reason of the alert and entries for the timelines of the intents concerned. `rememberAmount` updates `known` for the next alert
 * of the batch. Nothing is written here.
 */
import type { Reason } from '../../alerts/alert.ts'
import type { Link } from '../../alerts/balances/balance-chain.ts'
import { type AlertId, timeOrderedId } from '../../core/ids.ts'
import { formatMinor } from '../../core/money.ts'
import { statusAt } from '../../intents/intent.ts'
import { amountKey } from '../../intents/payable/choose-amounts.ts'
import type { NewAlert, NotMatched } from '../records/alert-row.ts'
import type { CreditReport } from '../records/credit-report.ts'
import type {
  AlertToResolve,
  AmountHoldingIntent,
  KnownAlerts,
  MoneyReading,
  RecentAmount,
} from '../records/known-alerts.ts'
import { type AmountMismatch, amountMatch } from '../rules/amount-match.ts'
import { comparePayer, payerWithNumber } from '../rules/payer-likeness.ts'
import { knownTime, mayBeSamePayment } from '../rules/same-payment.ts'
import { linkKind } from './classify-alert.ts'
import type { Resolution } from './resolution.ts'

/** The fields of the alert that are already decided. */
export type AmountAlert = {
  readonly id: AlertId
  readonly receivedAt: number
  /** An earlier alert with the same text that may be this payment. */
  readonly similarTo: AlertId | null
  /** There are more parts of messages of its time than were compared with it. */
  readonly moreParts: boolean
  readonly link: Link['kind']
}

export type AmountDecision =
  | { readonly kind: 'match'; readonly intent: AmountHoldingIntent }
  | { readonly kind: 'none'; readonly reason: Reason; readonly notMatched: readonly NotMatched[] }

/** The reason that the alert gets for each mismatch. */
const reasons: Readonly<Record<AmountMismatch, Reason>> = {
  amount_not_asked: 'no_reference',
  amount_not_unique: 'no_reference',
  amount_late: 'late',
  amount_paid_before: 'amount_paid_before',
  amount_before_intent: 'amount_before_intent',
  amount_of_several: 'amount_of_several',
  amount_has_reference: 'amount_has_reference',
  amount_unsigned: 'low_trust',
  amount_untimed: 'amount_untimed',
  amount_broken_chain: 'broken_chain',
  amount_payer_differs: 'amount_payer_differs',
}

export const matchByAmount = (
  alert: AlertToResolve,
  reading: MoneyReading,
  row: AmountAlert,
  known: KnownAlerts,
): AmountDecision => {
  const { now, report, trusted } = alert
  const key = amountKey(reading.wallet.identity, reading.amount)
  const payer = payerWithNumber(reading.payer, report.text)
  const holders = (known.amountHolders.get(key) ?? [])
    .filter(({ currency }) => currency === reading.currency)
    .map((intent) => ({
      intent,
      status: statusAt(intent, now),
      createdAt: intent.createdAt,
      uniqueAmount: intent.payable !== intent.base,
      hasReference: intent.hasReference,
      payer: comparePayer(intent.claimed, payer).likeness,
    }))
  const sentAt = knownTime(report.sentAt ?? report.phoneReceivedAt, row.receivedAt) ?? null
  const link = alert.balanceAccepted === true && row.link !== 'fits' ? 'unknown' : row.link
  const match = amountMatch({ receivedAt: row.receivedAt, sentAt, trusted, link }, holders)
  const none = (reason: Reason, concerned: readonly { readonly intent: AmountHoldingIntent }[]): AmountDecision => ({
    kind: 'none',
    reason,
    notMatched: concerned.map(({ intent }) => notMatched(alert, reading, row, intent, reason)),
  })
  if (match.kind === 'none') {
    // The rule returns open intents. A buyer who pays late or twice pays an intent that has ended.
    const ended = match.why === 'amount_late' || match.why === 'amount_paid_before'
    const concerned = ended ? holders.filter(({ uniqueAmount }) => uniqueAmount) : match.holders
    const reason = reasons[match.why]
    return none(reason, reason === 'no_reference' ? [] : concerned)
  }
  const { holder } = match
  if (row.similarTo !== null || row.moreParts) return none('seen_before', [holder])
  // The amount alone would decide: so a credit that waits for its reference counts too.
  if (sameCredit(alert, reading, row, known, (other) => other.spent || other.referenceKey !== null) !== undefined)
    return none('amount_seen', [holder])
  // Somebody paid this amount before it was asked for, and this may be another message of that payment.
  const isOlder = (other: RecentAmount): boolean => other.receivedAt < holder.createdAt
  if (sameCredit(alert, reading, row, known, isOlder) !== undefined) return none('amount_before_intent', [holder])
  const { reviewAbove } = reading.wallet
  if (reviewAbove !== null && reading.amount > reviewAbove) return none('above_limit', [holder])
  return { kind: 'match', intent: holder.intent }
}

/**
 * A stored credit of the same amount that may be this payment (rules/same-payment.ts). `counts`: which stored credits matter. A
 * member who confirmed that this is another payment decides otherwise.
 */
const sameCredit = (
  alert: AlertToResolve,
  reading: MoneyReading,
  row: Pick<AmountAlert, 'id' | 'receivedAt' | 'link'>,
  known: KnownAlerts,
  counts: (other: RecentAmount) => boolean,
): AlertId | undefined => {
  if (alert.anotherPayment === true) return undefined
  const { sentAt, phoneReceivedAt, text, kind } = alert.report
  const { referenceKey, currency, payer, balance, wallet, amount } = reading
  const { id, receivedAt, link } = row
  const money = { id, walletId: wallet.id, referenceKey, currency, payer, balance, link }
  const source = { phoneId: alert.phoneId, adapter: alert.adapter, kind }
  const credit: CreditReport = { ...money, source, text, sentAt, phoneReceivedAt, receivedAt }
  return (known.recentAmounts.get(amountKey(wallet.identity, amount)) ?? []).find(
    (other) => counts(other) && (other.standsForMore || mayBeSamePayment(credit, other, wallet.reviewLaterMessages)),
  )?.id
}

/** A spent credit that may be this payment. */
export const spentPayment = (
  alert: AlertToResolve,
  reading: MoneyReading,
  row: Pick<AmountAlert, 'id' | 'receivedAt' | 'link'>,
  known: KnownAlerts,
): AlertId | undefined => sameCredit(alert, reading, row, known, ({ spent }) => spent)

const notMatched = (
  { accountId, now }: AlertToResolve,
  { amount, currency }: MoneyReading,
  { id }: AmountAlert,
  intent: AmountHoldingIntent,
  reason: Reason,
): NotMatched => ({
  accountId,
  intentId: intent.id,
  entryId: timeOrderedId<string>(now),
  alertId: id,
  at: now,
  facts: JSON.stringify({ reason, amount: formatMinor(amount), currency }),
})

/** Makes a decision about a credit known to the next alerts of the batch. */
export const rememberAmount = (known: KnownAlerts, row: NewAlert, resolved: Resolution['intent'] | undefined): void => {
  const { id, identity, amount, referenceKey, state } = row
  if (identity === null || amount === null) return
  const key = amountKey(identity, amount)
  const spent = state === 'matched'
  const open = referenceKey === null ? state === 'review' : state === 'waiting' || state === 'wrong_amount'
  const counts = spent || open
  const others = (known.recentAmounts.get(key) ?? []).filter((other) => other.id !== id)
  const remembered = { ...row, spent, standsForMore: false, link: linkKind(row), source: row }
  known.recentAmounts.set(key, counts ? [...others, remembered] : others)
  if (resolved === undefined) return
  for (const [heldAmount, holders] of known.amountHolders)
    known.amountHolders.set(
      heldAmount,
      holders.map((holder) => (holder.id === resolved.id ? { ...holder, status: resolved.status } : holder)),
    )
}
