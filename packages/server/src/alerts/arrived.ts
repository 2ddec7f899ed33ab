/**
 * Which credits are money that arrived, and what became of them. The one rule for the day close, shifts, the roll of the counter, and
 * the figures of Today: a payment counts once, because the other messages of it are duplicates. Two kinds of credits are no money that
 * arrived: what a member dismissed, and what a message denies (reversed, failed, or with words that may say so) until a member
 * books it. Pure; `arrived-sql.ts` is the same in SQL.
 */
import { denialReasons, type MoneyOutcome } from '@sanad/contract/kinds'
import type { AlertState, Reason } from './alert.ts'

export const arrivedKinds = ['verified', 'unmatched', 'wrong_amount'] as const
export type ArrivedKind = (typeof arrivedKinds)[number]
export type CreditKind = ArrivedKind | 'dismissed' | 'denied'

/** By state; a state without an entry is no credit, or repeats one. */
export const kindByState: Partial<Record<AlertState, Exclude<CreditKind, 'denied'>>> = {
  matched: 'verified',
  booked: 'verified',
  waiting: 'unmatched',
  review: 'unmatched',
  held: 'unmatched',
  wrong_amount: 'wrong_amount',
  dismissed: 'dismissed',
}

const denials: readonly Reason[] = denialReasons

/**
 * What became of a credit; undefined: it is a duplicate, or no credit. Money that was taken as a sale counts as one from the touch
 * on; undone, it is unmatched again.
 */
export const creditKind = (alert: { readonly state: AlertState; readonly reason: Reason }): CreditKind | undefined => {
  const kind = kindByState[alert.state]
  return kind === 'unmatched' && denials.includes(alert.reason) ? 'denied' : kind
}

/** The same, with how a payment was verified. `sale`: it was taken as a sale. */
export const outcomeOf = (alert: {
  readonly state: AlertState
  readonly reason: Reason
  readonly sale: boolean
}): MoneyOutcome | undefined => {
  const kind = creditKind(alert)
  if (kind !== 'verified') return kind
  if (alert.state === 'matched') return 'matched'
  return alert.sale ? 'sale' : 'booked'
}

/** The outcomes of money that was spent: it paid an order or is a sale. */
export const isSpentOutcome = (outcome: MoneyOutcome): boolean =>
  outcome === 'matched' || outcome === 'sale' || outcome === 'booked'

export const hasArrived = (kind: CreditKind | undefined): kind is ArrivedKind =>
  (arrivedKinds as readonly (CreditKind | undefined)[]).includes(kind)
