import type { AccountId, AlertId, DeviceId, ProviderId, WalletId } from '../../core/ids.ts'
import { bool, instant, minor, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { none, statement } from '../../postgres/query/statement.ts'
import type { SimSlot } from '../wallets/wallet-phones.ts'
import type { ClashingAlert } from './merge-plan.ts'

/** Whose a wallet is: for the operator. Index: primary key. */
export const ownerOfWallet = statement(
  'owner_of_wallet',
  { account_id: uuid<AccountId>() },
  (id: WalletId) => [id],
  `select account_id from wallets where id = $1`,
)

/** The entries of both real wallets. Held against new alerts and intents of them until the end. Index: wallets_of_account. */
export const holdEntries = statement(
  'hold_merged_entries',
  {
    id: uuid<WalletId>(),
    identity: uuid(),
    name: text(),
    provider_id: uuid<ProviderId>(),
    account_number: text(),
    sender_name: text(),
    active: bool(),
    is_test: bool(),
    device_id: nullable(uuid<DeviceId>()),
    sim_slot: text<SimSlot>(),
  },
  (accountId: AccountId, ids: readonly WalletId[]) => [accountId, ids],
  `
  select id, identity, name, provider_id, account_number, sender_name, active, is_test, device_id, sim_slot
    from wallets
   where account_id = $1
     and identity in (select w.identity from wallets w where w.account_id = $1 and w.id = any($2::uuid[]))
   order by id
     for update`,
)

/** Rows of years may follow: the usual limit of a statement is not for this one. */
export const takeYourTime = statement(
  'take_your_time',
  { limit: text() },
  () => [],
  `select set_config('statement_timeout', '0', true) as limit`,
)

const standing = (alert: string): string =>
  `${alert}.state in ('waiting', 'matched', 'wrong_amount', 'booked') and not ${alert}.spent_twice`

/** Two standing alerts of one reference, one of each real wallet. Index: alerts_reference, primary key of intents. */
export const clashingAlerts = statement(
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
  (accountId: AccountId, keep: string, other: string) => [accountId, keep, other],
  `
  select o.reference, k.id as keep_id, k.state as keep_state, k.amount as keep_amount, k.currency as keep_currency,
         k.received_at as keep_at, ki.code as keep_payment, ki.external_order_id as keep_order,
         o.id as other_id, o.state as other_state, o.amount as other_amount, o.currency as other_currency,
         o.received_at as other_at, oi.code as other_payment, oi.external_order_id as other_order
    from alerts o
    join alerts k on k.account_id = o.account_id and k.identity = $2 and k.reference_key = o.reference_key
     and ${standing('k')}
    left join intents ki on ki.account_id = k.account_id and ki.id = k.intent_id
    left join intents oi on oi.account_id = o.account_id and oi.id = o.intent_id
   where o.account_id = $1 and o.identity = $3 and o.reference_key is not null and ${standing('o')}
   order by o.id
     for update of o, k`,
)

/** Two PENDING intents that hold one reference, one of each real wallet; at most 20. Index: intents_reference_held. */
export const clashingIntents = statement(
  'clashing_intents',
  { reference: text(), keep: text(), other: text() },
  (accountId: AccountId, keep: string, other: string) => [accountId, keep, other],
  `
  select o.reference, k.code as keep, o.code as other
    from intents o
    join intents k on k.account_id = o.account_id and k.identity = $2 and k.reference_key = o.reference_key
     and k.status = 'PENDING'
   where o.account_id = $1 and o.identity = $3 and o.status = 'PENDING' and o.reference_key is not null
   order by o.id
   limit 20`,
)

/** PENDING intents whose reference lies with the other entry, waiting; at most 20. Index: intents_reference_held. */
export const waitedFor = statement(
  'waited_for_by_twin',
  { reference: text(), payment: text() },
  (accountId: AccountId, keep: string, other: string) => [accountId, keep, other],
  `
  select i.reference, i.code as payment
    from intents i
    join alerts a on a.account_id = i.account_id and a.reference_key = i.reference_key and a.state = 'waiting'
     and a.identity in ($2, $3) and a.identity <> i.identity
   where i.account_id = $1 and i.identity in ($2, $3) and i.status = 'PENDING' and i.reference_key is not null
   order by i.id
   limit 20`,
)

/** Alerts that no longer stand. An intent that one of them ended keeps its own line of it. Index: primary key. */
export const yieldAlerts = statement(
  'yield_alerts',
  none,
  (
    accountId: AccountId,
    yielded: readonly {
      readonly id: AlertId
      readonly state: string
      readonly reason: string
      readonly of: AlertId | null
    }[],
  ) => [
    accountId,
    yielded.map(({ id }) => id),
    yielded.map(({ state }) => state),
    yielded.map(({ reason }) => reason),
    yielded.map(({ of }) => of),
  ],
  `
  update alerts a
     set state = n.state, reason = n.reason, duplicate_of = n.duplicate_of, intent_id = null,
         unmatched_owed = a.unmatched_owed and n.state <> 'duplicate'
    from unnest($2::uuid[], $3::text[], $4::text[], $5::uuid[]) as n (id, state, reason, duplicate_of)
   where a.account_id = $1 and a.id = n.id`,
)

/** Index: primary key. */
export const markSpentTwice = statement(
  'mark_spent_twice',
  none,
  (accountId: AccountId, ids: readonly AlertId[]) => [accountId, ids],
  `update alerts set spent_twice = true where account_id = $1 and id = any($2::uuid[])`,
)

/** The other real wallet's entries are closed and become the kept one's: its alerts and intents follow by their foreign keys.
 *  Their phones are taken from them. Index: wallets_of_account. */
export const giveIdentity = statement(
  'give_identity',
  { id: uuid<WalletId>() },
  (accountId: AccountId, keep: string, other: string) => [accountId, keep, other],
  `
  update wallets
     set identity = $2, active = false, device_id = null, version = version + 1
   where account_id = $1 and identity = $3
  returning id`,
)

/** Index: primary key. */
export const freeFurtherPhones = statement(
  'free_further_phones',
  none,
  (accountId: AccountId, walletIds: readonly WalletId[]) => [accountId, walletIds],
  `delete from wallet_phones where account_id = $1 and wallet_id = any($2::uuid[])`,
)

/** The first phone of a wallet that had none. Index: primary key. */
export const setFirstPhone = statement(
  'set_first_phone',
  none,
  (accountId: AccountId, id: WalletId, deviceId: DeviceId, simSlot: SimSlot) => [accountId, id, deviceId, simSlot],
  `update wallets set device_id = $3, sim_slot = $4 where account_id = $1 and id = $2`,
)

/** Index: primary key. */
export const touchKept = statement(
  'touch_kept_wallet',
  none,
  (accountId: AccountId, id: WalletId) => [accountId, id],
  `update wallets set version = version + 1, reread = true where account_id = $1 and id = $2`,
)

/** Index: primary key. */
export const moveAliases = statement(
  'move_wallet_numbers',
  none,
  (accountId: AccountId, keep: string, other: string) => [accountId, keep, other],
  `update wallet_numbers set identity = $2 where account_id = $1 and identity = $3`,
)

/** The balance of the kept entry counts. Index: primary key. */
export const dropBalances = statement(
  'drop_balances',
  none,
  (accountId: AccountId, walletIds: readonly WalletId[]) => [accountId, walletIds],
  `
  delete from wallet_balances
   where wallet_id in (select id from wallets where account_id = $1 and id = any($2::uuid[]))`,
)
