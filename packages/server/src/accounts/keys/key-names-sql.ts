import type { AccountId } from '../../core/ids.ts'
import { text } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/** The names of keys, for timelines. Index: primary key of api_keys. */
export const keyNames = statement(
  'key_names',
  { client_id: text(), name: text() },
  (accountId: AccountId, clientIds: readonly string[]) => [accountId, clientIds],
  `select client_id, name from api_keys where account_id = $1 and client_id = any($2::text[])`,
)
