/**
 * Ends requests that nobody can confirm any more: the time is over, their money was matched or spent, their order has ended, or who
 * asked is no longer a member. Several nodes may run it at once: each request is ended once.
 */
import { endByService } from '../accounts/requests/end-requests.ts'
import type { LimitRequest } from '../accounts/requests/limit-request.ts'
import type { Instant } from '../core/clock.ts'
import type { Db } from '../postgres/connection/database.ts'
import { endedRequests } from '../views/requests/ended-requests-sql.ts'

/** `onEnded`: called for each after its commit. Returns whether there may be more. */
export const endRequests = async (
  db: Db,
  limit: number,
  now: Instant,
  onEnded: (request: LimitRequest) => void,
): Promise<boolean> => {
  const rows = await endedRequests(db, now, limit)
  for (const { account_id: accountId, id, state, reason } of rows) {
    const ended = await db.transaction((tx) => endByService(tx, { accountId, id }, state, reason, now))
    if (ended !== undefined) onEnded(ended)
  }
  return rows.length === limit
}
