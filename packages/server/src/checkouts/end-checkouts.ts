/**
 * Stores the end of checkouts that were paid or have expired, each with its event in the same transaction: exactly once, because
 * only a row that is stored as OPEN gets an end. If a node dies, the next run finds the checkouts whose end is not stored. Readers
 * do not depend on it (`stateAt`). The statements of intents know nothing of checkouts: this job reads the intents of checkouts.
 */
import type { Instant } from '../core/clock.ts'
import { type AccountId, type CheckoutId, type EventId, timeOrderedId } from '../core/ids.ts'
import { type Scope, wholeAccount } from '../core/scope.ts'
import type { Zone } from '../core/zone.ts'
import type { Db, Tx } from '../postgres/connection/database.ts'
import { checkoutBody } from '../webhooks/event.ts'
import { insertEvents } from '../webhooks/event-sql.ts'
import { isTestCheckout, receivedOf, storableEnd, type WithIntents } from './checkout.ts'
import { dueCheckouts, storeCheckoutEnd } from './checkout-sql.ts'
import { closeIntents, lockWithIntents } from './lock-checkout.ts'

/** Stores the end of a checkout that the transaction has locked, if it has ended. Returns whether an end was stored. */
export const storeEndOfLocked = async (tx: Tx, { checkout, intents }: WithIntents, zone: Zone, now: Instant) => {
  const end = storableEnd(checkout, intents, now)
  if (end === undefined) return false
  const { accountId, id } = checkout
  const stored = await storeCheckoutEnd(tx, wholeAccount(accountId), id, end.status, end.endedAt)
  if (stored.length === 0) return false
  const kind = end.status === 'COMPLETE' ? 'checkout.completed' : 'checkout.expired'
  const paidIntents = intents.filter((intent) => intent.status === 'VERIFIED').map((intent) => intent.id)
  const isTest = isTestCheckout(checkout, intents)
  const ended = { ...checkout, paid: receivedOf(intents).arrived, paidIntents, endedAt: end.endedAt, isTest }
  const body = checkoutBody(kind, ended, zone)
  await insertEvents(tx, [
    {
      accountId,
      id: timeOrderedId<EventId>(now),
      kind,
      walletId: intents.at(-1)?.walletId ?? null,
      intentId: paidIntents.at(-1) ?? null,
      alertId: null,
      body,
      createdAt: now,
    },
  ])
  return true
}

export const endCheckout = (db: Db, zone: Zone, scope: Scope, id: CheckoutId, now: Instant): Promise<boolean> =>
  db.transaction(async (tx) => {
    const locked = await lockWithIntents(tx, scope, id)
    return locked !== undefined && storeEndOfLocked(tx, await closeIntents(tx, locked, zone, now), zone, now)
  })

/** Returns how many were checked; `limit` or more means that more may be due. `onEnded`: called after each commit. */
export const endDueCheckouts = async (
  db: Db,
  zone: Zone,
  limit: number,
  now: Instant,
  onEnded: (accountId: AccountId, id: CheckoutId) => void,
): Promise<number> => {
  const due = await dueCheckouts(db, now, limit)
  const faults: unknown[] = []
  for (const { account_id, id } of due) {
    try {
      if (await endCheckout(db, zone, wholeAccount(account_id), id, now)) onEnded(account_id, id)
    } catch (fault) {
      // A checkout that fails does not stop the others; the next run tries it again.
      faults.push(fault)
    }
  }
  if (faults.length > 0) throw faults[0]
  return due.length
}
