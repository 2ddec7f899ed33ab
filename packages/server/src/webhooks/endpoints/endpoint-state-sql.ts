import type { AccountId } from '../../core/ids.ts'
import { bool, instant, nullable } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/** The present state of an endpoint, read before an email about it is written. Index: primary key. */
export const endpointState = statement(
  'endpoint_state',
  {
    enabled: bool(),
    deleted: bool(),
    failing_since: nullable(instant()),
    disabled_at: nullable(instant()),
  },
  (accountId: AccountId, id: string) => [accountId, id],
  `
  select enabled, deleted_at is not null as deleted, failing_since, disabled_at
    from webhook_endpoints
   where account_id = $1 and id = $2`,
)
