import { ownsReference } from '../../alerts/reference-owner-sql.ts'
import type { AlertId, WalletId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { instant, minor, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { noColumns, scoped } from '../../postgres/query/statement.ts'
import { storedColumns } from '../resolve/stored-alert-sql.ts'
import type { ClashingAlert } from './merge-plan.ts'

/**
 * Pairs of alerts that own one reference, one alert of each real wallet. Index: alerts_reference, primary key of intents.
 */
export const clashingAlerts = scoped(
  'clashing_alerts',
  {
    reference: text(),
    keep_id: uuid<AlertId>(),
    keep_state: text<ClashingAlert['state']>(),
    keep_amount: minor(),
    keep_currency: text(),
    keep_at: instant(),
    keep_payment: nullable(text()),
    keep_order: nullable(text()),
    other_id: uuid<AlertId>(),
    other_state: text<ClashingAlert['state']>(),
    other_amount: minor(),
    other_currency: text(),
    other_at: instant(),
    other_payment: nullable(text()),
    other_order: nullable(text()),
  },
  (scope: Scope, keep: string, other: string) => [scope.accountId, keep, other],
  `
  select o.reference, k.id as keep_id, k.state as keep_state, k.amount as keep_amount, k.currency as keep_currency,
         k.received_at as keep_at, ki.code as keep_payment, ki.external_order_id as keep_order,
         o.id as other_id, o.state as other_state, o.amount as other_amount, o.currency as other_currency,
         o.received_at as other_at, oi.code as other_payment, oi.external_order_id as other_order
    from alerts o
    join alerts k on k.account_id = o.account_id and k.identity = $2 and k.reference_key = o.reference_key
     and ${ownsReference('k')}
    left join intents ki on ki.account_id = k.account_id and ki.id = k.intent_id
    left join intents oi on oi.account_id = o.account_id and oi.id = o.intent_id
   where o.account_id = $1 and o.identity = $3 and o.reference_key is not null and ${ownsReference('o')}
   order by o.id
     for update of o, k`,
)

/** Pairs of PENDING intents with one reference, one intent of each real wallet; at most 20. Index: intents_reference_held. */
export const clashingIntents = scoped(
  'clashing_intents',
  { reference: text(), keep: text(), other: text() },
  (scope: Scope, keep: string, other: string) => [scope.accountId, keep, other],
  `
  select o.reference, k.code as keep, o.code as other
    from intents o
    join intents k on k.account_id = o.account_id and k.identity = $2 and k.reference_key = o.reference_key
     and k.status = 'PENDING'
   where o.account_id = $1 and o.identity = $3 and o.status = 'PENDING' and o.reference_key is not null
   order by o.id
   limit 20`,
)

/**
 * PENDING intents whose reference is in a waiting alert of the other real wallet; at most 20. Index: intents_reference_held.
 */
export const intentsToBook = scoped(
  'intents_to_book',
  { reference: text(), payment: text() },
  (scope: Scope, keep: string, other: string) => [scope.accountId, keep, other],
  `
  select i.reference, i.code as payment
    from intents i
    join alerts a on a.account_id = i.account_id and a.reference_key = i.reference_key and a.state = 'waiting'
     and a.identity in ($2, $3) and a.identity <> i.identity
   where i.account_id = $1 and i.identity in ($2, $3) and i.status = 'PENDING' and i.reference_key is not null
   order by i.id
   limit 20`,
)

/** Writes the new states of alerts that no longer own their reference. An intent that one of them ended keeps its timeline.
 *  Index: primary key. */
export const dropAlerts = scoped(
  'drop_alerts',
  noColumns,
  (
    scope: Scope,
    dropped: readonly {
      readonly id: AlertId
      readonly state: string
      readonly reason: string
      readonly duplicateOf: AlertId | null
    }[],
  ) => [
    scope.accountId,
    dropped.map(({ id }) => id),
    dropped.map(({ state }) => state),
    dropped.map(({ reason }) => reason),
    dropped.map(({ duplicateOf }) => duplicateOf),
  ],
  `
  update alerts a
     set state = n.state, reason = n.reason, duplicate_of = n.duplicate_of, intent_id = null,
         unmatched_owed = a.unmatched_owed and n.state <> 'duplicate'
    from unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[]) as n (id, state, reason, duplicate_of)
   where a.account_id = $1 and a.id = n.id`,
)

/** A page of the unspent credits with a reference of these wallets, after this id. Index: alerts_queue_wallet. */
export const claimableCredits = scoped(
  'claimable_credits',
  storedColumns,
  (scope: Scope, wallets: readonly WalletId[], after: string, limit: number) => [
    scope.accountId,
    wallets,
    after,
    limit,
  ],
  `
  select ${Object.keys(storedColumns).join(', ')}
    from alerts a
   where a.account_id = $1 and a.wallet_id = any($2::uuid[]) and a.id > $3
     and a.state in ('waiting', 'review', 'held', 'unread', 'wrong_amount')
     and a.state in ('waiting', 'wrong_amount') and a.reference_key is not null
   order by a.id
   limit $4`,
)

/** Index: primary key. */
export const markSpentTwice = scoped(
  'mark_spent_twice',
  noColumns,
  (scope: Scope, ids: readonly AlertId[]) => [scope.accountId, ids],
  `update alerts set spent_twice = true where account_id = $1 and id = any($2::uuid[])`,
)

/** Moves the unique amounts of the other real wallet. If both wallets hold an amount, the row of the later intent is kept. A
 *  credit of that amount then matches neither by itself, because both intents are found. Index: primary key. */
export const moveUniqueAmounts = scoped(
  'move_unique_amounts',
  noColumns,
  (scope: Scope, keep: string, other: string) => [scope.accountId, keep, other],
  `
  with moved as (
    delete from unique_amounts where account_id = $1 and identity = $3 returning payable, intent_id)
  insert into unique_amounts as u (identity, payable, account_id, intent_id)
  select $2, payable, $1, intent_id from moved
  on conflict (identity, payable) do update set intent_id = greatest(u.intent_id, excluded.intent_id)`,
)

/** Deletes the balances of the other entries; that of the kept entry stays. Index: primary key. */
export const dropBalances = scoped(
  'drop_balances',
  noColumns,
  (scope: Scope, walletIds: readonly WalletId[]) => [scope.accountId, walletIds],
  `
  delete from wallet_balances
   where wallet_id in (select id from wallets where account_id = $1 and id = any($2::uuid[]))`,
)
