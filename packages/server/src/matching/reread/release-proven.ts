/**
 * Matches alerts that were in review only because of a doubtful balance, once that balance is proved: the missing messages
 * arrived, a member booked one of the alerts, or a trusted alert followed a day later (balance-chain.ts). It runs right after the
 * alert that proved the balance, and in a background loop for wallets that a crash left behind.
 */
import type { Instant } from '../../core/clock.ts'
import type { WalletIdentity } from '../../core/ids.ts'
import { type Scope, wholeAccount } from '../../core/scope.ts'
import { lockDoubtful, readDoubtful } from '../queue/accept-balance.ts'
import { balanceOfWallet, walletsToRelease } from '../queue/queue-sql.ts'
import type { ReleaseDeps } from '../reading/read-stored.ts'
import { alertLocks } from '../resolve/alert-locks.ts'
import { lockBalances, saveBalances } from '../resolve/matching-sql.ts'
import { resolveAlerts } from '../resolve/resolve-alerts.ts'
import { chainFrom, chainRow } from '../resolve/stored-chain.ts'

export const releaseProven = async (
  deps: ReleaseDeps,
  scope: Scope,
  identity: WalletIdentity,
  now: Instant,
): Promise<void> => {
  const [row] = await balanceOfWallet(deps.db, identity)
  const proved = row === undefined ? [] : (chainFrom(row).proved ?? [])
  if (proved.length === 0) return
  const alerts = await readDoubtful(deps, scope, proved, now)
  const outcomes = await deps.db.transaction(async (tx) => {
    // Every transaction locks alerts first, then the balance.
    const open = await lockDoubtful(tx, alerts)
    const [locked] = await lockBalances(tx, [identity])
    if (locked !== undefined) {
      const { proved: provedNow = [], ...chain } = chainFrom(locked)
      const left = provedNow.filter((id) => !proved.includes(id))
      await saveBalances(tx, [
        chainRow(identity, left.length === 0 ? chain : { ...chain, proved: left }, locked.alert_id),
      ])
    }
    return resolveAlerts(tx, open, deps.zone)
  }, alertLocks(alerts))
  if (outcomes.length > 0) deps.onResolved?.(scope.accountId, outcomes)
}

/** Releases the alerts of the next wallet. Returns true if there may be more to do. */
export const releaseNextProven = async (deps: ReleaseDeps, now: Instant): Promise<boolean> => {
  const [wallet] = await walletsToRelease(deps.db, 1)
  if (wallet === undefined) return false
  await releaseProven(deps, wholeAccount(wallet.account_id), wallet.wallet_id, now)
  return true
}
