/**
 * Resolves the alerts of an account that was suspended and is active again: those that were held because of the suspension,
 * and those that a template published meanwhile can read. They keep their time of arrival: if the intent has expired meanwhile,
 * the alert is unmatched. Alerts of a phone that is switched off stay held. The work is done in steps; an unfinished step is
 * repeated.
 */
import { accountToRelease, markReleased } from '../../accounts/tenants/settings-sql.ts'
import type { Instant } from '../../core/clock.ts'
import { wholeAccount } from '../../core/scope.ts'
import { alertToResolve, type ReleaseDeps } from '../reading/read-stored.ts'
import { alertLocks } from '../resolve/alert-locks.ts'
import { resolveAlerts } from '../resolve/resolve-alerts.ts'
import { heldSince, sendersOfAccount } from '../resolve/stored-alert-sql.ts'
import { rereadAlerts } from './reread-alerts.ts'

const step = 100
/** The clocks of nodes differ, so an alert held by the suspension may have a time of arrival shortly before it. */
const skew_ms = 5_000

/** Releases alerts of the next account. Returns true if there may be more to do. */
export const releaseSuspended = async (deps: ReleaseDeps, now: Instant): Promise<boolean> => {
  const [account] = await accountToRelease(deps.db)
  if (account === undefined) return false
  const rows = await heldSince(deps.db, wholeAccount(account.id), account.release_since - skew_ms, step)
  const alerts = await Promise.all(rows.map((row) => alertToResolve(row, deps.readReport, now)))
  if (alerts.length > 0) {
    const outcomes = await deps.db.transaction((tx) => resolveAlerts(tx, alerts, deps.zone), alertLocks(alerts))
    deps.onResolved?.(account.id, outcomes)
  }
  if (rows.length === step) return true
  const senders = (await sendersOfAccount(deps.db, wholeAccount(account.id))).map(({ sender_name }) => sender_name)
  await rereadAlerts(deps, { accountId: account.id, senders }, now)
  await markReleased(deps.db, account.id, account.release_since)
  return true
}
