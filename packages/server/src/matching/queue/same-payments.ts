/**
 * Finds, for stored credits, the alerts of the same amount that may report the same payment in other words (rules/same-payment.ts).
 * The queue shows such an alert as a doubt. If it is spent, the credit can be booked only by a member who confirms that it is
 * another payment (docs/decisions/0055).
 */
import type { AlertState } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, AlertId, IntentId } from '../../core/ids.ts'
import { amountKey } from '../../intents/payable/choose-amounts.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import { amountLock, referenceLock } from '../resolve/alert-locks.ts'
import { lockCredits, recentAmounts, type StoredCredit, sourcesOfAlerts } from '../resolve/amounts-sql.ts'
import { creditOf, recentAmountOf } from '../resolve/stored-credit.ts'
import { compared_ms, mayBeSamePayment, sourceKey } from '../rules/same-payment.ts'
import type { AlertRef } from './lock-queue-alert.ts'
import { storedAlert } from './queue-sql.ts'

export type SamePayment = {
  readonly id: AlertId
  /** The intent that the alert verified, if it is spent. */
  readonly intentId: IntentId | null
  readonly spent: boolean
  readonly referenceKey: string | null
}

const isCredit = (row: StoredCredit): boolean =>
  row.direction === 'credit' && row.identity !== null && row.amount !== null

/** The keys of the sources that reported the text of a stored alert; `stored` is the list that the database has. */
const sourcesOf = (row: StoredCredit, stored: string | undefined): string[] => [
  sourceKey({ deviceId: row.device_id, adapter: row.adapter, kind: row.kind }),
  ...(stored === undefined ? [] : (JSON.parse(stored) as string[])),
]

/** For each credit, by its id, the other alerts that may be the same payment. Credits without one are not in the map. */
export const samePayments = async (
  db: Session,
  accountId: AccountId,
  rows: readonly StoredCredit[],
  /** How many alerts of the same amount and kind each credit is compared with. */
  most = 20,
): Promise<Map<AlertId, SamePayment[]>> => {
  const credits = rows.filter(isCredit)
  const found = new Map<AlertId, SamePayment[]>()
  if (credits.length === 0) return found
  const since: Instant = Math.min(...credits.map((row) => row.received_at)) - compared_ms
  const amounts = credits.map((row) => ({
    accountId,
    identity: row.identity!,
    amount: row.amount!,
    withoutReference: row.reference_key === null,
  }))
  const near = await recentAmounts(db, amounts, since, since, most)
  if (near.length === 0) return found
  const byAmount = Map.groupBy(near, (row) => amountKey(row.identity, row.amount))
  const concerned = credits.filter((row) => byAmount.has(amountKey(row.identity!, row.amount!)))
  const sources = new Map(
    (
      await sourcesOfAlerts(
        db,
        accountId,
        concerned.map(({ id }) => id),
      )
    ).map((row) => [row.id, row.sources]),
  )
  for (const row of concerned) {
    const credit = creditOf(row, sourcesOf(row, sources.get(row.id)))
    const same = byAmount
      .get(amountKey(row.identity!, row.amount!))!
      .map((other) => ({ ...recentAmountOf(other, row.received_at), intentId: other.intent_id }))
      .filter((other) => mayBeSamePayment(credit, other))
    const byId = new Map(same.map((other) => [other.id, other]))
    if (byId.size > 0) found.set(row.id, [...byId.values()])
  }
  return found
}

/** A booking compares with more alerts than a page of the queue does: many payments of one amount must not hide a spent one. */
const mostForBooking = 500

/** The locks that `lockSamePayments` needs, besides those of the alert. While they are held, no alert of this amount is resolved,
 *  and no reference of the alerts that may be the same payment is attached. */
export const samePaymentLocks = async (tx: Tx, ref: AlertRef): Promise<bigint[]> => {
  const [row] = await storedAlert(tx, ref.accountId, ref.alertId)
  if (row === undefined || !isCredit(row)) return []
  const same = (await samePayments(tx, ref.accountId, [row], mostForBooking)).get(row.id) ?? []
  const references = same.flatMap(({ referenceKey }) => (referenceKey === null ? [] : [referenceKey]))
  return [amountLock(row.identity!, row.amount!), ...references.map((key) => referenceLock(ref.accountId, key))]
}

/** The alerts that may be the same payment as a locked alert: a spent one, if there is one, and the others, which are now locked. */
export const lockSamePayments = async (
  tx: Tx,
  accountId: AccountId,
  row: StoredCredit,
): Promise<{ readonly spent: AlertId | undefined; readonly open: readonly AlertId[] }> => {
  const same = (await samePayments(tx, accountId, [row], mostForBooking)).get(row.id) ?? []
  const notSpent = same.filter(({ spent }) => !spent).map(({ id }) => id)
  // One may have been spent after it was read and before it was locked.
  const locked = notSpent.length === 0 ? [] : await lockCredits(tx, accountId, notSpent)
  const isSpent = (state: AlertState): boolean => state === 'matched' || state === 'booked'
  return {
    spent: same.find(({ spent }) => spent)?.id ?? locked.find(({ state }) => isSpent(state))?.id,
    open: locked.filter(({ state }) => !isSpent(state)).map(({ id }) => id),
  }
}
