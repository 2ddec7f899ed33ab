/**
 * Matches a credit without a reference with the intent that has exactly its amount, on a wallet with unique amounts
 * (docs/decisions/0042). It passes the known alerts and intents to the rule (rules/amount-match.ts), and turns the result into
 * the reason of the alert and entries for the timelines of the intents concerned. Pure.
 */
import type { Reason } from '../../alerts/alert.ts'
import type { Link } from '../../alerts/balances/balance-chain.ts'
import { comparedText, isPartOf } from '../../alerts/texts/message-parts.ts'
import { normalise } from '../../alerts/texts/normalise.ts'
import { type AlertId, timeOrderedId } from '../../core/ids.ts'
import { formatMinor } from '../../core/money.ts'
import { statusAt } from '../../intents/intent.ts'
import { amountKey } from '../../intents/payable/choose-amounts.ts'
import { type AmountMismatch, amountMatch } from '../rules/amount-match.ts'
import { comparePayer, payerWithNumber } from '../rules/payer-likeness.ts'
import { areTwoMovements, type CreditReport, mayBeSamePayment, sourceKey } from '../rules/same-payment.ts'
import type { NewAlert, NotMatched } from './alert-row.ts'
import { linkKind } from './classify-alert.ts'
import type { AlertToResolve, AmountHoldingIntent, KnownAlerts, MoneyReading, RecentAmount } from './known-alerts.ts'
import type { Resolution } from './resolution.ts'

/** The fields of the alert that are already decided. */
export type AmountAlert = {
  readonly id: AlertId
  readonly receivedAt: number
  /** An earlier alert with the same text that may be this payment. */
  readonly similarTo: AlertId | null
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
  const sentAt = report.sentAt ?? report.phoneReceivedAt
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
  if (row.similarTo !== null || isPartOfSpent(known, key, row, report.text)) return none('seen_before', [holder])
  if (samePaymentAs(alert, reading, row, known) !== undefined) return none('amount_seen', [holder])
  const { reviewAbove } = reading.wallet
  if (reviewAbove !== null && reading.amount > reviewAbove) return none('above_limit', [holder])
  return { kind: 'match', intent: holder.intent }
}

/**
 * A credit of the same amount that may be this payment in other words. On every wallet: a spent one that rules/same-payment.ts
 * compares as the same payment. On a wallet with unique amounts also one of the last day, if exactly one of the two credits has a
 * reference; a spent credit with a reference is left out. Two balances that follow each other, or a member, prove two payments.
 */
export const samePaymentAs = (
  alert: AlertToResolve,
  reading: MoneyReading,
  row: Pick<AmountAlert, 'id' | 'receivedAt' | 'link'>,
  known: KnownAlerts,
): AlertId | undefined => {
  if (alert.anotherPayment === true) return undefined
  const { report, adapter, deviceId } = alert
  const { referenceKey, currency, templateId, payer, wallet } = reading
  const credit: CreditReport = {
    id: row.id,
    referenceKey,
    currency,
    templateId,
    payer,
    text: report.text,
    sentAt: report.sentAt,
    phoneReceivedAt: report.phoneReceivedAt,
    receivedAt: row.receivedAt,
    link: row.link,
    sources: [sourceKey({ deviceId, adapter, kind: report.kind })],
  }
  const isOtherKind = (other: RecentAmount): boolean =>
    other.recent && (referenceKey === null ? other.referenceKey !== null && !other.spent : other.referenceKey === null)
  return (known.recentAmounts.get(amountKey(wallet.identity, reading.amount)) ?? []).find(
    (other) =>
      other.id !== row.id &&
      ((wallet.uniqueAmounts && isOtherKind(other) && !areTwoMovements(credit, other)) ||
        (other.spent && mayBeSamePayment(credit, other))),
  )?.id
}

/** Whether the text is a part of a spent message, or contains one: a network may deliver a part, or the whole message, hours
 *  later. */
const isPartOfSpent = (known: KnownAlerts, key: string, row: Pick<AmountAlert, 'id'>, raw: string): boolean => {
  const spent = (known.recentAmounts.get(key) ?? []).filter(
    (other) => other.spent && other.referenceKey === null && other.id !== row.id,
  )
  if (spent.length === 0) return false
  const text = comparedText(normalise(raw))
  return spent.some((other) => {
    const otherText = comparedText(normalise(other.text))
    return isPartOf(text, otherText) || isPartOf(otherText, text)
  })
}

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
  const counts = spent || (referenceKey !== null && (state === 'waiting' || state === 'wrong_amount'))
  const others = (known.recentAmounts.get(key) ?? []).filter((other) => other.id !== id)
  const remembered = { ...row, spent, recent: true, link: linkKind(row), sources: [sourceKey(row)] }
  known.recentAmounts.set(key, counts ? [...others, remembered] : others)
  if (resolved === undefined) return
  for (const [heldAmount, holders] of known.amountHolders)
    known.amountHolders.set(
      heldAmount,
      holders.map((holder) => (holder.id === resolved.id ? { ...holder, status: resolved.status } : holder)),
    )
}
