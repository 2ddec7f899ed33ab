/**
 * Pages of an account's checkouts for the dashboard, newest first, each with its intents. A page begins after a checkout, so that
 * every page costs the same. With filters one call looks at a bounded number of checkouts: what it has not looked at yet is the next
 * page.
 */

import type { WithIntents } from '../../checkouts/checkout.ts'
import { checkoutIntentOf, checkoutOf, listCheckoutIntents } from '../../checkouts/checkout-sql.ts'
import type { Instant } from '../../core/clock.ts'
import type { Session } from '../../postgres/connection/database.ts'
import {
  type CheckoutSearch,
  checkoutAtDistance,
  checkoutOfLinkAtDistance,
  checkoutsAfter,
  checkoutsOfLinkAfter,
} from './checkout-pages-sql.ts'

/** So many checkouts are looked at by one call with filters. */
const mostLookedAt = 10_000

export type CheckoutsPage = {
  readonly found: readonly WithIntents[]
  /** After this checkout the next page begins; undefined: this was the last. */
  readonly next: string | undefined
}

export const pageOfCheckouts = async (
  db: Session,
  search: CheckoutSearch,
  page: { readonly after: string | undefined; readonly size: number },
  now: Instant,
  looks = mostLookedAt,
): Promise<CheckoutsPage> => {
  const { after, size } = page
  const ofLink = search.linkId !== undefined
  const filters = search.statuses !== undefined || search.terms.length > 0
  const atDistance = ofLink ? checkoutOfLinkAtDistance : checkoutAtDistance
  const last = filters ? (await atDistance(db, search, after, looks - 1))[0]?.id : undefined
  const rows = await (ofLink ? checkoutsOfLinkAfter : checkoutsAfter)(db, search, after, last, size + 1, now)
  const shown = rows.slice(0, size)
  const ids = shown.map(({ id }) => id)
  const intents = ids.length === 0 ? [] : await listCheckoutIntents(db, search.accountId, ids)
  const byCheckout = Map.groupBy(intents, (row) => row.checkout_id)
  const found = shown.map((row) => ({
    checkout: checkoutOf(row),
    intents: (byCheckout.get(row.id) ?? []).map(checkoutIntentOf),
  }))
  return { found, next: rows.length > size ? shown.at(-1)?.id : last }
}
