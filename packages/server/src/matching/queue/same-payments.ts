/**
 * Finds, for stored credits, the alerts of the same amount that may report the same payment in other words (rules/same-payment.ts).
 * The queue shows it as a doubt, and a booking needs a member who says that it is another payment (docs/decisions/0055).
 */
import type { AlertState } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, AlertId, IntentId } from '../../core/ids.ts'
import { amountKey } from '../../intents/payable/choose-amounts.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import { amountLock, referenceLock } from '../resolve/alert-locks.ts'
import { channelsOfAlerts, holdCredits, recentAmounts, type StoredCredit } from '../resolve/amounts-sql.ts'
import { linkKind } from '../resolve/classify-alert.ts'
import { recentAmountOf } from '../resolve/read-known-alerts.ts'
import { type CreditReport, channelKey, compared_ms, mayBeSamePayment } from '../rules/same-payment.ts'
import type { AlertRef } from './lock-queue-alert.ts'
import { storedAlert } from './queue-sql.ts'

export type SamePayment = {
  readonly id: AlertId
  /** Of one that is spent: the intent that it verified. */
  readonly intentId: IntentId | null
  readonly spent: boolean
  readonly referenceKey: string | null
}

const isCredit = (row: StoredCredit): boolean =>
  row.direction === 'credit' && row.identity !== null && row.amount !== null

const reportOf = (row: StoredCredit, channels: string | undefined): CreditReport => ({
  id: row.id,
  referenceKey: row.reference_key,
  currency: row.currency,
  templateId: row.template_id,
  payer: row.payer,
  text: row.raw_text,
  sentAt: row.sent_at,
  phoneReceivedAt: row.phone_received_at,
  receivedAt: row.received_at,
  link: linkKind({ chain: row.chain, chainMissing: row.chain_missing, chainSince: row.chain_since }),
  channels: [
    channelKey({ deviceId: row.device_id, adapter: row.adapter, kind: row.kind }),
    ...(channels === undefined ? [] : (JSON.parse(channels) as string[])),
  ],
})

/** By the id of the alert; those without such an alert are left out. */
export const samePayments = async (
  db: Session,
  accountId: AccountId,
  rows: readonly StoredCredit[],
  /** How many of the same amount are compared with each. */
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
  const channels = new Map(
    (
      await channelsOfAlerts(
        db,
        accountId,
        concerned.map(({ id }) => id),
      )
    ).map((row) => [row.id, row.channels]),
  )
  for (const row of concerned) {
    const report = reportOf(row, channels.get(row.id))
    const same = byAmount
      .get(amountKey(row.identity!, row.amount!))!
      .map((other) => ({ ...recentAmountOf(other, row.received_at), intentId: other.intent_id }))
      .filter((other) => mayBeSamePayment(report, other))
    const once = new Map(same.map((one) => [one.id, one]))
    if (once.size > 0) found.set(row.id, [...once.values()])
  }
  return found
}

/** A booking looks further than a page of the queue: many payments of one amount must not hide the one that counts. */
const mostForBooking = 500

/** Locks for `holdSamePayments`, to be taken together with the alert's own: no alert of this amount arrives meanwhile, and no
 *  reference of one is attached. */
export const samePaymentLocks = async (tx: Tx, ref: AlertRef): Promise<bigint[]> => {
  const [row] = await storedAlert(tx, ref.accountId, ref.alertId)
  if (row === undefined || !isCredit(row)) return []
  const same = (await samePayments(tx, ref.accountId, [row], mostForBooking)).get(row.id) ?? []
  const references = same.flatMap(({ referenceKey }) => (referenceKey === null ? [] : [referenceKey]))
  return [amountLock(row.identity!, row.amount!), ...references.map((key) => referenceLock(ref.accountId, key))]
}

/** What may be the same payment as a held alert: one that is spent, and those with a reference that are not, held too. */
export const holdSamePayments = async (
  tx: Tx,
  accountId: AccountId,
  row: StoredCredit,
): Promise<{ readonly spent: AlertId | undefined; readonly open: readonly AlertId[] }> => {
  const same = (await samePayments(tx, accountId, [row], mostForBooking)).get(row.id) ?? []
  const seen = same.filter(({ spent }) => !spent).map(({ id }) => id)
  const held = seen.length === 0 ? [] : await holdCredits(tx, accountId, seen)
  const isSpent = (state: AlertState): boolean => state === 'matched' || state === 'booked'
  return {
    spent: same.find(({ spent }) => spent)?.id ?? held.find(({ state }) => isSpent(state))?.id,
    open: held.filter(({ state }) => !isSpent(state)).map(({ id }) => id),
  }
}
