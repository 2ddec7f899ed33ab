/**
 * A balance that alerts waited for turned out to be true: the missing messages came after all (late, or out of order), or a
 * person booked one of them. What waited only because of it is matched, as if nothing had been missing. At once after the alert
 * that proved it, and by a loop for what a crash left behind.
 */
import type { Instant } from '../ground/clock.ts'
import type { AccountId, WalletIdentity } from '../ground/ids.ts'
import { holdDoubtful, readDoubtful } from './accept-balance.ts'
import { holdBalances, saveBalances } from './matching-sql.ts'
import { balanceOf, walletsToRelease } from './queue-sql.ts'
import type { ReleaseRooms } from './release-held.ts'
import { chainIn, locksOf, savedChain, settle } from './settle.ts'

export const releaseProven = async (
  rooms: ReleaseRooms,
  accountId: AccountId,
  identity: WalletIdentity,
  now: Instant,
): Promise<void> => {
  const [row] = await balanceOf(rooms.db, identity)
  const proved = row === undefined ? [] : (chainIn(row).proved ?? [])
  if (proved.length === 0) return
  const items = await readDoubtful(rooms, accountId, proved, now)
  const settled = await rooms.db.transaction(async (tx) => {
    // In the order in which everyone takes them: alerts, then the balance.
    const open = await holdDoubtful(tx, items)
    const [held] = await holdBalances(tx, [identity])
    if (held !== undefined) {
      const { proved: now_proved = [], ...chain } = chainIn(held)
      const left = now_proved.filter((id) => !proved.includes(id))
      await saveBalances(tx, [
        savedChain(identity, left.length === 0 ? chain : { ...chain, proved: left }, held.alert_id),
      ])
    }
    return settle(tx, open, rooms.zone)
  }, locksOf(items))
  if (settled.length > 0) rooms.onSettled?.(accountId, settled)
}

/** The next of them. True: there may be more to do. */
export const releaseNextProven = async (rooms: ReleaseRooms, now: Instant): Promise<boolean> => {
  const [wallet] = await walletsToRelease(rooms.db, 1)
  if (wallet === undefined) return false
  await releaseProven(rooms, wallet.account_id, wallet.wallet_id, now)
  return true
}
