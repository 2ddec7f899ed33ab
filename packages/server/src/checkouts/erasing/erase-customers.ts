/** Erases the customers of old checkouts; what was ordered and paid stays. */
import type { Scope } from '../../core/scope.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { searchText } from '../checkout-sql.ts'
import { checkoutsToErase, eraseCustomerRows } from './erase-customers-sql.ts'

/** Looks at the next `most` checkouts after an id. Returns the last of them; undefined: there are no more before `before`. */
export const eraseCustomers = async (
  tx: Tx,
  scope: Scope,
  range: { readonly after: string; readonly before: string; readonly most: number },
): Promise<{ readonly last: string | undefined; readonly erased: number }> => {
  const rows = await checkoutsToErase(tx, scope, range.after, range.before, range.most)
  const named = rows.filter((row) => row.named)
  if (named.length > 0)
    await eraseCustomerRows(
      tx,
      scope,
      named.map(({ id, external_order_id: externalOrderId, description }) => ({
        id,
        search: searchText({ externalOrderId, description, customerName: '', customerPhone: '' }),
      })),
    )
  return { last: rows.length < range.most ? undefined : rows.at(-1)!.id, erased: named.length }
}
