/**
 * Which one intent a credit without a reference pays, on a wallet with unique amounts; or why a member has to decide. The
 * amount is the only thing that both have in common, so everything else must be free of doubt: one intent alone asks for this
 * amount, the phone signed the report, the balance follows, and no payer was claimed who differs.
 *
 * The caller passes the holders of the amount: EVERY intent of the same real wallet (all its entries) and currency whose
 * `payable` is exactly the credit's amount, and that is open, or ended less than its rest ago (`REST_UNPAID_MS`,
 * `REST_PAID_MS`). Intents without a unique amount and with a reference are holders too: they may be what the buyer meant.
 * The caller holds the locks that keep them true. bench/unique-amounts.ts simulates shops with this rule. Pure.
 */
import type { Link } from '../../alerts/balances/balance-chain.ts'
import type { Instant } from '../../core/clock.ts'
import type { Status } from '../../intents/intent.ts'

/** An intent that asks for exactly the amount of the credit. */
export type AmountHolder = {
  /** At `now` (`statusAt`). */
  readonly status: Status
  readonly createdAt: Instant
  /** Its amount was chosen to belong to it alone; false: the order's own amount. */
  readonly uniqueAmount: boolean
  readonly hasReference: boolean
  /** How the payer that was claimed for it compares with the payer of the alert (rules/payer-likeness.ts). */
  readonly payer: 'same' | 'differs' | 'unknown'
}

export type AmountCredit = {
  readonly receivedAt: Instant
  /** When the message was sent, or else when the phone received it; null: the phone does not say. */
  readonly sentAt: Instant | null
  /** Whether the report was signed by the phone. */
  readonly trusted: boolean
  readonly link: Link['kind']
}

export const amountMismatches = [
  /** No intent asks for this amount. */
  'amount_not_asked',
  /** The intent that asked for it ended before the money came. */
  'amount_late',
  /** It was paid a short time ago: the buyer paid twice, or this is the same payment in other words. */
  'amount_paid_before',
  /** The intent was made after the money had been sent. */
  'amount_before_intent',
  /** Several intents ask for it, or asked for it until a short time ago. */
  'amount_of_several',
  /** The intent has a reference: only that verifies it. */
  'amount_has_reference',
  /** The intent asks for the order's own amount, which any other buyer may be sending. */
  'amount_not_unique',
  'amount_unsigned',
  'amount_broken_chain',
  'amount_payer_differs',
] as const
export type AmountMismatch = (typeof amountMismatches)[number]

export type AmountMatch<H extends AmountHolder> =
  | { readonly kind: 'match'; readonly holder: H }
  /** `holders`: the intents on whose timeline the reason belongs; none if there is nothing to say to them. */
  | { readonly kind: 'none'; readonly why: AmountMismatch; readonly holders: readonly H[] }

/** Clocks of phones and of SMS centres differ from ours by less than this. Every rest is longer. */
export const clockError_ms = 10 * 60_000

const paidStatuses: readonly Status[] = ['VERIFIED', 'WRONG_AMOUNT']

/** The first reason that applies is the answer: those that need no intent to be named come first. */
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
  if (credit.link === 'break' || credit.link === 'doubtful') return none('amount_broken_chain', open)
  if (holder.payer === 'differs') return none('amount_payer_differs', open)
  return { kind: 'match', holder }
}

/** A phone that was offline reports late: the money may have been sent before the intent existed. */
const wasBefore = (credit: AmountCredit, { createdAt }: AmountHolder): boolean =>
  credit.receivedAt < createdAt || (credit.sentAt !== null && credit.sentAt < createdAt - clockError_ms)
