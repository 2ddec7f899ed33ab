/** Whether a member must look at unmatched money before taking it as a sale: one touch is for money without a doubt. Pure. */
import type { AlertState, Reason } from '../../alerts/alert.ts'
import { type Doubtful, doubtsOf } from './doubts.ts'

/** Reasons that say nothing against the money: no intent has its reference, or its message shows none. */
const usual: Readonly<Partial<Record<AlertState, Reason>>> = { waiting: 'no_intent', review: 'no_reference' }

export const needsLook = (alert: Doubtful & { readonly state: AlertState; readonly reason: Reason }): boolean =>
  usual[alert.state] !== alert.reason || doubtsOf(alert).length > 0
