/**
 * A checkout whose row the transaction has locked, with its intents. Everything that changes a checkout or gives it an intent locks
 * that row first, then the rows of its intents: so of two at once the second waits, and sees what the first has written. Matching
 * locks rows of intents and never a checkout, so the two cannot deadlock.
 */
import type { Instant } from '../core/clock.ts'
import { type AccountId, timeOrderedId } from '../core/ids.ts'
import type { Zone } from '../core/zone.ts'
import { insertEndEvents } from '../intents/end-events.ts'
import { expireOne } from '../intents/expire-one-sql.ts'
import type { Tx } from '../postgres/connection/database.ts'
import type { WithIntents } from './checkout.ts'
import { checkoutOf, closeEndedIntents, lockCheckout } from './checkout-sql.ts'
import { intentsOf } from './list-checkouts.ts'

export const holdCheckout = async (tx: Tx, accountId: AccountId, id: string): Promise<WithIntents | undefined> => {
  const [row] = await lockCheckout(tx, accountId, id)
  if (row === undefined) return undefined
  return { checkout: checkoutOf(row), intents: await intentsOf(tx, accountId, row.id) }
}

/**
 * Stores the expiry of intents whose window has closed, and that what has ended cannot be paid any more. Afterwards no payment can
 * come for an intent that does not count as open. Returns the intents as they are then.
 */
export const closeIntents = async (tx: Tx, held: WithIntents, zone: Zone, now: Instant): Promise<WithIntents> => {
  const { accountId } = held.checkout
  for (const { id, status, expiresAt } of held.intents)
    if (status === 'PENDING' && now >= expiresAt) {
      const ended = await expireOne(tx, { accountId, id, moveId: timeOrderedId<string>(now) }, now)
      await insertEndEvents(tx, 'payment.expired', ended, zone, now)
    }
  await closeEndedIntents(tx, accountId, held.checkout.id)
  return { ...held, intents: await intentsOf(tx, accountId, held.checkout.id) }
}
