/**
 * Stores the expiry of intents: those whose window has closed become EXPIRED, each with its line in the timeline.
 * Bounded, and safe on several nodes at once. Readers do not depend on it (`statusAt`).
 */
import type { Instant } from '../core/clock.ts'
import { type AccountId, type IntentId, timeOrderedId } from '../core/ids.ts'
import type { Db } from '../postgres/connection/database.ts'
import { expireDue } from './intent-sql.ts'

/**
 * Returns how many expired; as many as `limit` means that more may be due. `onEnded`: called for each after the commit.
 */
export const expireIntents = async (
  db: Db,
  limit: number,
  now: Instant,
  onEnded: (accountId: AccountId, id: IntentId) => void = () => {},
): Promise<number> => {
  const moveIds = Array.from({ length: limit }, () => timeOrderedId(now))
  const ended = await expireDue(db, moveIds, now)
  for (const { account_id, id } of ended) onEnded(account_id, id)
  return ended.length
}
