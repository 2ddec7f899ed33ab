/**
 * Takes unmatched money as a sale. The money is spent at once, under the same locks as a booking: no other intent, booking or sale
 * gets it, a repeated message is a duplicate, and a reference that is attached meanwhile is refused as used. There is no intent and
 * no event yet: finish-sales.ts makes them when the time to undo (undo-sale.ts) is over. Of two members who act at once one wins;
 * the refusal names that one.
 */
import { type Allowance, overLimit } from '../../accounts/limits/role-limits.ts'
import type { Instant } from '../../core/clock.ts'
import type { AlertId, UserId } from '../../core/ids.ts'
import { formatMinor, type Minor, minor } from '../../core/money.ts'
import { isRefusal, type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Zone } from '../../core/zone.ts'
import { storeTaking } from '../../intents/taking-sql.ts'
import type { Db, Tx } from '../../postgres/connection/database.ts'
import type { AlertRef } from '../records/alert-row.ts'
import { doubtCredits } from '../resolve/amounts-sql.ts'
import { needsLook } from '../rules/doubts.ts'
import { lockBookable } from './book-alert.ts'
import { walletKinds } from './book-sql.ts'
import { isSaleAmount, takenFrom, undo_ms } from './counter-sale.ts'
import { likelyIntents } from './likely-intents.ts'
import { notOpen, resolvingAlert } from './lock-queue-alert.ts'
import { orderShortfall } from './order-shortfall.ts'
import { setTaken, storeSale } from './sale-sql.ts'

export type TakenSale = AlertRef & {
  /** The member, as a text and by id. */
  readonly by: string
  readonly userId: UserId
  /** What the member may do without asking. */
  readonly allowed: Allowance
  /** The amount that the member saw. */
  readonly seen: Minor
  /** The member has looked at the message and its doubts. */
  readonly looked: boolean
  /** The member confirms that it is another payment than a spent one of the same amount (same-payments.ts). */
  readonly anotherPayment: boolean
  /** The member confirms that it is not for an order of this amount that waits in the wallet. */
  readonly notForOrder: boolean
  readonly externalOrderId: string
  readonly note: string
}

export type SaleRefusal = Refusal<
  | 'alert_unknown'
  | 'alert_not_open'
  | 'reference_taken'
  | 'may_be_same_payment'
  | 'sale_of_test_money'
  | 'sale_amount'
  | 'sale_amount_changed'
  | 'sale_needs_look'
  | 'sale_order_waits'
  | 'over_limit'
>

export const takeSale = (db: Db, zone: Zone, sale: TakenSale, now: Instant): Promise<AlertId | SaleRefusal> =>
  db.transaction(async (tx) => {
    const alert = await lockBookable(tx, sale, zone)
    if (isRefusal(alert)) return alert
    const from = takenFrom(alert.state)
    if (from === undefined) return notOpen(tx, sale, zone)
    const [wallet] = await walletKinds(tx, sale.scope, [alert.walletId])
    if (wallet?.is_test !== false) return refuse('sale_of_test_money')
    const amount = formatMinor(alert.amount)
    if (!isSaleAmount(alert.amount)) return refuse('sale_amount', { amount })
    if (sale.seen !== alert.amount) return refuse('sale_amount_changed', { amount })
    const { spent = null, open } = alert.same
    const isDoubtful = needsLook({ ...resolvingAlert(alert), ...alert, samePayment: spent })
    if (isDoubtful && !sale.looked) return refuse('sale_needs_look')
    const waiting = sale.notForOrder ? undefined : await waitingOrder(tx, sale.scope, alert, now)
    if (waiting !== undefined) return waiting
    const forgiven = minor(0n)
    const order = { externalOrderId: sale.externalOrderId, currency: alert.currency ?? '' }
    const short = await orderShortfall(tx, sale.scope, order, { forgiven, amount: alert.amount }, now)
    const over = overLimit(sale.allowed, { kind: 'sale', amount: alert.amount, short, currency: order.currency })
    if (over !== undefined) return over
    const changed = await setTaken(tx, sale.scope, alert.id, from)
    if (changed.length !== 1) throw new Error('an alert changed while its row was locked')
    const { scope, externalOrderId, note } = sale
    const by = sale.by.slice(0, 300)
    const times = { takenAt: now, dueAt: now + undo_ms }
    const taken = {
      accountId: scope.accountId,
      alertId: alert.id,
      fromReason: alert.reason,
      samePayment: spent,
      by,
      ...times,
    }
    await storeSale(tx, { ...taken, externalOrderId, note })
    await storeTaking(tx, { accountId: scope.accountId, alertId: alert.id, userId: sale.userId, at: now })
    // Another wording of this payment is no second payment: its reference verifies no intent until a member decides.
    if (open.length > 0) await doubtCredits(tx, scope, open, alert.id)
    return alert.id
  })

/** The refusal that names the order which the money is likely for: PENDING, of this amount, and not waiting for another reference. */
const waitingOrder = async (
  tx: Tx,
  scope: Scope,
  alert: Exclude<Awaited<ReturnType<typeof lockBookable>>, Refusal>,
  now: Instant,
): Promise<Refusal<'sale_order_waits'> | undefined> => {
  const {
    id,
    identity,
    amount,
    currency,
    reference,
    reference_key: referenceKey,
    received_at: receivedAt,
    payer,
  } = alert
  const credit = { id, identity, amount, currency, reference, referenceKey, receivedAt, payer }
  const found = (await likelyIntents(tx, scope, [credit], now)).get(id) ?? []
  const order = found.find(
    ({ status, sameReference, hasReference }) => status === 'PENDING' && (sameReference || !hasReference),
  )
  if (order === undefined) return undefined
  return refuse('sale_order_waits', {
    intent: order.intentId,
    payment: order.code,
    order: order.externalOrderId,
    amount: formatMinor(amount),
  })
}
