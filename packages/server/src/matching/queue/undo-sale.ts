/**
 * Undoes a sale while its time is not over: the money is unmatched again, as after an undone dismissal. It resolves an intent that
 * has its reference, or the first intent that claimed it while the money was taken. Money that had to wait because it may be the
 * same payment is matched as if the sale had never been.
 */

import type { Instant } from '../../core/clock.ts'
import { type AlertId, timeOrderedId } from '../../core/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Zone } from '../../core/zone.ts'
import { deleteTaking } from '../../intents/taking-sql.ts'
import type { Db, Tx } from '../../postgres/connection/database.ts'
import { alertToResolve, type ReleaseDeps } from '../reading/read-stored.ts'
import type { AlertRef } from '../records/alert-row.ts'
import type { AlertToResolve } from '../records/known-alerts.ts'
import { alertLocks } from '../resolve/alert-locks.ts'
import { acceptCredit } from '../resolve/amounts-sql.ts'
import { attach } from '../resolve/attach-references.ts'
import { resolveAlerts } from '../resolve/resolve-alerts.ts'
import { lockAlert } from '../resolve/stored-alert-sql.ts'
import { matchAgain, matchReturned } from './dismiss-alert.ts'
import { type LockedAlert, lockQueueAlert, timeIn } from './lock-queue-alert.ts'
import { doubtedBecauseOf, firstClaimSince, lockSale, returnTaken } from './sale-sql.ts'
import { samePaymentLocks } from './same-payments.ts'

/** More alerts of one amount that wait because of one sale stay for a member to decide. */
const mostDoubted = 100

/** The alerts that wait because of the sale, read again. Called before the transaction. */
export const readDoubted = async (
  deps: Pick<ReleaseDeps, 'db' | 'readReport'>,
  ref: AlertRef,
  now: Instant,
): Promise<AlertToResolve[]> => {
  const rows = await doubtedBecauseOf(deps.db, ref.scope, ref.alertId, mostDoubted)
  const alerts: AlertToResolve[] = []
  // An alert gets this reason after its balance: it followed, or a member has accepted it.
  for (const row of rows) alerts.push({ ...(await alertToResolve(row, deps.readReport, now)), balanceAccepted: true })
  return alerts
}

export type UndoRefusal = Refusal<'alert_unknown' | 'alert_not_open' | 'sale_unknown' | 'sale_final'>

/** `doubted`: from readDoubted. */
export const undoSale = (
  db: Db,
  zone: Zone,
  ref: AlertRef,
  doubted: readonly AlertToResolve[],
  now: Instant,
): Promise<AlertId | UndoRefusal> =>
  db.transaction(async (tx) => {
    const locks = [...(await samePaymentLocks(tx, ref)), ...alertLocks(doubted)]
    const row = await lockQueueAlert(tx, ref, zone, locks)
    if (isRefusal(row)) return row
    const [sale] = await lockSale(tx, ref.scope, row.id)
    if (sale === undefined) return refuse('sale_unknown', { state: row.state })
    const { intent_id: intent, payment } = sale
    if (intent !== null || now >= sale.due_at)
      return refuse('sale_final', {
        by: sale.by,
        ...timeIn(zone, sale.taken_at),
        ...(intent === null ? {} : { intent, payment: payment ?? '' }),
      })
    const [returned] = await returnTaken(tx, ref.scope, row.id)
    if (returned === undefined) throw new Error('a sale changed while its rows were locked')
    await deleteTaking(tx, ref.scope, row.id)
    const money = { ...row, state: returned.state, reason: sale.from_reason }
    const isSpent =
      returned.state === 'waiting' &&
      ((await matchReturned(tx, zone, money, 'waiting', now)) ||
        (await matchClaim(tx, zone, money, sale.taken_at, now)))
    // If the money has verified an intent, the other alerts still may be that payment.
    if (!isSpent) await matchDoubted(tx, zone, row.id, doubted)
    return row.id
  })

/** Gives the reference to the first intent that claimed it while the money was taken: it is resolved at once. Returns whether. */
const matchClaim = async (tx: Tx, zone: Zone, alert: LockedAlert, since: Instant, now: Instant): Promise<boolean> => {
  const { account_id: accountId, identity, reference_key: referenceKey } = alert
  if (identity === null || referenceKey === null) return false
  const [claim] = await firstClaimSince(tx, wholeAccount(accountId), identity, referenceKey, since, now)
  if (claim === undefined) return false
  const attachment = { accountId, ...claim, referenceKey, entryId: timeOrderedId<string>(now), now }
  const [intent] = await attach(tx, [attachment], zone)
  return intent !== undefined && intent !== 'too many' && intent.matched !== null
}

const matchDoubted = async (tx: Tx, zone: Zone, undone: AlertId, doubted: readonly AlertToResolve[]): Promise<void> => {
  const again: AlertToResolve[] = []
  for (const alert of doubted) {
    const [locked] = await lockAlert(tx, wholeAccount(alert.accountId), alert.stored!.id)
    if (locked === undefined || locked.similar_to !== undone) continue
    if (locked.state === 'review' && locked.reason === 'amount_seen') again.push(alert)
    if (locked.state === 'wrong_amount') {
      await acceptCredit(tx, wholeAccount(alert.accountId), locked.id)
      await matchAgain(tx, zone, { ...locked, similar_to: null }, locked.state, alert.now)
    }
  }
  if (again.length > 0) await resolveAlerts(tx, again, zone)
}
