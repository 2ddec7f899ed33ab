import type { Instant } from '../core/clock.ts'
import type { AccountId, AlertId, CheckoutId, IntentId, PaymentLinkId, WalletId } from '../core/ids.ts'
import type { Scope } from '../core/scope.ts'
import { readArrival } from '../intents/arrival.ts'
import { arrivalColumns, arrivalRow } from '../intents/arrival-sql.ts'
import { fieldMark, fold, type Status as IntentStatus } from '../intents/intent.ts'
import { closedUntil } from '../postgres/clock/clock-sql.ts'
import { at, bool, bytes, instant, jsonText, minor, nullable, text, uuid, whole } from '../postgres/query/columns.ts'
import { noColumns, onlyRow, type RowOf, scoped, statement } from '../postgres/query/statement.ts'
import { isNotFrozen } from '../postgres/tenancy/freeze-sql.ts'
import type { Checkout, CheckoutIntent, CheckoutStatus, Locale } from './checkout.ts'
import { checkoutOfToday } from './checkout-today.ts'
import { hashParameter, type TokenHash } from './checkout-token.ts'
import { claimColumns, claimFields, joinClaim } from './page-claim-sql.ts'
import { shopColumns, shopFields } from './page-shop-sql.ts'

export const checkoutColumns = {
  account_id: uuid<AccountId>(),
  id: uuid<CheckoutId>(),
  status: text<CheckoutStatus>(),
  amount: minor(),
  currency: text(),
  external_order_id: text(),
  description: text(),
  items: jsonText(),
  wallets: jsonText(),
  return_url: text(),
  cancel_url: text(),
  metadata: jsonText(),
  customer_name: text(),
  customer_phone: text(),
  locale: text<'' | Locale>(),
  allow_remaining: bool(),
  references_tried: whole(),
  created_by: text(),
  created_at: instant(),
  expires_at: instant(),
  ended_at: nullable(instant()),
  link_id: nullable(uuid<PaymentLinkId>()),
  test_only: bool(),
}

/** Whether the test wallet is the only one listed. An account has one test wallet. Index: wallets_one_test. */
const testOnly = (checkout: string): string => `case when ${checkout}.wallets = '{}' then false
              else (select t.id from wallets t where t.account_id = ${checkout}.account_id and t.is_test) = all(${checkout}.wallets) is true
              end as test_only`

export const checkoutRow = Object.keys(checkoutColumns)
  .map((name) => {
    if (name === 'test_only') return testOnly('c')
    return name === 'wallets' ? 'array_to_json(c.wallets) as wallets' : `c.${name}`
  })
  .join(', ')

const noWallets: readonly WalletId[] = []

export const checkoutOf = (row: RowOf<typeof checkoutColumns>): Checkout => ({
  accountId: row.account_id,
  id: row.id,
  status: row.status,
  amount: row.amount,
  currency: row.currency,
  externalOrderId: row.external_order_id,
  description: row.description,
  items: row.items,
  wallets: row.wallets === '[]' ? noWallets : (JSON.parse(row.wallets) as WalletId[]),
  returnUrl: row.return_url,
  cancelUrl: row.cancel_url,
  metadata: row.metadata,
  customerName: row.customer_name,
  customerPhone: row.customer_phone,
  locale: row.locale,
  allowRemaining: row.allow_remaining,
  referencesTried: row.references_tried,
  createdBy: row.created_by,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  endedAt: row.ended_at,
  linkId: row.link_id,
  testOnly: row.test_only,
})

export type NewCheckout = {
  readonly checkout: Checkout
  readonly tokenHash: TokenHash
  readonly idempotency: { readonly key: string; readonly fingerprint: Buffer } | undefined
}

