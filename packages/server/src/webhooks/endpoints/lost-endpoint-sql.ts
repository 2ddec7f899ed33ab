import type { AccountId, EndpointId } from '../../core/ids.ts'
import { bool, uuid } from '../../postgres/query/columns.ts'
import { noColumns, statement } from '../../postgres/query/statement.ts'

/** A page of endpoints after `after`, deleted ones too: every sealed value must be readable. Index: webhook_endpoints_id_key. */
export const endpointsAfter = statement(
  'endpoints_after',
  { id: uuid<EndpointId>(), account_id: uuid<AccountId>(), removed: bool() },
  (after: string, limit: number) => [after, limit],
  `
  select id, account_id, deleted_at is not null as removed
    from webhook_endpoints
   where id > $1 order by id limit $2
     for update`,
)

/** For a lost master key: new secrets, and no headers and no query, since their values are lost. Index: webhook_endpoints_id_key. */
export const replaceLostSecrets = statement(
  'replace_lost_secrets',
  noColumns,
  (ids: readonly EndpointId[], sealed: readonly Buffer[]) => [ids, sealed],
  `
  update webhook_endpoints e
     set secret_sealed = n.sealed, previous_secret_sealed = null, previous_until = null, headers = '{}', query_sealed = null
    from unnest($1::uuid[], $2::bytea[]) as n (id, sealed)
   where e.id = n.id`,
)
