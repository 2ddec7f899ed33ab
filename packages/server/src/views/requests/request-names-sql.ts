import type { CheckoutId, IntentId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { text, uuid } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'

/** The codes and order numbers of intents. Index: primary key, once for each. */
export const namesOfRequested = scoped(
  'names_of_requested',
  { id: uuid<IntentId>(), code: text(), external_order_id: text() },
  (scope: Scope, ids: readonly IntentId[]) => [scope.accountId, ids],
  'select id, code, external_order_id from intents where account_id = $1 and id = any($2::uuid[])',
)

/** The order numbers of checkouts. Index: primary key, once for each. */
export const namesOfCheckouts = scoped(
  'names_of_checkouts',
  { id: uuid<CheckoutId>(), external_order_id: text() },
  (scope: Scope, ids: readonly CheckoutId[]) => [scope.accountId, ids],
  'select id, external_order_id from checkouts where account_id = $1 and id = any($2::uuid[])',
)
