/**
 * After a suspension: what was held of the account because of it, and what a template published meanwhile can read, is
 * settled as if it had just come, but keeps the time at which it did. Money whose intent has expired meanwhile is unmatched,
 * like any that comes late. It goes in steps; one that was not finished is taken again. What a phone that is switched off has
 * said stays held.
 */
import { accountToRelease, markReleased } from '../../accounts/tenants/settings-sql.ts'
import type { Instant } from '../../core/clock.ts'
import { alertLocks } from '../resolve/alert-locks.ts'
import { resolveAlerts } from '../resolve/settle.ts'
import { alertToResolve, type ReleaseDeps, rereadAlerts } from './release-held.ts'
import { heldSince, sendersOf } from './stored-alert-sql.ts'

const step = 100
/** Clocks of several nodes: an alert may have come, by its node's, a moment before it was held. */
const skew_ms = 5_000

/** Takes the next account. True: there may be more to do. */
export const releaseSuspended = async (deps: ReleaseDeps, now: Instant): Promise<boolean> => {
  const [account] = await accountToRelease(deps.db)
  if (account === undefined) return false
  const rows = await heldSince(deps.db, account.id, account.release_since - skew_ms, step)
  const items = await Promise.all(rows.map((row) => alertToResolve(row, deps.understand, now)))
  if (items.length > 0) {
    const settled = await deps.db.transaction((tx) => resolveAlerts(tx, items, deps.zone), alertLocks(items))
    deps.onSettled?.(account.id, settled)
  }
  if (rows.length === step) return true
  const senders = (await sendersOf(deps.db, account.id)).map(({ sender_name }) => sender_name)
  await rereadAlerts(deps, { accountId: account.id, senders }, now)
  await markReleased(deps.db, account.id, account.release_since)
  return true
}
