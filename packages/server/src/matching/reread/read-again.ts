/**
 * An alert that nobody understood, or could not decide about, gets another chance: read by the wallets and templates of now,
 * or for the wallet that a person chose where several fit. Reading comes before the transaction; the row is then held, and is
 * still what it was or somebody was quicker.
 */
import type { AccountId, WalletId } from '../../core/ids.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { type HeldAlert, holdQueueAlert, notOpen } from '../queue/hold-queue-alert.ts'
import { alertLocks } from '../resolve/alert-locks.ts'
import type { AlertToResolve } from '../resolve/known-alerts.ts'
import { resolveAlerts, type Settled } from '../resolve/settle.ts'

type Asked = { readonly accountId: AccountId; readonly alertId: string }

/** `item`: the alert read anew (`readStored`). */
const resolveAgain = async <Code extends 'alert_not_ambiguous' | 'alert_not_unread'>(
  db: Db,
  zone: Zone,
  asked: Asked,
  item: AlertToResolve,
  refused: (row: HeldAlert) => Refusal<Code> | undefined,
): Promise<Settled | Refusal<'alert_unknown' | 'alert_not_open' | Code>> =>
  db.transaction(async (tx) => {
    const row = await holdQueueAlert(tx, asked, zone, alertLocks([item]))
    if (isRefusal(row)) return row
    const no = refused(row)
    if (no !== undefined) return no
    if (row.state !== item.stored!.was) return notOpen(tx, asked, zone)
    const [settled] = await resolveAlerts(tx, [item], zone)
    return settled!
  })

export const readAgain = (db: Db, zone: Zone, asked: Asked, item: AlertToResolve) =>
  resolveAgain(db, zone, asked, item, ({ state, reason }) =>
    state === 'unread' || reason === 'not_decided' ? undefined : refuse('alert_not_unread', { state }),
  )

/** `item`: read for the wallet that was chosen. */
export const chooseWallet = async (
  db: Db,
  zone: Zone,
  asked: Asked & { readonly walletId: WalletId },
  item: AlertToResolve,
): Promise<Settled | Refusal<'alert_unknown' | 'alert_not_open' | 'alert_not_ambiguous' | 'wallet_not_offered'>> => {
  if (item.reading.wallet?.id !== asked.walletId) return refuse('wallet_not_offered', { wallet: asked.walletId })
  return resolveAgain(db, zone, asked, item, ({ state, reason }) =>
    state === 'unread' && reason === 'which_wallet' ? undefined : refuse('alert_not_ambiguous', { state }),
  )
}