/** What is stored of a new checkout: its columns, their types and values. `insertCheckout` is made from this list. */
const newColumns: readonly (readonly [name: string, type: string, value: (row: NewCheckout) => unknown])[] = [
  ['account_id', 'uuid', ({ checkout }) => checkout.accountId],
  ['id', 'uuid', ({ checkout }) => checkout.id],
  ['created_at', 'timestamptz', ({ checkout }) => at(checkout.createdAt)],
  ['token_hash', 'bytea', ({ tokenHash }) => hashParameter(tokenHash)],
  ['amount', 'bigint', ({ checkout }) => String(checkout.amount)],
  ['currency', 'text', ({ checkout }) => checkout.currency],
  ['external_order_id', 'text', ({ checkout }) => checkout.externalOrderId],
  ['description', 'text', ({ checkout }) => checkout.description],
  ['items', 'json', ({ checkout }) => checkout.items],
  ['wallets', 'uuid[]', ({ checkout }) => checkout.wallets],
  ['return_url', 'text', ({ checkout }) => checkout.returnUrl],
  ['cancel_url', 'text', ({ checkout }) => checkout.cancelUrl],
  ['metadata', 'json', ({ checkout }) => checkout.metadata],
  ['customer_name', 'text', ({ checkout }) => checkout.customerName],
  ['customer_phone', 'text', ({ checkout }) => checkout.customerPhone],
  ['locale', 'text', ({ checkout }) => checkout.locale],
  ['allow_remaining', 'boolean', ({ checkout }) => checkout.allowRemaining],
  ['created_by', 'text', ({ checkout }) => checkout.createdBy],
  ['expires_at', 'timestamptz', ({ checkout }) => at(checkout.expiresAt)],
  ['search', 'text', ({ checkout }) => searchText(checkout)],
  ['link_id', 'uuid', ({ checkout }) => checkout.linkId],
]

/** What a search finds a checkout by. */
export const searchText = ({
  externalOrderId,
  description,
  customerName,
  customerPhone,
}: Pick<Checkout, 'externalOrderId' | 'description' | 'customerName' | 'customerPhone'>): string =>
  [externalOrderId, description, customerName, customerPhone].map(fold).join(fieldMark)

// After three parameters of the idempotency key.
const newValues = newColumns.map(([, type], i) => `$${i + 4}::${type}`).join(', ')

/**
 * Creates a checkout with its idempotency key ($1, its fingerprint $2), and returns its id and `test_only`; no row if the key is
 * taken. If two requests have one key, the second waits on the unique index until the first has ended. A key older than $3 is free
 * again. Index: primary keys.
 */
export const insertCheckout = statement(
  'insert_checkout',
  { id: uuid<CheckoutId>(), test_only: bool() },
  (row: NewCheckout, keysSince: Instant) => [
    row.idempotency?.key ?? null,
    row.idempotency?.fingerprint ?? null,
    at(keysSince),
    ...newColumns.map(([, , value]) => value(row)),
  ],
  `
  with n as (select * from (values (${newValues})) v (${newColumns.map(([name]) => name).join(', ')})),
  keyed as (
    insert into checkout_keys as k (account_id, key, fingerprint, checkout_id, created_at)
    select account_id, $1::text, $2::bytea, id, created_at
      from n
     where $1::text is not null
    on conflict (account_id, key) do update
       set fingerprint = excluded.fingerprint, checkout_id = excluded.checkout_id, created_at = excluded.created_at
     where k.created_at <= $3::timestamptz
    returning checkout_id)
  insert into checkouts (${newColumns.map(([name]) => name).join(', ')})
  select * from n
   where $1::text is null or exists (select from keyed)
  returning id, ${testOnly('checkouts')}`,
)

/** The checkout that was created with a key since $3. Index: primary key. */
export const findCheckoutKey = scoped(
  'find_checkout_key',
  { fingerprint: bytes(), checkout_id: uuid<CheckoutId>() },
  (scope: Scope, key: string, since: Instant) => [scope.accountId, key, at(since)],
  `
  select fingerprint, checkout_id
    from checkout_keys
   where account_id = $1 and key = $2 and created_at > $3`,
)

/** Deletes keys that are free again, a bounded number at a time. Index: checkout_keys_old. */
export const pruneCheckoutKeys = statement(
  'prune_checkout_keys',
  { checkout_id: uuid<CheckoutId>() },
  (before: Instant, limit: number) => [at(before), limit],
  `
  delete from checkout_keys
   where (account_id, key) in (
     select account_id, key from checkout_keys
      where created_at <= $1 order by created_at limit $2
        for update skip locked)
  returning checkout_id`,
)

/** Index: primary key. */
export const findCheckout = scoped(
  'find_checkout',
  checkoutColumns,
  (scope: Scope, id: string) => [scope.accountId, id],
  (only) =>
    `select ${checkoutRow} from checkouts c where c.account_id = $1 and c.id = $2 ${only.all('c.wallets')} ${only.today(checkoutOfToday('c'))}`,
)

/** The same, locked until the transaction ends. Every change of a checkout or its intents locks it first. Index: primary key. */
export const lockCheckout = scoped(
  'lock_checkout',
  checkoutColumns,
  (scope: Scope, id: string) => [scope.accountId, id],
  (only) =>
    `select ${checkoutRow} from checkouts c where c.account_id = $1 and c.id = $2 ${only.all('c.wallets')} ${only.today(checkoutOfToday('c'))} for no key update`,
)

