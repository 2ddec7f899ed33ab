/**
 * Rereads the unread and hidden alerts of some senders, and resolves those that can be read now. They keep their time of arrival,
 * and match only an intent whose window is still open. It works in steps; an unfinished step is repeated.
 */
import type { Hiding } from '../../alerts/hidden/hidden-text.ts'
import type { Instant } from '../../core/clock.ts'
import { type AccountId, smallestId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import { alertToResolve, type ReleaseDeps } from '../reading/read-stored.ts'
import { type AlertToResolve, hiddenKind } from '../records/known-alerts.ts'
import { alertLocks } from '../resolve/alert-locks.ts'
import { type AlertOutcome, isPermanentFault, resolveAlerts } from '../resolve/resolve-alerts.ts'
import { sealedAlerts, unreadAlerts } from '../resolve/stored-alert-sql.ts'

/** A reread makes its own report reader, with the wallets and templates of the database instead of this node's cache. */
export type RereadDeps = Omit<ReleaseDeps, 'readReport'> & { readonly hiding: Hiding }

/** For this long after a change, another node may store alerts that it read with cached wallets and templates. */
export const otherNodes_ms = 30_000

/** Rereads unread and hidden alerts of these senders. Returns how many could be read now. */
export const rereadAlerts = async (
  deps: ReleaseDeps,
  scope: { readonly accountId: AccountId; readonly senders: readonly string[] },
  now: Instant,
): Promise<number> => {
  const { accountId, senders } = scope
  const hashed = senders.map((sender) => deps.readReport.hiding.sender(accountId, sender))
  const unread = await rereadEach(deps, unreadAlerts, { accountId, senders }, now)
  return unread + (await rereadEach(deps, sealedAlerts, { accountId, senders: [...senders, ...hashed] }, now))
}

const rereadEach = async (
  deps: ReleaseDeps,
  find: typeof unreadAlerts,
  scope: { readonly accountId: AccountId; readonly senders: readonly string[] },
  now: Instant,
): Promise<number> => {
  const step = 100
  let readNow = 0
  let after: string = smallestId
  for (;;) {
    const rows = await find(deps.db, wholeAccount(scope.accountId), scope.senders, after, step)
    const alerts = await Promise.all(rows.map((row) => alertToResolve(row, deps.readReport, now)))
    const changed = alerts.filter((alert, i) => alert.reading.kind === 'read' || hiddenKind(alert) !== rows[i]!.hidden)
    const outcomes = await resolveStored(deps, changed)
    if (outcomes.length > 0) deps.onResolved?.(scope.accountId, outcomes)
    readNow += outcomes.filter(({ state }) => state !== 'unread' && state !== 'hidden').length
    if (rows.length < step) return readNow
    after = rows.at(-1)!.id
  }
}

/** Resolves all alerts in one transaction. If one always fails, each gets its own transaction, and the failing one is not
 *  changed. */
const resolveStored = async (deps: ReleaseDeps, alerts: readonly AlertToResolve[]): Promise<AlertOutcome[]> => {
  if (alerts.length === 0) return []
  try {
    return await deps.db.transaction((tx) => resolveAlerts(tx, alerts, deps.zone), alertLocks(alerts))
  } catch (fault) {
    if (!isPermanentFault(fault)) throw fault
    if (alerts.length === 1) {
      deps.onFault?.(fault)
      return []
    }
  }
  const outcomes: AlertOutcome[] = []
  for (const alert of alerts) outcomes.push(...(await resolveStored(deps, [alert])))
  return outcomes
}
