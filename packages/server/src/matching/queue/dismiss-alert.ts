/**
 * Dismisses an alert of the queue with a reason, and undoes a dismissal. A dismissed alert matches nothing: a reference that
 * is attached later finds no alert, and a repeated message is a duplicate. When the dismissal is undone, the alert resolves an
 * intent that has its reference, and an alert that was not read is reread.
 */

import { queueStates } from '../../alerts/alert-list.ts'
import type { Instant } from '../../core/clock.ts'
import type { AlertId } from '../../core/ids.ts'
import { formatMinor } from '../../core/money.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db, Tx } from '../../postgres/connection/database.ts'
import type { AlertRef } from '../records/alert-row.ts'
import type { AlertToResolve } from '../records/known-alerts.ts'
import { alertLocks } from '../resolve/alert-locks.ts'
import { doubtCredits } from '../resolve/amounts-sql.ts'
import { lockIntentsByReference } from '../resolve/matching-sql.ts'
import { endsIntent, resolutionOf } from '../resolve/resolution.ts'
import { resolveAlerts } from '../resolve/resolve-alerts.ts'
import { writeResolutions } from '../resolve/write-resolutions.ts'
import { judge } from '../rules/judge.ts'
import { type LockedAlert, lockQueueAlert, notOpen, resolvingAlert } from './lock-queue-alert.ts'
import { dismissedFrom, referenceOwner, restoreDismissed, reviewIfDenied, setDismissed } from './queue-sql.ts'
import { lockSamePayments } from './same-payments.ts'

export const dismissAlert = (
  db: Db,
  zone: Zone,
  dismissal: AlertRef & { readonly by: string; readonly why: string },
  now: Instant,
): Promise<AlertId | Refusal<'alert_unknown' | 'alert_not_open'>> =>
  db.transaction(async (tx) => {
    const row = await lockQueueAlert(tx, dismissal, zone)
    if (isRefusal(row)) return row
    const from = queueStates.find((state) => state === row.state)
    if (from === undefined) return notOpen(tx, dismissal, zone)
    const { scope, by, why } = dismissal
    const changed = await setDismissed(
      tx,
      { accountId: scope.accountId, id: row.id, from, by: by.slice(0, 300), why },
      now,
    )
    if (changed.length !== 1) throw new Error('an alert changed while its row was locked')
    return row.id
  })

/** `reread`: the alert, read again in case that no template read it before. */
export const undoDismissal = (
  db: Db,
  zone: Zone,
  ref: AlertRef,
  reread: AlertToResolve,
  now: Instant,
): Promise<
  AlertId | Refusal<'alert_unknown' | 'alert_not_open' | 'alert_not_dismissed' | 'alert_erased' | 'reference_taken'>
> =>
  db.transaction(async (tx) => {
    const row = await lockQueueAlert(tx, ref, zone, alertLocks([reread]))
    if (isRefusal(row)) return row
    if (row.state !== 'dismissed') return refuse('alert_not_dismissed', { state: row.state })
    const [before] = await dismissedFrom(tx, ref.scope, row.id)
    const ownedReference = before?.from === 'waiting' || before?.from === 'wrong_amount'
    // Whoever decides about the others would need their text.
    if (row.erased_at !== null && !ownedReference) return refuse('alert_erased')
    const taken = ownedReference ? await referenceTaken(tx, row) : undefined
    if (taken !== undefined) return taken
    const [undone] = await restoreDismissed(tx, ref.scope, row.id)
    if (undone?.state === 'waiting' || undone?.state === 'wrong_amount')
      await matchReturned(tx, zone, row, undone.state, now)
    if (undone?.state === 'unread' && reread.reading.kind === 'read')
      await resolveAlerts(tx, [{ ...reread, stored: { ...reread.stored!, was: 'unread' } }], zone)
    return row.id
  })

/** A refusal if another alert owns the reference now: a member may have booked one meanwhile. */
const referenceTaken = async (tx: Tx, row: LockedAlert): Promise<Refusal<'reference_taken'> | undefined> => {
  if (row.identity === null || row.reference_key === null) return undefined
  const [other] = await referenceOwner(tx, row.identity, row.reference_key, row.id)
  return other && refuse('reference_taken', { alert: other.id, state: other.state, amount: formatMinor(other.amount!) })
}

/** Matches money that is back in the queue, unless a message denied it meanwhile, or it may be a payment that was spent meanwhile:
 *  then it waits for a member. Returns whether it cannot be used any more without a member: it ended an intent, or waits. */
export const matchReturned = async (
  tx: Tx,
  zone: Zone,
  row: LockedAlert,
  state: 'waiting' | 'wrong_amount',
  now: Instant,
): Promise<boolean> => {
  if (state === 'waiting' && (await reviewIfDenied(tx, wholeAccount(row.account_id), row.id)).length > 0) return true
  const { spent } = await lockSamePayments(tx, wholeAccount(row.account_id), row)
  if (spent === undefined) return matchAgain(tx, zone, row, state, now)
  await doubtCredits(tx, wholeAccount(row.account_id), [row.id], spent)
  return true
}

/** Resolves the intent that got the alert's reference meanwhile. The caller holds the lock of the reference. Returns whether there
 *  is one. */
export const matchAgain = async (
  tx: Tx,
  zone: Zone,
  alert: LockedAlert,
  state: 'waiting' | 'wrong_amount',
  now: Instant,
): Promise<boolean> => {
  const { wallet_id: walletId, identity, reference_key: referenceKey, amount, received_at: receivedAt, trusted } = alert
  if (walletId === null || identity === null || referenceKey === null || amount === null) return false
  const [row] = await lockIntentsByReference(tx, [{ identity, referenceKey }])
  if (row === undefined) return false
  const intent = { ...row, walletId: row.wallet_id, externalOrderId: row.external_order_id, expiresAt: row.expires_at }
  const outcome = judge(intent, { amount, receivedAt, trusted }, now)
  if (!endsIntent(outcome)) return false
  const by = { way: 'alert', referencesTried: row.tried } as const
  writeResolutions(tx, [resolutionOf(intent, { ...resolvingAlert(alert), from: state }, outcome, by, now, zone)])
  return true
}
