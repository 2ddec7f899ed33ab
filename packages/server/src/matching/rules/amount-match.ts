/**
 * Decides which intent a credit pays whose reference no intent has, or which has none, on a wallet with unique amounts, or why a
 * member must decide. Only the amount connects the two, so everything else must be free of doubt: only one intent has this amount,
 * the phone signed the report, the balance follows, and no claimed payer differs.
 *
 * The caller passes the holders of the amount: EVERY intent of the same real wallet (all its entries) and currency whose `payable`
 * is exactly the credit's amount, and that is open or ended so lately that the amount still rests (`REST_UNPAID_MS`,
 * `REST_PAID_MS`: for this time no other intent gets it). Intents with a reference, and intents without a unique amount, are
 * holders too: the buyer may mean them. The caller holds the locks that keep this true. bench/unique-amounts.ts simulates shops
 * with this rule. Pure.
 */
import type { Link } from '../../alerts/balances/balance-chain.ts'
import type { Instant } from '../../core/clock.ts'
import type { Status } from '../../intents/intent.ts'
import { clockError_ms } from './same-payment.ts'

/** An intent with exactly the amount of the credit. */
export type AmountHolder = {
  /** The status now (`statusAt`). */
  readonly status: Status
  readonly createdAt: Instant
  /** The amount was chosen to be unique; false: it is the order's own amount. */
  readonly uniqueAmount: boolean
  readonly hasReference: boolean
  /** How the claimed payer compares with the payer of the alert (rules/payer-likeness.ts). */
  readonly payer: 'same' | 'differs' | 'unknown'
}

export type AmountCredit = {
  readonly receivedAt: Instant
  /** When the message was sent, or else when the phone received it; null: the phone reports neither, or its clock is wrong. */
  readonly sentAt: Instant | null
  /** Whether the report was signed by the phone. */
  readonly trusted: boolean
  readonly link: Link['kind']
}

export const amountMismatches = [
  /** No intent has this amount. */
  'amount_not_asked',
  /** The intent with this amount ended before the money arrived. */
  'amount_late',
  /** The intent was paid lately: the buyer paid twice, or this is the same payment in another wording. */
  'amount_paid_before',
  /** The intent was created after the money was sent. */
  'amount_before_intent',
  /** Several intents have the amount, or had it until lately. */
  'amount_of_several',
  /** The intent has a reference: only an alert with that reference verifies it. */
  'amount_has_reference',
  /** The intent has the order's own amount, which any other buyer may send too. */
  'amount_not_unique',
  'amount_unsigned',
  /** The phone does not know when the message was sent: it may be older than the intent. */
  'amount_untimed',
  'amount_broken_chain',
  'amount_payer_differs',
] as const
export type AmountMismatch = (typeof amountMismatches)[number]

export type AmountMatch<H extends AmountHolder> =
  | { readonly kind: 'match'; readonly holder: H }
  /** `holders`: the open intents whose timelines get the reason. */
  | { readonly kind: 'none'; readonly why: AmountMismatch; readonly holders: readonly H[] }

const paidStatuses: readonly Status[] = ['VERIFIED', 'WRONG_AMOUNT']

/** Returns the first reason that applies. */
export const amountMatch = <H extends AmountHolder>(credit: AmountCredit, holders: readonly H[]): AmountMatch<H> => {
  const none = (why: AmountMismatch, concerned: readonly H[] = []): AmountMatch<H> => ({
    kind: 'none',
    why,
    holders: concerned,
  })
  const [holder, ...others] = holders
  if (holder === undefined) return none('amount_not_asked')
  const open = holders.filter(({ status }) => status === 'PENDING')
  if (open.length === 0)
    return none(holders.some(({ status }) => paidStatuses.includes(status)) ? 'amount_paid_before' : 'amount_late')
  if (others.length > 0) return none('amount_of_several', open)
  if (wasBefore(credit, holder)) return none('amount_before_intent', holder.uniqueAmount ? open : [])
  if (!holder.uniqueAmount) return none('amount_not_unique', open)
  if (holder.hasReference) return none('amount_has_reference', open)
  if (!credit.trusted) return none('amount_unsigned', open)
  if (credit.sentAt === null) return none('amount_untimed', open)
  if (credit.link === 'break' || credit.link === 'doubtful') return none('amount_broken_chain', open)
  if (holder.payer === 'differs') return none('amount_payer_differs', open)
  return { kind: 'match', holder }
}

/** The money was sent before the intent existed. A phone that was offline may report it later. */
const wasBefore = (credit: AmountCredit, { createdAt }: AmountHolder): boolean =>
  credit.receivedAt < createdAt || (credit.sentAt !== null && credit.sentAt < createdAt - clockError_ms)
