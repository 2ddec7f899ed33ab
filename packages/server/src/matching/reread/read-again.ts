/**
 * Rereads an unread or undecided alert when a member asks for it: with the current wallets and templates, or, if several wallets
 * fit, for the one that the member chose. The caller reads the alert before the transaction. Then its row is locked, and the
 * request is refused if the alert has changed meanwhile.
 */
import type { WalletId } from '../../core/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { type LockedAlert, lockQueueAlert, notOpen } from '../queue/lock-queue-alert.ts'
import type { AlertRef } from '../records/alert-row.ts'
import type { AlertToResolve } from '../records/known-alerts.ts'
import { alertLocks } from '../resolve/alert-locks.ts'
import { type AlertOutcome, resolveAlerts } from '../resolve/resolve-alerts.ts'

/** `reread`: the result of `readStored`. */
const resolveAgain = async <Code extends 'alert_not_ambiguous' | 'alert_not_unread'>(
  db: Db,
  zone: Zone,
  ref: AlertRef,
  reread: AlertToResolve,
  refusalFor: (row: LockedAlert) => Refusal<Code> | undefined,
): Promise<AlertOutcome | Refusal<'alert_unknown' | 'alert_not_open' | Code>> =>
  db.transaction(async (tx) => {
    const row = await lockQueueAlert(tx, ref, zone, alertLocks([reread]))
    if (isRefusal(row)) return row
    const refusal = refusalFor(row)
    if (refusal !== undefined) return refusal
    if (row.state !== reread.stored!.was) return notOpen(tx, ref, zone)
    const [outcome] = await resolveAlerts(tx, [reread], zone)
    return outcome!
  })

export const readAgain = (db: Db, zone: Zone, ref: AlertRef, reread: AlertToResolve) =>
  resolveAgain(db, zone, ref, reread, ({ state, reason }) =>
    state === 'unread' || reason === 'not_decided' ? undefined : refuse('alert_not_unread', { state }),
  )

/** `reread`: the result of `readStored` for the chosen wallet. */
export const chooseWallet = async (
  db: Db,
  zone: Zone,
  ref: AlertRef & { readonly walletId: WalletId },
  reread: AlertToResolve,
): Promise<
  AlertOutcome | Refusal<'alert_unknown' | 'alert_not_open' | 'alert_not_ambiguous' | 'wallet_not_offered'>
> => {
  if (reread.reading.wallet?.id !== ref.walletId) return refuse('wallet_not_offered', { wallet: ref.walletId })
  return resolveAgain(db, zone, ref, reread, ({ state, reason }) =>
    state === 'unread' && reason === 'which_wallet' ? undefined : refuse('alert_not_ambiguous', { state }),
  )
}
