/**
 * A wallet was entered, bound to a phone or given another sender: what its sender sent before, and nobody could read, is read
 * again. Once at once, and once more when every node knows of the change. In steps; one that was not finished is taken again.
 */
import { templateLookup } from '../../alerts/templates/template-lookup.ts'
import type { Instant } from '../../core/clock.ts'
import { markWalletReread, walletToReread } from '../../wallets/wallets/reread-sql.ts'
import { reportReader } from '../report/understand-report.ts'
import { type RereadDeps, rereadAlerts } from './release-held.ts'

/** So long a node may still be storing what it read by what it remembers of the wallet. */
const unheard_ms = 30_000

/** Takes the next wallet. True: there may be more to do. */
export const rereadForWallet = async (deps: RereadDeps, now: Instant): Promise<boolean> => {
  const { db } = deps
  const [wallet] = await walletToReread(db, now - unheard_ms)
  if (wallet === undefined) return false
  // By what is in the database now, whatever this node remembers.
  const understand = reportReader(db, templateLookup(db), deps.hiding)
  const asked = { accountId: wallet.account_id, senders: [wallet.sender_name] }
  if (wallet.sender_name !== '') await rereadAlerts({ ...deps, understand }, asked, now)
  await markWalletReread(db, wallet.account_id, wallet.id, wallet.version, now)
  return true
}
