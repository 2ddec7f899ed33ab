import type { AccountId, PhoneId, WalletId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { bool, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'
import type { SimSlot } from '../wallet-phones.ts'
import { entryColumns } from './wallet-identity-sql.ts'

/** The account of a wallet, for the operator. Index: primary key. */
export const ownerOfWallet = statement(
  'owner_of_wallet',
  { account_id: uuid<AccountId>() },
  (id: WalletId) => [id],
  `select account_id from wallets where id = $1`,
)

/**
 * The entries of both real wallets, locked against new alerts and intents until the transaction ends. Index:
 * wallets_of_account.
 */
export const lockMergedEntries = scoped(
  'lock_merged_entries',
  {
    ...entryColumns,
    is_test: bool(),
    device_id: nullable(uuid<PhoneId>()),
    sim_slot: text<SimSlot>(),
  },
  (scope: Scope, ids: readonly WalletId[]) => [scope.accountId, ids],
  `
  select id, identity, name, provider_id, account_number, sender_name, active, is_test, device_id, sim_slot
    from wallets
   where account_id = $1
     and identity in (select w.identity from wallets w where w.account_id = $1 and w.id = any($2::uuid[]))
   order by id
     for update`,
)

/** Turns the statement timeout off for this transaction: many rows may change by their foreign keys. */
export const withoutStatementTimeout = statement(
  'without_statement_timeout',
  { limit: text() },
  () => [],
  `select set_config('statement_timeout', '0', true) as limit`,
)

/**
 * Closes the entries of the other real wallet and gives them the kept identity: their alerts and intents follow by
 * their foreign keys. Their first phone is removed. Index: wallets_of_account.
 */
export const shareIdentity = scoped(
  'share_identity',
  { id: uuid<WalletId>() },
  (scope: Scope, keep: string, other: string) => [scope.accountId, keep, other],
  `
  update wallets
     set identity = $2, active = false, device_id = null, version = version + 1
   where account_id = $1 and identity = $3
  returning id`,
)

/** Removes the phones after the first one from the entries that the merge closes. Index: primary key. */
export const freeFurtherPhones = scoped(
  'free_further_phones',
  noColumns,
  (scope: Scope, walletIds: readonly WalletId[]) => [scope.accountId, walletIds],
  `delete from wallet_phones where account_id = $1 and wallet_id = any($2::uuid[])`,
)

/** Sets the first phone of a wallet that has none. Index: primary key. */
export const setFirstPhone = scoped(
  'set_first_phone',
  noColumns,
  (scope: Scope, id: WalletId, phoneId: PhoneId, simSlot: SimSlot) => [scope.accountId, id, phoneId, simSlot],
  `update wallets set device_id = $3, sim_slot = $4 where account_id = $1 and id = $2`,
)

/** Increments the version of the wallet that stays, and has earlier alerts of its sender read again. Index: primary key. */
export const touchKeptWallet = scoped(
  'touch_kept_wallet',
  noColumns,
  (scope: Scope, id: WalletId) => [scope.accountId, id],
  `update wallets set version = version + 1, reread = true where account_id = $1 and id = $2`,
)

/** Gives the account numbers of the other real wallet the kept identity. Index: primary key. */
export const moveNumberAliases = scoped(
  'move_number_aliases',
  noColumns,
  (scope: Scope, keep: string, other: string) => [scope.accountId, keep, other],
  `update wallet_numbers set identity = $2 where account_id = $1 and identity = $3`,
)
