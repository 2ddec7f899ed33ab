import type { Instant } from '../core/clock.ts'
import type { AccountId, IntentId } from '../core/ids.ts'
import { closedUntil } from '../postgres/clock/clock-sql.ts'
import { at, bool, uuid } from '../postgres/query/columns.ts'
import { statement } from '../postgres/query/statement.ts'
import { isSubscribed } from '../webhooks/event-sql.ts'
import { changesIntents, eachRow } from './intent-changes.ts'

/**
 * Stores the expiry of one intent whose window has closed by both clocks, before the background loop does. Waits for a transaction
 * that is resolving it. No row: it was resolved, or its window is open. If `subscribed`, the caller stores the event. Index:
 * primary key.
 */
export const expireOneIntent = changesIntents(
  statement(
    'expire_one_intent',
    { account_id: uuid<AccountId>(), id: uuid<IntentId>(), subscribed: bool() },
    (intent: { accountId: AccountId; id: IntentId; entryId: string }, now: Instant) => [
      intent.accountId,
      intent.id,
      intent.entryId,
      at(now),
    ],
    `
  with ended as (
    update intents i set status = 'EXPIRED'
     where i.account_id = $1 and i.id = $2 and i.status || '' = 'PENDING' and i.expires_at <= ${closedUntil('$4')}
    returning i.account_id, i.id, i.wallet_id, i.expires_at),
  entries as (
    insert into intent_moves (account_id, intent_id, id, at, kind, by)
    select account_id, id, $3, expires_at, 'expired', 'clock' from ended)
  select account_id, id, ${isSubscribed('payment.expired', { account: 'ended.account_id', wallet: 'ended.wallet_id' })} as subscribed
    from ended`,
  ),
  eachRow('expired'),
)
