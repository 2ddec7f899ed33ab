import type { Instant } from '../core/clock.ts'
import { at, whole } from '../postgres/query/columns.ts'
import { scoped } from '../postgres/query/statement.ts'
import type { CheckoutFilter, CheckoutOrder } from './checkout-list.ts'
import { checkoutColumns, checkoutRow } from './checkout-sql.ts'
import { checkoutOfToday } from './checkout-today.ts'

/** The filtered checkouts with their status at $2, as `stateAt` in checkout.ts decides it. Intents are read only for checkouts that
 *  are stored as OPEN: an accepted amount is not among them, because it completes its checkout, and that end is stored with it. */
const source = (limits: string) => `
    from checkouts c
    left join lateral (
         select coalesce(sum(i.base) filter (where i.status = 'VERIFIED'), 0) as paid
           from checkout_intents l
           join intents i on i.account_id = l.account_id and i.id = l.intent_id
          where c.status = 'OPEN' and l.account_id = c.account_id and l.checkout_id = c.id) as s on true
   cross join lateral (
         select case when c.status <> 'OPEN' then c.status
                     when s.paid >= c.amount then 'COMPLETE'
                     when $2::timestamptz >= c.expires_at then 'EXPIRED'
                     else 'OPEN' end as status) as shown
   where c.account_id = $1 ${limits}
     and ($3::text[] is null or shown.status = any($3::text[]))
     and ($4::text is null or c.external_order_id = $4)
     and ($5::timestamptz is null or c.created_at >= $5)
     and ($6::timestamptz is null or c.created_at < $6)
     and ($7::text[] is null
          or (select bool_and(strpos(c.search, t.term) > 0) from unnest($7::text[]) as t (term)))
     and ($8::uuid is null and $9::text is null
          or exists (select from checkout_intents l
                       join intents i on i.account_id = l.account_id and i.id = l.intent_id
                      where l.account_id = c.account_id and l.checkout_id = c.id
                        and ($8::uuid is null or i.wallet_id = $8) and ($9::text is null or i.reference = $9)))`

const params = (filter: CheckoutFilter, now: Instant) => [
  filter.scope.accountId,
  at(now),
  filter.statuses === undefined ? null : [...filter.statuses],
  filter.externalOrderId ?? null,
  filter.from === undefined ? null : at(filter.from),
  filter.until === undefined ? null : at(filter.until),
  filter.terms.length === 0 ? null : filter.terms,
  filter.walletId ?? null,
  filter.reference ?? null,
]

/** Index: primary key, checkouts_order. */
export const countCheckouts = scoped(
  'count_checkouts',
  { count: whole() },
  params,
  (only) => `select count(*)::int as count ${source(`${only.all('c.wallets')} ${only.today(checkoutOfToday('c'))}`)}`,
)

const pageStatement = (name: string, order: string) =>
  scoped(
    `page_of_checkouts_${name}`,
    checkoutColumns,
    (filter: CheckoutFilter, limit: number, offset: number, now: Instant) => [...params(filter, now), limit, offset],
    (only) => `
  select ${checkoutRow} ${source(`${only.all('c.wallets')} ${only.today(checkoutOfToday('c'))}`)}
   order by ${order}
   limit $10 offset $11`,
  )

/** One page. Ids are in the order of creation. Index: primary key. */
export const pageOfCheckouts: Readonly<Record<CheckoutOrder, ReturnType<typeof pageStatement>>> = {
  created_at: pageStatement('created_at', 'c.id'),
  '-created_at': pageStatement('created_at_down', 'c.id desc'),
  amount: pageStatement('amount', 'c.amount, c.id'),
  '-amount': pageStatement('amount_down', 'c.amount desc, c.id'),
  status: pageStatement('status', 'shown.status collate "C", c.id'),
  '-status': pageStatement('status_down', 'shown.status collate "C" desc, c.id'),
}
