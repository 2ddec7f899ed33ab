import type { CheckoutId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { bool, text, uuid } from '../../postgres/query/columns.ts'
import { noColumns, scoped } from '../../postgres/query/statement.ts'

/** The checkouts of a stretch of ids, in their order, at most so many. `named`: with a customer. Index: primary key. */
export const checkoutsToErase = scoped(
  'checkouts_to_erase',
  {
    id: uuid<CheckoutId>(),
    external_order_id: text(),
    description: text(),
    customer_name: text(),
    customer_phone: text(),
    named: bool(),
  },
  (scope: Scope, after: string, before: string, most: number) => [scope.accountId, after, before, most],
  `
  select c.id, c.external_order_id, c.description, c.customer_name, c.customer_phone,
         c.customer_name <> '' or c.customer_phone <> '' as named
    from checkouts c
   where c.account_id = $1 and c.id > $2 and c.id < $3
   order by c.id
   limit $4`,
)

/** Index: primary key. */
export const eraseCustomerRows = scoped(
  'erase_customer_rows',
  noColumns,
  (scope: Scope, rows: readonly { readonly id: CheckoutId; readonly search: string }[]) => [
    scope.accountId,
    rows.map(({ id }) => id),
    rows.map(({ search }) => search),
  ],
  `
  update checkouts c set customer_name = '', customer_phone = '', search = n.search
    from unnest($2::uuid[], $3::text[]) as n (id, search)
   where c.account_id = $1 and c.id = n.id`,
)
