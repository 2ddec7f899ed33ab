import { creditKindSql } from '../../alerts/arrived-sql.ts'
import type { Scope } from '../../core/scope.ts'
import { minor, nullable, text, whole } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'
import { alertOfToday } from '../alert-today.ts'

/** The queue is counted up to this number. */
export const mostCounted = 10_000

/**
 * Counts and sums of the unmatched queue by state and currency, over its newest 10,000 alerts. A message that denies its money
 * (arrived.ts) is counted, and is not in a sum. The currency is null for messages without an amount. Index: alerts_queue.
 */
export const queueFigures = scoped(
  'queue_figures',
  {
    state: text<'waiting' | 'review' | 'held' | 'unread' | 'wrong_amount'>(),
    currency: nullable(text()),
    count: whole(),
    sum: minor(),
  },
  (scope: Scope) => [scope.accountId, mostCounted],
  (only) => `
  select q.state, q.currency, count(*) as count, coalesce(sum(q.amount) filter (where q.kind <> 'denied'), 0)::bigint as sum
    from (select a.state, a.wallet_id, a.amount, a.currency, a.direction, ${creditKindSql('a')} as kind
            from alerts a
           where a.account_id = $1 and a.state in ('waiting', 'review', 'held', 'unread', 'wrong_amount') ${only('a.wallet_id')} ${only.today(alertOfToday('a'))}
           order by a.id desc
           limit $2) as q
    left join wallets w on w.account_id = $1 and w.id = q.wallet_id
   where w.is_test is not true and q.direction is distinct from 'debit'
   group by q.state, q.currency
   order by q.state, q.currency`,
)
