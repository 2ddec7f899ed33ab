import type { Instant } from '../../core/clock.ts'
import type { AccountId, CheckoutId, PaymentLinkId, WalletId } from '../../core/ids.ts'
import type { DayParameters, Scope } from '../../core/scope.ts'
import { at, bool, instant, jsonText, minor, nullable, text, units, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, type Only, type RowOf, scoped, statement } from '../../postgres/query/statement.ts'
import type { Locale } from '../checkout.ts'
import { checkoutOfToday } from '../checkout-today.ts'
import { hashParameter, type TokenHash } from '../checkout-token.ts'
import { shopColumns, shopFields } from '../page-shop-sql.ts'
import { type PaymentLink, quarterOf } from './payment-link.ts'

const columns = {
  account_id: uuid<AccountId>(),
  id: uuid<PaymentLinkId>(),
  active: bool(),
  amount: nullable(minor()),
  least: nullable(minor()),
  most: nullable(minor()),
  currency: text(),
  external_order_id: text(),
  description: text(),
  wallets: jsonText(),
  return_url: text(),
  metadata: jsonText(),
  locale: text<'' | Locale>(),
  allow_remaining: bool(),
  once: bool(),
  life_s: whole(),
  created_by: text(),
  created_at: instant(),
  viewed: whole(),
  opened: whole(),
  chosen: whole(),
  sent: whole(),
  paid: whole(),
}

const counts: readonly string[] = ['viewed', 'opened', 'chosen', 'sent', 'paid']
const fieldsOf = (names: readonly string[]): string =>
  names.map((name) => (name === 'wallets' ? 'array_to_json(k.wallets) as wallets' : `k.${name}`)).join(', ')
const facts = fieldsOf(Object.keys(columns).filter((name) => !counts.includes(name)))
const linkRow = `${facts}, ${fieldsOf(counts)}`

/** The counts of a link for who sees today only: its buyers of today. Indexes: checkouts_link, primary keys of link_views and
 *  checkout_intents. */
const countsOfToday = (day: DayParameters): string => {
  const count = (more: string): string => `(select count(*) from checkouts o
           where o.account_id = k.account_id and o.link_id = k.id and o.link_id is not null and o.id >= ${day.first} ${more})::int`
  return `(select coalesce(sum(v.views), 0) from link_views v
           where v.account_id = k.account_id and v.link_id = k.id and v.at >= ${day.since})::int as viewed,
         ${count('')} as opened,
         ${count('and exists (select from checkout_intents l where l.account_id = o.account_id and l.checkout_id = o.id)')} as chosen,
         ${count('and o.references_tried > 0')} as sent, ${count(`and o.status = 'COMPLETE'`)} as paid`
}

/** A link is of every day; what is counted of it is of the day of the caller. */
const rowFor = (only: Only): string => only.ofDay((day) => `${facts}, ${countsOfToday(day)}`, linkRow)

export const linkOf = (row: RowOf<typeof columns>): PaymentLink => ({
  accountId: row.account_id,
  id: row.id,
  active: row.active,
  price:
    row.amount === null ? { kind: 'open', least: row.least!, most: row.most! } : { kind: 'fixed', amount: row.amount },
  currency: row.currency,
  externalOrderId: row.external_order_id,
  description: row.description,
  wallets: JSON.parse(row.wallets) as WalletId[],
  returnUrl: row.return_url,
  metadata: row.metadata,
  locale: row.locale,
  allowRemaining: row.allow_remaining,
  once: row.once,
  life_s: row.life_s,
  createdBy: row.created_by,
  createdAt: row.created_at,
  funnel: {
    // Views are counted by an image of the page. A browser that loads no images is counted only when its buyer goes on.
    opened: Math.max(row.viewed, row.opened),
    started: row.opened,
    chosen: row.chosen,
    sent: row.sent,
    paid: row.paid,
  },
})

/** Creates a link, if the account has fewer than $19 links; no row otherwise. Index: primary key. */
export const insertPaymentLink = statement(
  'insert_payment_link',
  { id: uuid<PaymentLinkId>() },
  (link: PaymentLink, tokenHash: TokenHash, most: number) => [
    link.accountId,
    link.id,
    hashParameter(tokenHash),
    units(link.price.kind === 'fixed' ? link.price.amount : null),
    units(link.price.kind === 'open' ? link.price.least : null),
    units(link.price.kind === 'open' ? link.price.most : null),
    link.currency,
    link.externalOrderId,
    link.description,
    link.wallets,
    link.returnUrl,
    link.metadata,
    link.locale,
    link.allowRemaining,
    link.once,
    link.life_s,
    link.createdBy,
    at(link.createdAt),
    most,
  ],
  `
  insert into payment_links (account_id, id, token_hash, amount, least, most, currency, external_order_id, description,
                             wallets, return_url, metadata, locale, allow_remaining, once, life_s, created_by, created_at)
  select $1::uuid, $2::uuid, $3::bytea, $4::bigint, $5::bigint, $6::bigint, $7::text, $8::text, $9::text, $10::uuid[],
         $11::text, $12::json, $13::text, $14::boolean, $15::boolean, $16::int, $17::text, $18::timestamptz
   where (select count(*) from payment_links k where k.account_id = $1) < $19::int
  returning id`,
)