/** The checkout of an intent, locked in the same way. Index: checkout_intents_account_id_intent_id_key, primary key. */
export const lockCheckoutOfIntent = scoped(
  'lock_checkout_of_intent',
  checkoutColumns,
  (scope: Scope, intentId: string) => [scope.accountId, intentId],
  `
  select ${checkoutRow}
    from checkouts c
   where c.account_id = $1
     and c.id = (select l.checkout_id from checkout_intents l where l.account_id = $1 and l.intent_id = $2)
     for no key update`,
)

/**
 * The same without waiting; no row if another transaction has locked it. For a transaction that has locked a payment link: others
 * lock the checkout first, so waiting here could be a deadlock. Index: primary key.
 */
export const lockFreeCheckout = scoped(
  'lock_free_checkout',
  checkoutColumns,
  (scope: Scope, id: string) => [scope.accountId, id],
  `select ${checkoutRow} from checkouts c where c.account_id = $1 and c.id = $2 for no key update skip locked`,
)

/**
 * Checkouts by the hashes of their tokens, with their account as the pages show it, and with their intents: a row for each intent,
 * in their order; one row for a checkout without intents. Index: checkouts_token_hash_key, primary keys.
 */
export const findCheckoutByToken = statement(
  'find_checkout_by_token',
  {
    token_hash: text<TokenHash>(),
    ...checkoutColumns,
    ...shopColumns,
    time_zone: text(),
    quota: nullable(whole()),
    intent_id: nullable(uuid<IntentId>()),
    wallet_id: nullable(uuid<WalletId>()),
    wallet_name: nullable(text()),
    is_test: nullable(bool()),
    code: nullable(text()),
    intent_status: nullable(text<IntentStatus>()),
    base: nullable(minor()),
    payable: nullable(minor()),
    paid: nullable(minor()),
    ...arrivalColumns,
    reference: nullable(text()),
    alert_id: nullable(uuid<AlertId>()),
    intent_created_at: nullable(instant()),
    intent_expires_at: nullable(instant()),
    verified_at: nullable(instant()),
    ...claimColumns,
  },
  (tokenHashes: readonly TokenHash[]) => [tokenHashes.map(hashParameter)],
  `
  select encode(c.token_hash, 'hex') as token_hash, ${checkoutRow}, ${shopFields},
         a.time_zone,
         a.monthly_intent_quota as quota,
         i.id as intent_id, i.wallet_id, w.name as wallet_name, w.is_test, i.code, i.status as intent_status, i.base, i.payable, i.paid,
         ${arrivalRow('i')}, i.reference, i.alert_id, i.created_at as intent_created_at, i.expires_at as intent_expires_at,
         i.verified_at,${claimFields}
    from checkouts c
    join accounts a on a.id = c.account_id
    left join checkout_pages p on p.account_id = c.account_id
    left join checkout_intents l on l.account_id = c.account_id and l.checkout_id = c.id
    left join intents i on i.account_id = l.account_id and i.id = l.intent_id
    left join wallets w on w.account_id = i.account_id and w.id = i.wallet_id${joinClaim}
   where c.token_hash = any($1::bytea[])
   order by c.id, l.position`,
)

const intentColumns = {
  checkout_id: uuid<CheckoutId>(),
  id: uuid<IntentId>(),
  wallet_id: uuid<WalletId>(),
  wallet_name: text(),
  is_test: bool(),
  code: text(),
  status: text<IntentStatus>(),
  base: minor(),
  payable: minor(),
  paid: nullable(minor()),
  ...arrivalColumns,
  reference: text(),
  alert_id: nullable(uuid<AlertId>()),
  created_at: instant(),
  expires_at: instant(),
  verified_at: nullable(instant()),
}

export const checkoutIntentOf = (row: RowOf<typeof intentColumns>): CheckoutIntent => ({
  id: row.id,
  walletId: row.wallet_id,
  walletName: row.wallet_name,
  isTest: row.is_test,
  code: row.code,
  status: row.status,
  base: row.base,
  payable: row.payable,
  paid: row.paid,
  arrival: readArrival(row),
  reference: row.reference,
  alertId: row.alert_id,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  verifiedAt: row.verified_at,
})

/**
 * The intents of checkouts, in their order within each checkout. Index: primary keys. Each row is looked up by itself: joined, the
 * planner would read all intents of the account first, if most accounts have few.
 */
