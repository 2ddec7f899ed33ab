/**
 * Pages of an account's checkouts for the dashboard, newest first, each with its intents. A page begins after a given checkout,
 * so that every page costs the same. With filters one call reads a bounded number of checkouts; the next page continues after
 * them.
 */

import type { WithIntents } from '../../checkouts/checkout.ts'
import { checkoutIntentOf, checkoutOf, listCheckoutIntents } from '../../checkouts/checkout-sql.ts'
import type { Instant } from '../../core/clock.ts'
import { wholeOf } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import {
  type CheckoutSearch,
  checkoutAtDistance,
  checkoutOfLinkAtDistance,
  checkoutsAfter,
  checkoutsOfLinkAfter,
} from './checkout-pages-sql.ts'

/** A call with filters reads at most this many checkouts. */
const mostRead = 10_000

export type CheckoutsPage = {
  readonly found: readonly WithIntents[]
  /** The checkout after which the next page begins; undefined: this was the last page. */
  readonly next: string | undefined
}

export const pageOfCheckouts = async (
  db: Session,
  search: CheckoutSearch,
  page: { readonly after: string | undefined; readonly size: number },
  now: Instant,
  readAtMost = mostRead,
): Promise<CheckoutsPage> => {
  const { after, size } = page
  const ofLink = search.linkId !== undefined
  const filters = search.statuses !== undefined || search.terms.length > 0
  const atDistance = ofLink ? checkoutOfLinkAtDistance : checkoutAtDistance
  const last = filters ? (await atDistance(db, search, after, readAtMost - 1))[0]?.id : undefined
  const rows = await (ofLink ? checkoutsOfLinkAfter : checkoutsAfter)(db, search, after, last, size + 1, now)
  const shown = rows.slice(0, size)
  const ids = shown.map(({ id }) => id)
  const intents = ids.length === 0 ? [] : await listCheckoutIntents(db, wholeOf(search.scope), ids)
  const byCheckout = Map.groupBy(intents, (row) => row.checkout_id)
  const found = shown.map((row) => ({
    checkout: checkoutOf(row),
    intents: (byCheckout.get(row.id) ?? []).map(checkoutIntentOf),
  }))
  return { found, next: rows.length > size ? shown.at(-1)?.id : last }
}