/** Index: primary key. */
export const findPaymentLink = scoped(
  'find_payment_link',
  columns,
  (scope: Scope, id: string) => [scope.accountId, id],
  (only) =>
    `select ${rowFor(only)} from payment_links k where k.account_id = $1 and k.id = $2 ${only.all('k.wallets')}`,
)

/** The same, locked until the transaction ends. Index: primary key. */
export const lockPaymentLink = scoped(
  'lock_payment_link',
  columns,
  (scope: Scope, id: string) => [scope.accountId, id],
  (only) =>
    `select ${rowFor(only)} from payment_links k where k.account_id = $1 and k.id = $2 ${only.all('k.wallets')} for no key update`,
)

/** Index: primary key. */
export const switchPaymentLink = scoped(
  'switch_payment_link',
  columns,
  (scope: Scope, id: string, active: boolean) => [scope.accountId, id, active],
  (only) =>
    `update payment_links k set active = $3 where k.account_id = $1 and k.id = $2 ${only.all('k.wallets')} returning ${rowFor(only)}`,
)

/** Counts a checkout that the link has created. The caller has locked the link. Index: primary key. */
export const countLinkOpened = scoped(
  'count_link_opened',
  noColumns,
  (scope: Scope, id: PaymentLinkId) => [scope.accountId, id],
  'update payment_links set opened = opened + 1 where account_id = $1 and id = $2',
)

/**
 * Counts a browser that has opened the page of a link that is switched on: for all time, and in its quarter of an hour. Index:
 * payment_links_token_hash_key, primary key of link_views. The link's row is locked first, so two views do not deadlock.
 */
export const countLinkViewed = statement(
  'count_link_viewed',
  noColumns,
  (tokenHash: TokenHash, now: Instant) => [hashParameter(tokenHash), at(quarterOf(now))],
  `
  with counted as (
    update payment_links set viewed = viewed + 1 where token_hash = $1 and active
    returning account_id, id)
  insert into link_views as v (account_id, link_id, at, views)
  select account_id, id, $2::timestamptz, 1 from counted
  on conflict (account_id, link_id, at) do update set views = v.views + 1`,
)

/** Deletes old counts of views, a bounded number at a time. Index: link_views_old. */
export const pruneLinkViews = statement(
  'prune_link_views',
  { link_id: uuid<PaymentLinkId>() },
  (before: Instant, most: number) => [at(before), most],
  `
  delete from link_views
   where ctid = any(array(select ctid from link_views where at < $1 order by at limit $2))
  returning link_id`,
)

/** Index: primary key. */
export const countPaymentLinks = scoped(
  'count_payment_links',
  { count: whole() },
  (scope: Scope) => [scope.accountId],
  (only) =>
    `select count(*)::int as count from payment_links k where k.account_id = $1 ${only.all('k.wallets')} ${only.everyDay()}`,
)

/** Newest first. Index: primary key. */
export const listPaymentLinks = scoped(
  'list_payment_links',
  columns,
  (scope: Scope, limit: number, offset: number) => [scope.accountId, limit, offset],
  (only) => `
  select ${rowFor(only)}
    from payment_links k
   where k.account_id = $1 ${only.all('k.wallets')}
   order by k.id desc limit $2 offset $3`,
)

/** The next links after a given one, newest first. Index: primary key. */
export const paymentLinksAfter = scoped(
  'payment_links_after',
  columns,
  // Always with a bound, so that the index is used: no id is above the default.
  (scope: Scope, after: string | undefined, limit: number) => [
    scope.accountId,
    after ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff',
    limit,
  ],
  (only) => `
  select ${rowFor(only)}
    from payment_links k
   where k.account_id = $1 and k.id < $2::uuid ${only.all('k.wallets')}
   order by k.id desc
   limit $3`,
)

/** A link by the hash of its token, with its account as the page shows it. Index: payment_links_token_hash_key. */
export const findPaymentLinkByToken = statement(
  'find_payment_link_by_token',
  {
    ...columns,
    ...shopColumns,
  },
  (tokenHash: TokenHash) => [hashParameter(tokenHash)],
  `
  select ${linkRow}, ${shopFields}
    from payment_links k
    join accounts a on a.id = k.account_id
    left join checkout_pages p on p.account_id = k.account_id
   where k.token_hash = $1`,
)

/** The last 20 checkouts of a link that are stored as OPEN or COMPLETE. Index: checkouts_link. */
export const lastCheckoutsOfLink = scoped(
  'last_checkouts_of_link',
  { id: uuid<CheckoutId>() },
  (scope: Scope, linkId: PaymentLinkId) => [scope.accountId, linkId],
  (only) => `
  select c.id
    from checkouts c
   where c.account_id = $1 and c.link_id = $2 and c.status in ('OPEN', 'COMPLETE') ${only.all('c.wallets')} ${only.today(checkoutOfToday('c'))}
   order by c.id desc
   limit 20`,
)
