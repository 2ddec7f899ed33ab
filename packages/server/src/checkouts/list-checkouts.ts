/**
 * Reads one checkout or a page of an account's checkouts, with their intents, and counts them. The rules are in checkout.ts. Whoever
 * sees some wallets only sees a checkout if he sees all wallets that it offers; then he sees all of its intents.
 */
import type { Instant } from '../core/clock.ts'
import type { CheckoutId } from '../core/ids.ts'
import { type Scope, wholeAccount } from '../core/scope.ts'
import type { Session } from '../postgres/connection/database.ts'
import type { CheckoutIntent, WithIntents } from './checkout.ts'
import type { CheckoutFilter, CheckoutOrder } from './checkout-list.ts'
import { countCheckouts, pageOfCheckouts } from './checkout-list-sql.ts'
import { checkoutIntentOf, checkoutOf, findCheckout, listCheckoutIntents } from './checkout-sql.ts'

export const intentsOf = async (db: Session, scope: Scope, id: CheckoutId): Promise<CheckoutIntent[]> =>
  (await listCheckoutIntents(db, scope, [id])).map(checkoutIntentOf)

export const readCheckout = async (db: Session, scope: Scope, id: string): Promise<WithIntents | undefined> => {
  const [row] = await findCheckout(db, scope, id)
  if (row === undefined) return undefined
  return { checkout: checkoutOf(row), intents: await intentsOf(db, wholeAccount(scope.accountId), row.id) }
}

export const countFiltered = async (db: Session, filter: CheckoutFilter, now: Instant): Promise<number> =>
  (await countCheckouts(db, filter, now))[0]!.count

/** One page of the filtered checkouts. The caller limits its length. */
export const filteredPage = async (
  db: Session,
  filter: CheckoutFilter,
  order: CheckoutOrder,
  page: { readonly limit: number; readonly offset: number },
  now: Instant,
): Promise<WithIntents[]> => {
  const found = await pageOfCheckouts[order](db, filter, page.limit, page.offset, now)
  const ids = found.map(({ id }) => id)
  const rows = ids.length === 0 ? [] : await listCheckoutIntents(db, wholeAccount(filter.scope.accountId), ids)
  const byCheckout = Map.groupBy(rows, (row) => row.checkout_id)
  return found.map((row) => ({
    checkout: checkoutOf(row),
    intents: (byCheckout.get(row.id) ?? []).map(checkoutIntentOf),
  }))
}
