/**
 * A balance that alerts waited for turned out to be true: the missing messages came after all (late, or out of order), or a
 * person booked one of them. What waited only because of it is matched, as if nothing had been missing. At once after the alert
 * that proved it, and by a loop for what a crash left behind.
 */
import type { Instant } from '../../core/clock.ts'
import type { AccountId, WalletIdentity } from '../../core/ids.ts'
import { holdDoubtful, readDoubtful } from '../queue/accept-balance.ts'
import { balanceOf, walletsToRelease } from '../queue/queue-sql.ts'
import { alertLocks } from '../resolve/alert-locks.ts'
import { holdBalances, saveBalances } from '../resolve/matching-sql.ts'
import { resolveAlerts } from '../resolve/settle.ts'
import { chainFrom, chainRow } from '../resolve/stored-chain.ts'
import type { ReleaseDeps } from './release-held.ts'

export const releaseProven = async (
  deps: ReleaseDeps,
  accountId: AccountId,
  identity: WalletIdentity,
  now: Instant,
): Promise<void> => {
  const [row] = await balanceOf(deps.db, identity)
  const proved = row === undefined ? [] : (chainFrom(row).proved ?? [])
  if (proved.length === 0) return
  const items = await readDoubtful(deps, accountId, proved, now)
  const settled = await deps.db.transaction(async (tx) => {
    // In the order in which everyone takes them: alerts, then the balance.
    const open = await holdDoubtful(tx, items)
    const [held] = await holdBalances(tx, [identity])
    if (held !== undefined) {
      const { proved: now_proved = [], ...chain } = chainFrom(held)
      const left = now_proved.filter((id) => !proved.includes(id))
      await saveBalances(tx, [
        chainRow(identity, left.length === 0 ? chain : { ...chain, proved: left }, held.alert_id),
      ])
    }
    return resolveAlerts(tx, open, deps.zone)
  }, alertLocks(items))
  if (settled.length > 0) deps.onSettled?.(accountId, settled)
}

/** The next of them. True: there may be more to do. */
export const releaseNextProven = async (deps: ReleaseDeps, now: Instant): Promise<boolean> => {
  const [wallet] = await walletsToRelease(deps.db, 1)
  if (wallet === undefined) return false
  await releaseProven(deps, wallet.account_id, wallet.wallet_id, now)
  return true
}
