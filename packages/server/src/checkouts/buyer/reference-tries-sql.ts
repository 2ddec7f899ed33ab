import type { CheckoutId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped } from '../../postgres/query/statement.ts'

/** Counts a reference that was sent to a checkout; no row: no more are allowed. The first one is counted at its payment link.
 *  Index: primary keys. */
export const takeReferenceTry = scoped(
  'take_reference_try',
  { references_tried: whole() },
  (scope: Scope, id: CheckoutId, most: number) => [scope.accountId, id, most],
  `
  with tried as (
    update checkouts set references_tried = references_tried + 1
     where account_id = $1 and id = $2 and references_tried < $3
    returning references_tried, link_id),
  counted as (
    update payment_links k set sent = k.sent + 1
      from tried t
     where t.references_tried = 1 and k.account_id = $1 and k.id = t.link_id)
  select references_tried from tried`,
)

/**
 * Takes a counted try back: the same reference was sent twice at once, and its first try is counted. Never below 1, so that a payment
 * link counts the buyer's first reference once. Index: primary key.
 */
export const giveBackReferenceTry = scoped(
  'give_back_reference_try',
  noColumns,
  (scope: Scope, id: CheckoutId) => [scope.accountId, id],
  `
  update checkouts set references_tried = references_tried - 1
   where account_id = $1 and id = $2 and references_tried > 1`,
)
