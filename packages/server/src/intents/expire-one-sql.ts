import type { Instant } from '../core/clock.ts'
import type { AccountId, IntentId } from '../core/ids.ts'
import { at, uuid } from '../postgres/query/columns.ts'
import { statement } from '../postgres/query/statement.ts'

/**
 * Stores the expiry of one intent whose window has closed, before the background loop does. Waits for a transaction that resolves
 * it: no row means that it was resolved, or that its window is open. Index: primary key.
 */
export const expireOne = statement(
  'expire_one_intent',
  { id: uuid<IntentId>() },
  (intent: { accountId: AccountId; id: IntentId; moveId: string }, now: Instant) => [
    intent.accountId,
    intent.id,
    intent.moveId,
    at(now),
  ],
  `
  with ended as (
    update intents i set status = 'EXPIRED'
     where i.account_id = $1 and i.id = $2 and i.status = 'PENDING' and i.expires_at <= $4
    returning i.account_id, i.id, i.expires_at),
  told as (
    insert into intent_moves (account_id, intent_id, id, at, kind, by)
    select account_id, id, $3, expires_at, 'expired', 'clock' from ended)
  select id from ended`,
)
