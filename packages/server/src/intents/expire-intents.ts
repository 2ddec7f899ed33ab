/**
 * Stores the expiry of intents: those whose window has closed become EXPIRED, each with a timeline entry and, if an endpoint
 * subscribes, with its event. The batch is bounded, and several nodes may run it at once. Readers do not depend on it
 * (`statusAt`).
 */
import type { Instant } from '../core/clock.ts'
import { type AccountId, type IntentId, timeOrderedId } from '../core/ids.ts'
import type { Zone } from '../core/zone.ts'
import type { Db } from '../postgres/connection/database.ts'
import { insertEndEvents } from './end-events.ts'
import { expireDue } from './intent-sql.ts'

/**
 * Returns how many expired. If that is `limit`, more may be due. `onEnded` is called for each after the commit.
 */
export const expireIntents = async (
  db: Db,
  limit: number,
  now: Instant,
  zone: Zone,
  onEnded: (accountId: AccountId, id: IntentId, hasEvent: boolean) => void = () => {},
): Promise<number> => {
  const entryIds = Array.from({ length: limit }, () => timeOrderedId(now))
  const ended = await db.transaction(async (tx) => {
    const rows = await expireDue(tx, entryIds, now)
    await insertEndEvents(tx, 'payment.expired', rows, zone, now)
    return rows
  })
  for (const { account_id, id, subscribed } of ended) onEnded(account_id, id, subscribed)
  return ended.length
}
