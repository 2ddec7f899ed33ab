/**
 * What a message that says that its money did not arrive, or may say so, does to earlier alerts of its reference: those that still
 * wait for an intent go to review. Otherwise an intent that gets the reference later would be verified. Pure.
 */
import { denialReasons } from '@sanad/contract/kinds'
import type { Reason } from '../../alerts/alert.ts'
import type { AccountId } from '../../core/ids.ts'
import type { AlertChange } from '../records/alert-row.ts'
import type { AlertToResolve, SameReferenceAlert } from '../records/known-alerts.ts'
import type { Classified } from './classify-alert.ts'

const denials: readonly Reason[] = denialReasons

/** Alerts with the same reference that still wait for an intent, if this one says that the money did not arrive, or may say so. An
 *  unsigned alert denies no signed one. */
export const deniedAlerts = (
  { trusted }: AlertToResolve,
  { verdict, sameReference }: Classified,
): readonly SameReferenceAlert[] =>
  verdict.state === 'review' && denials.includes(verdict.reason)
    ? sameReference.filter((other) => other.state === 'waiting' && (trusted || !other.trusted))
    : []

export const deniedChange = (accountId: AccountId, earlier: SameReferenceAlert, reason: Reason): AlertChange => ({
  accountId,
  id: earlier.id,
  from: earlier.state,
  state: 'review',
  reason,
  intentId: null,
  duplicateOf: null,
  unmatchedOwed: earlier.owed,
})
