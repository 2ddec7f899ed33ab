/**
 * Stores the end of checkouts that were paid or have expired, each with its event in the same transaction: exactly once, because
 * only a row that is stored as OPEN gets an end. Nothing is lost if a node dies: what is not stored is found again by the next
 * run. Readers do not depend on it (`stateAt`). Nothing is added to the statements of intents: this looks at the intents of
 * checkouts alone.
 */
import type { Instant } from '../core/clock.ts'
import { type AccountId, type CheckoutId, type EventId, timeOrderedId } from '../core/ids.ts'
import type { Zone } from '../core/zone.ts'
import type { Db, Tx } from '../postgres/connection/database.ts'
import { checkoutBody } from '../webhooks/event.ts'
import { insertEvents } from '../webhooks/event-sql.ts'
import { paidOf, storableEnd, type WithIntents } from './checkout.ts'
import { dueCheckouts, storeEnd } from './checkout-sql.ts'
import { closeIntents, holdCheckout } from './held-checkout.ts'

/** Stores the end of a checkout that the transaction holds, if it has one. Returns whether it did. */
export const storeHeldEnd = async (tx: Tx, { checkout, intents }: WithIntents, zone: Zone, now: Instant) => {
  const end = storableEnd(checkout, intents, now)
  if (end === undefined) return false
  const { accountId, id } = checkout
  const stored = await storeEnd(tx, accountId, id, end.status, end.endedAt)
  if (stored.length === 0) return false
  const kind = end.status === 'COMPLETE' ? 'checkout.completed' : 'checkout.expired'
  const paidIntents = intents.filter((one) => one.status === 'VERIFIED').map((one) => one.id)
  const body = checkoutBody(kind, { ...checkout, paid: paidOf(intents), paidIntents, endedAt: end.endedAt }, zone)
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

export const endCheckout = (db: Db, zone: Zone, accountId: AccountId, id: CheckoutId, now: Instant): Promise<boolean> =>
  db.transaction(async (tx) => {
    const held = await holdCheckout(tx, accountId, id)
    return held !== undefined && storeHeldEnd(tx, await closeIntents(tx, held, zone, now), zone, now)
  })

/** Returns how many were looked at; `limit` or more means that more may be due. `onEnded`: called after each commit. */
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
      if (await endCheckout(db, zone, account_id, id, now)) onEnded(account_id, id)
    } catch (fault) {
      // One that fails does not hold up the others; it is tried again by the next run.
      faults.push(fault)
    }
  }
  if (faults.length > 0) throw faults[0]
  return due.length
}
