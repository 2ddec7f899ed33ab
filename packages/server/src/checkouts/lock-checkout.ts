/**
 * Locks a checkout and reads its intents. Everything that changes a checkout or adds an intent to it locks the checkout's row first,
 * then the rows of its intents. So the second of two transactions waits, and sees what the first has written. Matching locks rows of
 * intents and never a checkout, so the two cannot deadlock.
 */
import type { Instant } from '../core/clock.ts'
import { timeOrderedId } from '../core/ids.ts'
import { type Scope, wholeAccount } from '../core/scope.ts'
import type { Zone } from '../core/zone.ts'
import { insertEndEvents } from '../intents/end-events.ts'
import { expireOneIntent } from '../intents/expire-one-sql.ts'
import type { Tx } from '../postgres/connection/database.ts'
import type { WithIntents } from './checkout.ts'
import { checkoutOf, closeEndedCheckoutIntents, lockCheckout } from './checkout-sql.ts'
import { intentsOf } from './list-checkouts.ts'

export const lockWithIntents = async (tx: Tx, scope: Scope, id: string): Promise<WithIntents | undefined> => {
  const [row] = await lockCheckout(tx, scope, id)
  if (row === undefined) return undefined
  return { checkout: checkoutOf(row), intents: await intentsOf(tx, wholeAccount(scope.accountId), row.id) }
}

/**
 * Stores the expiry of intents whose window has closed, and marks ended intents as closed. Afterwards only the open intent can be
 * paid. Returns the checkout with its intents after that.
 */
export const closeIntents = async (tx: Tx, locked: WithIntents, zone: Zone, now: Instant): Promise<WithIntents> => {
  const { accountId } = locked.checkout
  for (const { id, status, expiresAt } of locked.intents)
    if (status === 'PENDING' && now >= expiresAt) {
      const ended = await expireOneIntent(tx, { accountId, id, entryId: timeOrderedId<string>(now) }, now)
      await insertEndEvents(tx, 'payment.expired', ended, zone, now)
    }
  await closeEndedCheckoutIntents(tx, wholeAccount(accountId), locked.checkout.id)
  return { ...locked, intents: await intentsOf(tx, wholeAccount(accountId), locked.checkout.id) }
}
