import type { AccountId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { text, uuid } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'

/**
 * Locks the account until the transaction ends. Whoever counts something of the account and then adds to it takes this lock first,
 * so that two requests cannot both add the last one that is allowed; and of two owners who remove each other the second sees the
 * change of the first. Inserts of rows that refer to the account do not wait for this lock. Index: primary key.
 */
export const lockAccount = scoped(
  'lock_account',
  { id: uuid<AccountId>(), name: text() },
  (scope: Scope) => [scope.accountId],
  'select id, name from accounts where id = $1 for no key update',
)
