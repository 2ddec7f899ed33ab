/** Finds the intents that hold an amount of a real wallet: open intents, and those that ended so lately that the amount rests. */
import type { Instant } from '../../core/clock.ts'
import { day_ms, hour_ms } from '../../core/duration.ts'
import { type AccountId, firstIdAt, type IntentId, type WalletId, type WalletIdentity } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import { at, bool, instant, minor, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { onlyRow, statement } from '../../postgres/query/statement.ts'
import type { Status } from '../intent.ts'
import { LONGEST_REST, REST_PAID_MS, REST_UNPAID_MS, type Rest } from './unique-amounts.ts'

/** An amount is free again if its intent ended before these instants: the first if it was unpaid, the second if it was paid. */
export const restParams = (now: Instant): [unpaid: string, paid: string] => [
  at(now - REST_UNPAID_MS),
  at(now - REST_PAID_MS),
]

/** When intent `i` ended unpaid. The time of a cancellation or of a wrong amount is in the timeline. */
const endedUnpaid = `
         case i.status
           when 'EXPIRED' then i.expires_at
           else coalesce((select max(m.at) from intent_moves m
                           where m.account_id = i.account_id and m.intent_id = i.id
                             and m.kind in ('cancelled', 'wrong_amount')), i.expires_at) end`

/**
 * Whether intent `i` holds its amount. `unpaid` and `paid`: parameters of `restParams`. An intent that is stored as PENDING
 * holds it, even if its window has closed.
 */
export const holdsAmount = (unpaid: string, paid: string): string => `
         case i.status
           when 'PENDING' then true
           when 'VERIFIED' then i.verified_at > ${paid}
           else ${endedUnpaid} > ${unpaid} end`

/** The longest window that the service can be set to. */
const longestWindow_ms = 30 * day_ms

/** The smallest id that matters: the amounts of older intents, with windows of at most `window_ms`, have had this rest. */
const firstHolder = (now: Instant, window_ms: number, { unpaid_ms, paid_ms }: Rest): string =>
  firstIdAt(now - window_ms - Math.max(unpaid_ms, paid_ms) - hour_ms)

/**
 * The last use of these amounts by any intent of the real wallet, also as an order's own amount. Amounts that were not used
 * within `LONGEST_REST` are left out. An amount may be returned twice; then both rows count. `window_ms`: the window of
 * intents that are created now. Index: intents_payable and the primary key of unique_amounts, once for each amount.
 */
export const amountUses = statement(
  'amount_uses',
  {
    identity: uuid<WalletIdentity>(),
    payable: minor(),
    open: bool(),
    unpaid_at: nullable(instant()),
    paid_at: nullable(instant()),
  },
  (
    amounts: readonly { accountId: AccountId; identity: WalletIdentity; amount: Minor }[],
    window_ms: number,
    now: Instant,
  ) => [
    amounts.map(({ accountId }) => accountId),
    amounts.map(({ identity }) => identity),
    amounts.map(({ amount }) => String(amount)),
    firstHolder(now, window_ms, LONGEST_REST),
    ...restParams(now),
  ],
  `
  select a.identity, a.payable, bool_or(i.status = 'PENDING') as open,
         max(${endedUnpaid}) filter (where i.status not in ('PENDING', 'VERIFIED')) as unpaid_at, max(i.verified_at) as paid_at
    from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as a (account_id, identity, payable)
   cross join lateral (
         select * from intents i
          -- A range and this order, so that the planner uses intents_payable: no other index has the order.
          where i.account_id = a.account_id and i.payable >= a.payable and i.payable <= a.payable and i.id >= $4
          order by i.payable desc, i.id desc) as i
   where i.identity = a.identity
   group by a.identity, a.payable
  union all
  -- Intents that were created with a longer window than today's may be older and still hold their amount.
  select a.identity, a.payable, true, null, null
    from unnest($2::uuid[], $3::bigint[]) as a (identity, payable)
   cross join lateral (
         select * from unique_amounts u
          where u.identity = a.identity and u.payable >= a.payable and u.payable <= a.payable
          order by u.payable limit 1) as u
   cross join lateral (
         select * from intents i where ${onlyRow('i.account_id = u.account_id', 'i.id', 'u.intent_id')}) as i
   where ${holdsAmount('$5', '$6')}`,
)

/** The amounts of the newest open intents of these wallets. Index: intents_open, once for each wallet. */
export const openAmounts = statement(
  'open_amounts',
  { identity: uuid<WalletIdentity>(), base: minor(), payable: minor() },
  (wallets: readonly { readonly id: WalletId; readonly identity: WalletIdentity }[]) => [
    wallets.map((wallet) => wallet.id),
    wallets.map((wallet) => wallet.identity),
  ],
  `
  select w.identity, i.base, i.payable
    from unnest($1::uuid[], $2::uuid[]) as w (id, identity)
   cross join lateral (
         select i.base, i.payable from intents i
          where i.wallet_id = w.id and i.status = 'PENDING'
          order by i.id desc
          limit 200) as i`,
)

/**
 * The intents of real wallets that hold these amounts, oldest first. Their rows are locked until the transaction ends: other
 * transactions that cancel one, or attach a reference to it, wait. Index: intents_payable, once for each amount.
 */
export const lockAmountHolders = statement(
  'lock_amount_holders',
  {
    id: uuid<IntentId>(),
    wallet_id: uuid<WalletId>(),
    identity: uuid<WalletIdentity>(),
    status: text<Status>(),
    code: text(),
    external_order_id: text(),
    reference: text(),
    tried: whole(),
    base: minor(),
    payable: minor(),
    currency: text(),
    created_at: instant(),
    expires_at: instant(),
    has_reference: bool(),
  },
  (amounts: readonly { accountId: AccountId; identity: WalletIdentity; amount: Minor }[], now: Instant) => [
    amounts.map(({ accountId }) => accountId),
    amounts.map(({ identity }) => identity),
    amounts.map(({ amount }) => String(amount)),
    firstHolder(now, longestWindow_ms, { unpaid_ms: REST_UNPAID_MS, paid_ms: REST_PAID_MS }),
    ...restParams(now),
  ],
  `
  select i.id, i.wallet_id, i.identity, i.status, i.code, i.external_order_id, i.reference,
         cardinality(i.reference_keys) as tried, i.base, i.payable, i.currency, i.created_at, i.expires_at,
         i.reference_key is not null as has_reference
    from unnest($1::uuid[], $2::uuid[], $3::bigint[]) as a (account_id, identity, payable)
   cross join lateral (
         select * from intents i
          where i.account_id = a.account_id and i.payable >= a.payable and i.payable <= a.payable and i.id >= $4
            and i.identity = a.identity and ${holdsAmount('$5', '$6')}
          order by i.payable, i.id
            for update) as i`,
)
