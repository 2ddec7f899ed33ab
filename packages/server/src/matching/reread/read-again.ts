/**
 * A member has an alert read again that was not read, or not decided: with the current wallets and templates, or for the
 * wallet that the member chose where several fit. The reading is done before the transaction; then the row is held, and the
 * request is refused if the alert has changed meanwhile.
 */
import type { WalletId } from '../../core/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { type AlertRef, type HeldAlert, holdQueueAlert, notOpen } from '../queue/hold-queue-alert.ts'
import { alertLocks } from '../resolve/alert-locks.ts'
import type { AlertToResolve } from '../resolve/known-alerts.ts'
import { type AlertOutcome, resolveAlerts } from '../resolve/resolve-alerts.ts'

/** `again`: the alert, read again (`readStored`). */
const resolveAgain = async <Code extends 'alert_not_ambiguous' | 'alert_not_unread'>(
  db: Db,
  zone: Zone,
  ref: AlertRef,
  again: AlertToResolve,
  refusalFor: (row: HeldAlert) => Refusal<Code> | undefined,
): Promise<AlertOutcome | Refusal<'alert_unknown' | 'alert_not_open' | Code>> =>
  db.transaction(async (tx) => {
    const row = await holdQueueAlert(tx, ref, zone, alertLocks([again]))
    if (isRefusal(row)) return row
    const refusal = refusalFor(row)
    if (refusal !== undefined) return refusal
    if (row.state !== again.stored!.was) return notOpen(tx, ref, zone)
    const [outcome] = await resolveAlerts(tx, [again], zone)
    return outcome!
  })

export const readAgain = (db: Db, zone: Zone, ref: AlertRef, again: AlertToResolve) =>
  resolveAgain(db, zone, ref, again, ({ state, reason }) =>
    state === 'unread' || reason === 'not_decided' ? undefined : refuse('alert_not_unread', { state }),
  )

/** `again`: read for the chosen wallet. */
export const chooseWallet = async (
  db: Db,
  zone: Zone,
  ref: AlertRef & { readonly walletId: WalletId },
  again: AlertToResolve,
): Promise<
  AlertOutcome | Refusal<'alert_unknown' | 'alert_not_open' | 'alert_not_ambiguous' | 'wallet_not_offered'>
> => {
  if (again.reading.wallet?.id !== ref.walletId) return refuse('wallet_not_offered', { wallet: ref.walletId })
  return resolveAgain(db, zone, ref, again, ({ state, reason }) =>
    state === 'unread' && reason === 'which_wallet' ? undefined : refuse('alert_not_ambiguous', { state }),
  )
}
