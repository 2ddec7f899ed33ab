/**
 * Reads unread alerts again after a wallet was created, bound to a phone or given another sender: at once, and once more when
 * every node knows of the change. It goes in steps; a step that was not finished is repeated.
 */
import { templateLookup } from '../../alerts/templates/template-lookup.ts'
import type { Instant } from '../../core/clock.ts'
import { markWalletReread, walletToReread } from '../../wallets/wallets/reread-sql.ts'
import { reportReader } from '../report/read-report.ts'
import { type RereadDeps, rereadAlerts } from './release-held.ts'

/** Another node may store alerts that it read with its cached wallets for this long. */
const otherNodes_ms = 30_000

/** Takes the next wallet. Returns true if there may be more to do. */
export const rereadForWallet = async (deps: RereadDeps, now: Instant): Promise<boolean> => {
  const { db } = deps
  const [wallet] = await walletToReread(db, now - otherNodes_ms)
  if (wallet === undefined) return false
  // With the wallets and templates of the database, not this node's cache.
  const understand = reportReader(db, templateLookup(db), deps.hiding)
  const scope = { accountId: wallet.account_id, senders: [wallet.sender_name] }
  if (wallet.sender_name !== '') await rereadAlerts({ ...deps, understand }, scope, now)
  await markWalletReread(db, wallet.account_id, wallet.id, wallet.version, now)
  return true
}
