import { instant, nullable } from '../postgres/query/columns.ts'
import { statement } from '../postgres/query/statement.ts'
import { isNotFrozen } from '../postgres/tenancy/freeze-sql.ts'
import { isNotMoved } from '../postgres/tenancy/move-sql.ts'

const untilOtherNodesKnow = `$1::int * interval '1 millisecond'`

/**
 * When the first thing that waits for its time is due: an intent, a checkout or a request ends, a sale can no longer be undone, a
 * lease of a delivery ends, alerts are reread once more ($1 after the first time). It may be in the past: something waits for more
 * than its time. What an account left here that is used in another cell is never due; else the first entry of each index is read, and the
 * few wallets and templates that are reread. Indexes: intents_due, checkouts_due, limit_requests_due, counter_sales_due,
 * deliveries_leased, wallets_to_reread, alert_templates_unread.
 */
export const nextDue = statement(
  'next_due',
  { at: nullable(instant()) },
  (otherNodes_ms: number) => [otherNodes_ms],
  `
  select least(
           (select min(expires_at) from intents where status = 'PENDING' and ${isNotMoved('account_id')}),
           (select min(expires_at) from checkouts where status = 'OPEN' and ${isNotMoved('account_id')}),
           (select min(expires_at) from limit_requests where state = 'open' and ${isNotMoved('account_id')}),
           (select min(due_at) from counter_sales where intent_id is null and ${isNotMoved('account_id')}),
           (select min(lease_until) from deliveries where lease_id is not null),
           (select min(w.reread_at) from wallets w join accounts a on a.id = w.account_id and a.status = 'ACTIVE'
             where w.reread and ${isNotFrozen('w.account_id')}) + ${untilOtherNodesKnow},
           (select min(t.reread_at) from alert_templates t
             where t.status = 'active' and not t.reread
               and (t.account_id is null or ${isNotFrozen('t.account_id')})) + ${untilOtherNodesKnow}) as at`,
)
