import type { Instant } from '../../core/clock.ts'
import type { Scope } from '../../core/scope.ts'
import { at, whole } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'
import { failingAfter_ms, failuresNeeded } from './failing.ts'

/**
 * How many endpoints fail (failing.ts), or were disabled by the service because they did. A scope of some wallets has only the
 * endpoints of these wallets. Index: primary key of webhook_endpoints; an account has few.
 */
export const countFailingEndpoints = scoped(
  'count_failing_endpoints',
  { count: whole() },
  (scope: Scope, now: Instant) => [scope.accountId, at(now - failingAfter_ms), failuresNeeded],
  (only) => `
  select count(*) as count
    from webhook_endpoints e
   where e.account_id = $1 and e.deleted_at is null ${only('e.wallet_id')}
     and (e.enabled and e.failing_since <= $2 and e.failures >= $3
          or not e.enabled and e.disabled_why in ('gone', 'failing'))`,
)
