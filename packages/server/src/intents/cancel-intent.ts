/** Cancels a PENDING intent for a user. `find` tells an unknown intent from one that is no longer PENDING. */
import type { Instant } from '../core/clock.ts'
import { type AccountId, timeOrderedId } from '../core/ids.ts'
import { type Refusal, refuse } from '../core/refusal.ts'
import type { Db } from '../postgres/connection/database.ts'
import type { Intent } from './intent.ts'
import { cancelPending, intentOf } from './intent-sql.ts'

export const cancelIntent = async (
  db: Db,
  find: (accountId: AccountId, id: string) => Promise<Intent | undefined>,
  asked: { readonly accountId: AccountId; readonly id: string; readonly by: string },
  now: Instant,
): Promise<Intent | Refusal<'intent_unknown' | 'intent_not_pending'>> => {
  const [row] = await cancelPending(db, { ...asked, moveId: timeOrderedId(now) }, now)
  if (row !== undefined) return intentOf(row)
  const intent = await find(asked.accountId, asked.id)
  return refuse(intent === undefined ? 'intent_unknown' : 'intent_not_pending')
}