export const listCheckoutIntents = scoped(
  'list_checkout_intents',
  intentColumns,
  (scope: Scope, checkoutIds: readonly CheckoutId[]) => [scope.accountId, checkoutIds],
  `
  select l.checkout_id, i.id, i.wallet_id, w.name as wallet_name, w.is_test, i.code, i.status, i.base, i.payable, i.paid,
         ${arrivalRow('i')}, i.reference, i.alert_id, i.created_at, i.expires_at, i.verified_at
    from unnest($2::uuid[]) as n (checkout_id)
   cross join lateral (
         select * from checkout_intents c
          where c.account_id = $1 and c.checkout_id >= n.checkout_id and c.checkout_id <= n.checkout_id
          order by c.checkout_id offset 0) as l
   cross join lateral (
         select * from intents its where ${onlyRow('its.account_id = l.account_id', 'its.id', 'l.intent_id')}) as i
    join wallets w on w.account_id = i.account_id and w.id = i.wallet_id
   order by l.checkout_id, l.position`,
)

/**
 * Adds an intent to its checkout, after the others. The first intent is counted at the payment link of the checkout, if it has one.
 * The caller has locked the checkout. The unique index checkout_intents_one_open refuses a second open intent. Index: primary keys.
 */
export const addCheckoutIntent = scoped(
  'add_checkout_intent',
  noColumns,
  (scope: Scope, checkoutId: CheckoutId, intentId: string, open: boolean) => [
    scope.accountId,
    checkoutId,
    intentId,
    open,
  ],
  `
  with added as (
    insert into checkout_intents (account_id, checkout_id, position, intent_id, open)
    select $1::uuid, $2::uuid, coalesce(max(l.position), 0) + 1, $3::uuid, $4::boolean
      from checkout_intents l
     where l.account_id = $1 and l.checkout_id = $2
    returning position)
  update payment_links k set chosen = k.chosen + 1
    from added a, checkouts c
   where a.position = 1 and c.account_id = $1 and c.id = $2 and k.account_id = c.account_id and k.id = c.link_id`,
)

/** Marks the ended intents of a checkout as closed: they cannot be paid any more. The caller has locked the checkout. Index:
 *  primary keys. */
export const closeEndedCheckoutIntents = scoped(
  'close_ended_checkout_intents',
  noColumns,
  (scope: Scope, checkoutId: CheckoutId) => [scope.accountId, checkoutId],
  `
  update checkout_intents l set open = false
    from intents i
   where l.account_id = $1 and l.checkout_id = $2 and l.open
     and i.account_id = l.account_id and i.id = l.intent_id and i.status <> 'PENDING'`,
)

/** Stores the end of a checkout that is OPEN; no row: it has ended already, or by the database's clock its time is not over. A paid
 *  checkout is counted at its payment link. Index: primary keys. */
export const storeCheckoutEnd = scoped(
  'store_checkout_end',
  { id: uuid<CheckoutId>() },
  (scope: Scope, id: CheckoutId, status: CheckoutStatus, endedAt: Instant) => [
    scope.accountId,
    id,
    status,
    at(endedAt),
  ],
  `
  with ended as (
    update checkouts set status = $3::text, ended_at = $4
     where account_id = $1 and id = $2 and status = 'OPEN'
       and ($3::text <> 'EXPIRED' or $4::timestamptz <= database_time())
    returning id, link_id),
  counted as (
    update payment_links k set paid = k.paid + 1
      from ended e
     where $3::text = 'COMPLETE' and k.account_id = $1 and k.id = e.link_id)
  select id from ended`,
)

/**
 * Checkouts whose end may have to be stored: one of their intents has ended, or their time is over and no intent is open. At most
 * $2 of each kind. Index: checkout_intents_one_open, checkouts_due, primary keys.
 */
export const dueCheckouts = statement(
  'due_checkouts',
  { account_id: uuid<AccountId>(), id: uuid<CheckoutId>() },
  (now: Instant, limit: number) => [at(now), limit],
  `
  (select l.account_id, l.checkout_id as id
     from checkout_intents l
     join intents i on i.account_id = l.account_id and i.id = l.intent_id
    where l.open and i.status <> 'PENDING' and ${isNotFrozen('l.account_id')}
    limit $2)
  union
  (select c.account_id, c.id
     from checkouts c
    where c.status = 'OPEN' and c.expires_at <= ${closedUntil('$1')} and ${isNotFrozen('c.account_id')}
      and not exists (select from checkout_intents l
                       where l.account_id = c.account_id and l.checkout_id = c.id and l.open)
    order by c.expires_at
    limit $2)`,
)
