/**
 * Which credits are money that arrived, and what became of them. The one rule for the day close, the roll of the counter, and the
 * figures of Today: a payment counts once, because the other messages of it are duplicates. Two kinds of credits are no money that
 * arrived: what a member dismissed, and what a message denies (reversed, failed, or with words that may say so) until a member
 * books it. Pure; `arrived-sql.ts` is the same in SQL.
 */
import { denialReasons } from '@sanad/contract/kinds'
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
 * What became of a credit; undefined: it is a duplicate, or no credit. Money that was taken as a sale is unmatched until its
 * intent exists: the sums of intents do not have it before.
 */
export const creditKind = (alert: {
  readonly state: AlertState
  readonly reason: Reason
  readonly intentId: string | null
}): CreditKind | undefined => {
  if (alert.state === 'booked' && alert.intentId === null) return 'unmatched'
  const kind = kindByState[alert.state]
  return kind === 'unmatched' && denials.includes(alert.reason) ? 'denied' : kind
}

export const hasArrived = (kind: CreditKind | undefined): kind is ArrivedKind =>
  (arrivedKinds as readonly (CreditKind | undefined)[]).includes(kind)
