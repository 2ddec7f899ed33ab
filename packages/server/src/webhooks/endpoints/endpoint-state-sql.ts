import type { Scope } from '../../core/scope.ts'
import { bool, instant, nullable } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'

/** The present state of an endpoint, read before an email about it is written. Index: primary key. */
export const endpointState = scoped(
  'endpoint_state',
  {
    enabled: bool(),
    deleted: bool(),
    failing_since: nullable(instant()),
    disabled_at: nullable(instant()),
  },
  (scope: Scope, id: string) => [scope.accountId, id],
  `
  select enabled, deleted_at is not null as deleted, failing_since, disabled_at
    from webhook_endpoints
   where account_id = $1 and id = $2`,
)
