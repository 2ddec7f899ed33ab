import type { Scope } from '../../core/scope.ts'
import { text } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'

/** The names of keys, for timelines. Index: primary key of api_keys. */
export const keyNames = scoped(
  'key_names',
  { client_id: text(), name: text() },
  (scope: Scope, clientIds: readonly string[]) => [scope.accountId, clientIds],
  `select client_id, name from api_keys where account_id = $1 and client_id = any($2::text[])`,
)
