import type { CheckoutStatus } from '../../checkouts/checkout.ts'
import { checkoutColumns, checkoutRow } from '../../checkouts/checkout-sql.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId, CheckoutId } from '../../core/ids.ts'
import { at, uuid } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

export type CheckoutSearch = {
  readonly accountId: AccountId
  /** Only of this payment link. */
  readonly linkId: string | undefined
  /** Undefined: every status. */
  readonly statuses: ReadonlySet<CheckoutStatus> | undefined
  /** Each must occur in the order number, the description or the customer. Folded. */
  readonly terms: readonly string[]
}

/** How the checkouts between $3 and `last` are found, and in which order: by whichever index has this order. */
type Way = { readonly within: (last: string) => string; readonly order: string }

/** Index: primary key. */
const all: Way = {
  within: (last) => `$2::uuid is null and c.id < $3::uuid and c.id >= ${last}::uuid`,
  order: 'c.id desc',
}

/** Index: checkouts_link. Rows are compared, because with "link_id = $2" the primary key has the order too, and reads every link. */
const ofLink: Way = {
  within: (last) =>
    `c.link_id is not null and (c.link_id, c.id) < ($2::uuid, $3::uuid) and (c.link_id, c.id) >= ($2::uuid, ${last}::uuid)`,
  order: 'c.link_id desc, c.id desc',
}

/** No id is below or above these: a bound is always there, so that it is found in the index. */
const [lowest, highest] = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']

/** `last`: the oldest checkout that is looked at. The status is the one at this instant, as `stateAt` in checkout.ts decides it. */
const pageIn = (name: string, { within, order }: Way) =>
  statement(
    name,
    checkoutColumns,
    (search: CheckoutSearch, after: string | undefined, last: string | undefined, limit: number, now: Instant) => [
      search.accountId,
      search.linkId ?? null,
      after ?? highest,
      last ?? lowest,
      at(now),
      search.statuses === undefined ? null : [...search.statuses],
      search.terms.length === 0 ? null : search.terms,
      limit,
    ],
    `
  select ${checkoutRow}
    from checkouts c
    left join lateral (
         select coalesce(sum(i.base) filter (where i.status = 'VERIFIED'), 0) as paid,
                max(i.expires_at) filter (where i.status in ('PENDING', 'EXPIRED')) as closes_at
           from checkout_intents l
           join intents i on i.account_id = l.account_id and i.id = l.intent_id
          where $6::text[] is not null and c.status = 'OPEN' and l.account_id = c.account_id and l.checkout_id = c.id
         ) as s on true
   where c.account_id = $1 and ${within('$4')}
     and ($6::text[] is null
          or case when c.status <> 'OPEN' then c.status
                  when s.paid >= c.amount then 'COMPLETE'
                  when $5::timestamptz >= greatest(c.expires_at, s.closes_at) then 'EXPIRED'
                  else 'OPEN' end = any($6::text[]))
     and ($7::text[] is null
          or (select bool_and(strpos(c.search, t.term) > 0) from unnest($7::text[]) as t (term)))
   order by ${order}
   limit $8`,
  )

/** The checkout at a distance from another: where a search that finds little stops. No row: there are fewer. */
const lastIn = (name: string, { within, order }: Way) =>
  statement(
    name,
    { id: uuid<CheckoutId>() },
    (search: CheckoutSearch, after: string | undefined, distance: number) => [
      search.accountId,
      search.linkId ?? null,
      after ?? highest,
      lowest,
      distance,
    ],
    `
  select c.id
    from checkouts c
   where c.account_id = $1 and ${within('$4')}
   order by ${order}
   limit 1 offset $5`,
  )

export const checkoutsAfter = pageIn('checkouts_after', all)
export const checkoutsOfLinkAfter = pageIn('checkouts_of_link_after', ofLink)
export const checkoutAtDistance = lastIn('checkout_at_distance', all)
export const checkoutOfLinkAtDistance = lastIn('checkout_of_link_at_distance', ofLink)
