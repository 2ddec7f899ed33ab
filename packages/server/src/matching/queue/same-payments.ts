/**
 * Finds, for stored credits, the alerts of the same amount that may report the same payment (rules/same-payment.ts).
 * The queue shows such an alert as a doubt. If it is spent, the credit can be booked only by a member who confirms that it is
 * another payment (docs/decisions/0055).
 */
import type { AlertState } from '../../alerts/alert.ts'
import type { AlertId, IntentId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { amountKey } from '../../intents/payable/choose-amounts.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import type { AlertRef } from '../records/alert-row.ts'
import { amountLock, referenceLock } from '../resolve/alert-locks.ts'
import { laterMessages, lockCredits, recentAmounts, type StoredCredit } from '../resolve/amounts-sql.ts'
import { storedAlert } from '../resolve/stored-alert-sql.ts'
import { creditOf, recentAmountsOf } from '../resolve/stored-credit.ts'
import { comparedSince, mayBeSamePayment } from '../rules/same-payment.ts'

export type SamePayment = {
  readonly id: AlertId
  /** The intent that the alert verified, if it is spent. */
  readonly intentId: IntentId | null
  readonly spent: boolean
  readonly referenceKey: string | null
}

const isCredit = (row: StoredCredit): boolean =>
  row.direction === 'credit' && row.identity !== null && row.amount !== null

/** For each credit, by its id, the other alerts that may be the same payment. Credits without one are not in the map. */
export const samePayments = async (
  db: Session,
  scope: Scope,
  rows: readonly StoredCredit[],
): Promise<Map<AlertId, SamePayment[]>> => {
  const credits = rows.filter(isCredit).map((row) => ({ ...creditOf(row), id: row.id, key: keyOf(row), row }))
  const found = new Map<AlertId, SamePayment[]>()
  if (credits.length === 0) return found
  const amounts = [...Map.groupBy(credits, ({ key }) => key).values()].map((same) => ({
    accountId: scope.accountId,
    identity: same[0]!.row.identity!,
    amount: same[0]!.row.amount!,
    withoutReference: same.some(({ referenceKey }) => referenceKey === null),
    uniqueAmounts: false,
    since: Math.min(...same.map(comparedSince)),
  }))
  const identities = [...new Set(amounts.map(({ identity }) => identity))]
  const [near, settings] = await Promise.all([recentAmounts(db, amounts), laterMessages(db, scope, identities)])
  const reviewed = new Map(settings.map((row) => [row.identity, row.reviewed]))
  const byAmount = new Map([...Map.groupBy(near, keyOf)].map(([key, others]) => [key, recentAmountsOf(others)]))
  for (const credit of credits) {
    const same = (byAmount.get(credit.key) ?? []).filter(
      (other) =>
        other.id !== credit.id &&
        (other.standsForMore || mayBeSamePayment(credit, other, reviewed.get(credit.row.identity!))),
    )
    if (same.length > 0) found.set(credit.id, same)
  }
  return found
}

const keyOf = ({ identity, amount }: Pick<StoredCredit, 'identity' | 'amount'>): string => amountKey(identity!, amount!)

/** The locks that `lockSamePayments` needs, besides those of the alert. While they are held, no alert of this amount is resolved,
 *  and no reference of the alerts that may be the same payment is attached. */
export const samePaymentLocks = async (tx: Tx, ref: AlertRef): Promise<bigint[]> => {
  const [row] = await storedAlert(tx, ref.scope, ref.alertId)
  if (row === undefined || !isCredit(row)) return []
  const same = (await samePayments(tx, ref.scope, [row])).get(row.id) ?? []
  const references = same.flatMap(({ referenceKey }) => (referenceKey === null ? [] : [referenceKey]))
  return [amountLock(row.identity!, row.amount!), ...references.map((key) => referenceLock(ref.scope.accountId, key))]
}

/** The alerts that may be the same payment as a locked alert: a spent one, if there is one, and the others, which are now
 *  locked. */
export const lockSamePayments = async (
  tx: Tx,
  scope: Scope,
  row: StoredCredit,
): Promise<{ readonly spent: AlertId | undefined; readonly open: readonly AlertId[] }> => {
  const same = (await samePayments(tx, scope, [row])).get(row.id) ?? []
  const notSpent = same.filter(({ spent }) => !spent).map(({ id }) => id)
  // One may have been spent after it was read and before it was locked.
  const locked = notSpent.length === 0 ? [] : await lockCredits(tx, scope, notSpent)
  const isSpent = (state: AlertState): boolean => state === 'matched' || state === 'booked'
  return {
    spent: same.find(({ spent }) => spent)?.id ?? locked.find(({ state }) => isSpent(state))?.id,
    open: locked.filter(({ state }) => !isSpent(state)).map(({ id }) => id),
  }
}
