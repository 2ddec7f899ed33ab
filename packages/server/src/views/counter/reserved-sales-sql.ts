import type { AlertId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { text, uuid } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'

/** More than cashiers can take in ten seconds. */
export const mostReserved = 200

/** Sales that can still be undone, the newest first. Index: counter_sales_due, which holds only such sales. */
export const reservedSales = scoped(
  'reserved_sales',
  { alert_id: uuid<AlertId>(), external_order_id: text() },
  (scope: Scope, limit: number) => [scope.accountId, limit],
  `
  select alert_id, external_order_id from counter_sales
   where account_id = $1 and intent_id is null
   order by due_at desc
   limit $2`,
)
