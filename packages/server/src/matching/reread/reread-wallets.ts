/**
 * Rereads unread alerts after a wallet was created, bound to a phone or given another sender: at once, and once more when every
 * node uses the change. It works in steps; an unfinished step is repeated.
 */
import { templateLookup } from '../../alerts/publishing/template-lookup.ts'
import type { Instant } from '../../core/clock.ts'
import { wholeAccount } from '../../core/scope.ts'
import { markWalletReread, walletToReread } from '../../wallets/entries/reread-sql.ts'
import { reportReader } from '../reading/read-report.ts'
import { otherNodes_ms, type RereadDeps, rereadAlerts } from './reread-alerts.ts'

/** Rereads alerts for the next wallet. Returns true if there may be more to do. */
export const rereadForWallet = async (deps: RereadDeps, now: Instant): Promise<boolean> => {
  const { db } = deps
  const [wallet] = await walletToReread(db, now - otherNodes_ms)
  if (wallet === undefined) return false
  const readReport = reportReader(db, templateLookup(db), deps.hiding)
  const scope = { accountId: wallet.account_id, senders: [wallet.sender_name] }
  if (wallet.sender_name !== '') await rereadAlerts({ ...deps, readReport }, scope, now)
  await markWalletReread(db, wholeAccount(wallet.account_id), wallet.id, wallet.version, now)
  return true
}
