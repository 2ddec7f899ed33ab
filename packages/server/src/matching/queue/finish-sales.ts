/**
 * Finishes sales that can no longer be undone: in one transaction for each, an intent of exactly the amount that arrived is made and
 * booked by the money, with its timeline entry, its event and the mark that the goods were handed over. The batch is bounded, and
 * several nodes may run it at once: whoever locks the sale first finishes it. A sale that fails is tried again at the next run.
 */

import type { Instant } from '../../core/clock.ts'
import type { AccountId, AlertId } from '../../core/ids.ts'
import { isRefusal } from '../../core/refusal.ts'
import { wholeAccount } from '../../core/scope.ts'
import type { Zone } from '../../core/zone.ts'
import { arrivalOf } from '../../intents/arrival.ts'
import { storeHandover } from '../../intents/handover-sql.ts'
import type { Intent } from '../../intents/intent.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { bookOntoNew } from './book-alert.ts'
import { lockQueueAlert } from './lock-queue-alert.ts'
import { dueSales, finishSale, lockSale } from './sale-sql.ts'

type Options = {
  readonly db: Db
  readonly zone: Zone
  /** Called for each intent after its commit. */
  readonly onFinished?: (accountId: AccountId, alertId: AlertId, intent: Intent) => void
  readonly onFault?: (fault: unknown) => void
}

/** Returns whether there may be more. */
export const finishSales = async ({ db, zone, ...options }: Options, limit: number, now: Instant): Promise<boolean> => {
  const due = await dueSales(db, now, limit)
  let failed = 0
  for (const { account_id: accountId, alert_id: alertId } of due) {
    try {
      const intent = await finishOne(db, zone, accountId, alertId, now)
      if (intent !== undefined) options.onFinished?.(accountId, alertId, intent)
    } catch (fault) {
      failed++
      options.onFault?.(fault)
    }
  }
  return due.length === limit && failed === 0
}

/** Undefined: another node finished it, or a member undid it. */
const finishOne = (
  db: Db,
  zone: Zone,
  accountId: AccountId,
  alertId: AlertId,
  now: Instant,
): Promise<Intent | undefined> =>
  db.transaction(async (tx) => {
    const scope = wholeAccount(accountId)
    const row = await lockQueueAlert(tx, { scope, alertId }, zone)
    if (isRefusal(row)) return undefined
    const [sale] = await lockSale(tx, scope, row.id)
    if (sale === undefined || sale.intent_id !== null) return undefined
    const { wallet_id: walletId, identity, amount, currency } = row
    if (walletId === null || identity === null || amount === null || currency === null)
      throw new Error(`alert ${row.id} was taken as a sale without an amount`)
    const { external_order_id: externalOrderId, note: notes, by } = sale
    const draft = { walletId, total: amount, currency, externalOrderId, notes, items: '[]' }
    const asked = { base: amount, payable: amount }
    // Other alerts that may be this payment were marked when it was taken.
    const alert = { ...row, walletId, identity, amount, same: { spent: sale.same_payment ?? undefined, open: [] } }
    const intent = await bookOntoNew(tx, zone, { scope, by }, draft, alert, arrivalOf(asked, amount), now)
    await finishSale(tx, scope, row.id, intent.id)
    await storeHandover(tx, { accountId, intentId: intent.id, by, at: sale.taken_at })
    return intent
  })
