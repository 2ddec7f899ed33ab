/**
 * A member accepts the balance of an alert although it does not follow from the one before: a message was missed, or no
 * template reads a withdrawal. The wallet's balance continues from there. The alert, and those that follow from it, are
 * matched as if nothing were missing.
 */
import { proveAlert } from '../../alerts/balances/balance-chain.ts'
import type { Instant } from '../../core/clock.ts'
import type { AlertId } from '../../core/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import { type Scope, wholeAccount } from '../../core/scope.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db, Session, Tx } from '../../postgres/connection/database.ts'
import { alertToResolve, type ReleaseDeps } from '../reading/read-stored.ts'
import type { AlertRef } from '../records/alert-row.ts'
import type { AlertToResolve } from '../records/known-alerts.ts'
import { alertLocks } from '../resolve/alert-locks.ts'
import { lockBalances, saveBalances } from '../resolve/matching-sql.ts'
import { type AlertOutcome, resolveAlerts } from '../resolve/resolve-alerts.ts'
import { lockAlert, storedAlert } from '../resolve/stored-alert-sql.ts'
import { chainFrom, chainRow } from '../resolve/stored-chain.ts'
import { lockQueueAlert } from './lock-queue-alert.ts'
import { balanceOfWallet } from './queue-sql.ts'

/** Rereads the given alerts, except those that are not in review because of a balance. */
export const readDoubtful = async (
  deps: Pick<ReleaseDeps, 'db' | 'readReport'>,
  scope: Scope,
  ids: readonly string[],
  now: Instant,
): Promise<AlertToResolve[]> => {
  const alerts: AlertToResolve[] = []
  for (const id of ids) {
    const [row] = await storedAlert(deps.db, scope, id)
    if (row !== undefined && isDoubtful(row))
      alerts.push({ ...(await alertToResolve(row, deps.readReport, now)), balanceAccepted: true })
  }
  return alerts
}

/** The alerts that are still in review, with their rows locked until the transaction ends. */
export const lockDoubtful = async (tx: Tx, alerts: readonly AlertToResolve[]): Promise<AlertToResolve[]> => {
  const open: AlertToResolve[] = []
  for (const alert of alerts) {
    const [locked] = await lockAlert(tx, wholeAccount(alert.accountId), alert.stored!.id)
    if (locked !== undefined && isDoubtful(locked)) open.push(alert)
  }
  return open
}

/** Rereads the alert and the doubtful alerts that follow from it. Called before the transaction. */
export const readFollowing = async (
  deps: Pick<ReleaseDeps, 'db' | 'readReport'>,
  ref: AlertRef,
  now: Instant,
): Promise<AlertToResolve[] | Refusal<'alert_unknown' | 'alert_not_doubtful' | 'alert_erased'>> => {
  const [row] = await storedAlert(deps.db, ref.scope, ref.alertId)
  if (row === undefined) return refuse('alert_unknown')
  if (!isDoubtful(row) || row.identity === null) return refuse('alert_not_doubtful', { state: row.state })
  if (row.erased_at !== null) return refuse('alert_erased')
  return readDoubtful(deps, ref.scope, await doubtfulEndOf(deps.db, row.identity, row.id), now)
}

const isDoubtful = ({ state, reason }: { readonly state: string; readonly reason: string }): boolean =>
  state === 'review' && reason === 'broken_chain'

/** The alert, and the other alerts of the same doubtful end of the balance chain. */
const doubtfulEndOf = async (
  db: Session,
  identity: Parameters<typeof balanceOfWallet>[1],
  id: AlertId,
): Promise<AlertId[]> => {
  const [row] = await balanceOfWallet(db, identity)
  const end = row && chainFrom(row).ends.find(({ alerts }) => alerts.includes(id))
  return [...new Set([id, ...(end?.alerts ?? [])])]
}

export const acceptBalance = (
  db: Db,
  zone: Zone,
  ref: AlertRef,
  alerts: readonly AlertToResolve[],
): Promise<AlertOutcome[] | Refusal<'alert_unknown' | 'alert_not_open' | 'alert_not_doubtful'>> =>
  db.transaction(async (tx) => {
    const row = await lockQueueAlert(tx, ref, zone, alertLocks(alerts))
    if (isRefusal(row)) return row
    if (!isDoubtful(row) || row.identity === null) return refuse('alert_not_doubtful', { state: row.state })
    const open = await lockDoubtful(tx, alerts)
    const [balance] = await lockBalances(tx, [row.identity])
    if (balance !== undefined) {
      const chain = chainFrom(balance)
      const proved = proveAlert(chain, row.id)
      if (proved !== chain) await saveBalances(tx, [chainRow(row.identity, proved, row.id)])
    }
    return resolveAlerts(tx, open, zone)
  })
