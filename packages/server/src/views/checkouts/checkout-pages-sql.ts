import type { CheckoutStatus } from '../../checkouts/checkout.ts'
import { checkoutColumns, checkoutRow } from '../../checkouts/checkout-sql.ts'
import { checkoutOfToday } from '../../checkouts/checkout-today.ts'
import type { Instant } from '../../core/clock.ts'
import { type CheckoutId, largestId, smallestId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, uuid } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'

export type CheckoutSearch = {
  readonly scope: Scope
  /** Only checkouts of this payment link. */
  readonly linkId: string | undefined
  /** Undefined: every status. */
  readonly statuses: ReadonlySet<CheckoutStatus> | undefined
  /** Folded words. Each must occur in the order number, the description or the customer. */
  readonly terms: readonly string[]
}

/** The condition for checkouts between $3 and `last`, and their order. Both fit one index. */
type IndexRange = { readonly within: (last: string) => string; readonly order: string }

/** Index: primary key. */
const all: IndexRange = {
  within: (last) => `$2::uuid is null and c.id < $3::uuid and c.id >= ${last}::uuid`,
  order: 'c.id desc',
}

/** Index: checkouts_link. Pairs of link and id are compared: with "link_id = $2" the planner might use the primary key, and read
 *  the checkouts of all links. */
const ofLink: IndexRange = {
  within: (last) =>
    `c.link_id is not null and (c.link_id, c.id) < ($2::uuid, $3::uuid) and (c.link_id, c.id) >= ($2::uuid, ${last}::uuid)`,
  order: 'c.link_id desc, c.id desc',
}

/** There are always both bounds, so that the index is used. `last`: the oldest checkout that is read. The status is that at
 *  `now`, by the same rule as `stateAt` in checkout.ts. The sum needs no accepted amounts: they complete their checkout, and that
 *  end is stored with them. */
const pageIn = (name: string, { within, order }: IndexRange) =>
  scoped(
    name,
    checkoutColumns,
    (search: CheckoutSearch, after: string | undefined, last: string | undefined, limit: number, now: Instant) => [
      search.scope.accountId,
      search.linkId ?? null,
      after ?? largestId,
      last ?? smallestId,
      at(now),
      search.statuses === undefined ? null : [...search.statuses],
      search.terms.length === 0 ? null : search.terms,
      limit,
    ],
    (only) => `
  select ${checkoutRow}
    from checkouts c
    left join lateral (
         select coalesce(sum(i.base) filter (where i.status = 'VERIFIED'), 0) as paid
           from checkout_intents l
           join intents i on i.account_id = l.account_id and i.id = l.intent_id
          where $6::text[] is not null and c.status = 'OPEN' and l.account_id = c.account_id and l.checkout_id = c.id
         ) as s on true
   where c.account_id = $1 and ${within('$4')} ${only.all('c.wallets')} ${only.today(checkoutOfToday('c'))}
     and ($6::text[] is null
          or case when c.status <> 'OPEN' then c.status
                  when s.paid >= c.amount then 'COMPLETE'
                  when $5::timestamptz >= c.expires_at then 'EXPIRED'
                  else 'OPEN' end = any($6::text[]))
     and ($7::text[] is null
          or (select bool_and(strpos(c.search, t.term) > 0) from unnest($7::text[]) as t (term)))
   order by ${order}
   limit $8`,
  )

/** The checkout at a distance after another, at which a search with few hits stops. No row: there are fewer checkouts. */
const lastIn = (name: string, { within, order }: IndexRange) =>
  scoped(
    name,
    { id: uuid<CheckoutId>() },
    (search: CheckoutSearch, after: string | undefined, distance: number) => [
      search.scope.accountId,
      search.linkId ?? null,
      after ?? largestId,
      smallestId,
      distance,
    ],
    (only) => `
  select c.id
    from checkouts c
   where c.account_id = $1 and ${within('$4')} ${only.all('c.wallets')} ${only.today(checkoutOfToday('c'))}
   order by ${order}
   limit 1 offset $5`,
  )

export const checkoutsAfter = pageIn('checkouts_after', all)
export const checkoutsOfLinkAfter = pageIn('checkouts_of_link_after', ofLink)
export const checkoutAtDistance = lastIn('checkout_at_distance', all)
export const checkoutOfLinkAtDistance = lastIn('checkout_of_link_at_distance', ofLink)
