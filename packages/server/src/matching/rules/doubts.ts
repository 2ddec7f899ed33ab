/** The doubts about an alert, which a member should see even if it was matched, and before taking it as a sale. Pure. */
import type { DoubtCode } from '@sanad/contract/kinds'
import type { AlertState, Reason } from '../../alerts/alert.ts'
import type { Minor } from '../../core/money.ts'

export type { DoubtCode }

/** This many different references on one intent look like guessing. */
export const manyReferences = 5

export type Doubtful = {
  /** Whether the report was signed by the phone. */
  readonly trusted: boolean
  readonly chain: 'fits' | 'break' | 'unknown' | null
  readonly chainMissing: Minor | null
  readonly phoneNew: boolean
  /** Messages of its sender have counted for the wallet for less than a day. */
  readonly senderNew: boolean
  /** An unsigned alert that denies the payment. */
  readonly deniedBy: string | null
  /** An alert that may be the same payment. If this one has no reference, the other has the same text; if it has a reference, the
   *  other has another wording. */
  readonly similarTo: string | null
  readonly referenceKey: string | null
  /** A spent alert that may be the same payment in another wording (same-payment.ts). */
  readonly samePayment?: string | null
}

/** `referencesTried`: how many different references the resolved intent has had. */
export const doubtsOf = (alert: Doubtful, referencesTried = 0): DoubtCode[] => {
  const doubts: DoubtCode[] = []
  if (!alert.trusted) doubts.push('unsigned')
  if (alert.chain === 'break' || (alert.chain === 'fits' && alert.chainMissing !== null)) doubts.push('balance')
  if (alert.phoneNew) doubts.push('phone_new')
  if (alert.senderNew) doubts.push('sender_new')
  if (alert.deniedBy !== null) doubts.push('unsigned_denial')
  if (alert.similarTo !== null && alert.referenceKey === null) doubts.push('seen_before')
  if (samePaymentOf(alert) !== null) doubts.push('same_payment')
  if (referencesTried >= manyReferences) doubts.push('many_references')
  return doubts
}

export const samePaymentOf = ({ samePayment, similarTo, referenceKey }: Doubtful): string | null =>
  samePayment ?? (referenceKey === null ? null : similarTo)

/** The facts of a timeline entry, as JSON. */
export const doubtFacts = (doubts: readonly DoubtCode[]): string =>
  doubts.length === 0 ? '{}' : JSON.stringify({ doubts: doubts.join(',') })

/** Reasons that say nothing against the money: no intent has its reference, or its message shows none. */
const usual: Readonly<Partial<Record<AlertState, Reason>>> = { waiting: 'no_intent', review: 'no_reference' }

/** Whether a member must look at unmatched money before taking it as a sale: one touch is for money without a doubt. */
export const needsLook = (alert: Doubtful & { readonly state: AlertState; readonly reason: Reason }): boolean =>
  usual[alert.state] !== alert.reason || doubtsOf(alert).length > 0
