import type { ProviderId, WalletId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { bool, text, uuid } from '../../postgres/query/columns.ts'
import { noColumns, type RowOf, scoped } from '../../postgres/query/statement.ts'
import type { WalletEntry } from './wallet-identity.ts'

export const entryColumns = {
  id: uuid<WalletId>(),
  identity: uuid(),
  name: text(),
  provider_id: uuid<ProviderId>(),
  account_number: text(),
  sender_name: text(),
  active: bool(),
}

export const entryOf = (row: RowOf<typeof entryColumns>): WalletEntry => ({
  id: row.id,
  identity: row.identity,
  name: row.name,
  providerId: row.provider_id,
  accountNumber: row.account_number,
  senderName: row.sender_name,
  active: row.active,
})

/**
 * The entries of an account, oldest first; at most 1,000. Without the test wallet, which is not a real one. Index:
 * wallets_of_account.
 */
export const walletEntries = scoped(
  'wallet_entries',
  entryColumns,
  (scope: Scope) => [scope.accountId],
  `
  select id, identity, name, provider_id, account_number, sender_name, active
    from wallets
   where account_id = $1 and not is_test
   order by created_at, id
   limit 1000`,
)

/** The identities of the real wallets that ever had a number, with their providers. Index: primary key. */
export const numberAliases = scoped(
  'number_aliases',
  { provider_id: uuid<ProviderId>(), identity: uuid() },
  (scope: Scope, key: string) => [scope.accountId, key],
  `select provider_id, identity from wallet_numbers where account_id = $1 and number_key = $2`,
)

/** Stores which real wallet has a number. A known number keeps its identity. Index: primary key. */
export const insertNumberAlias = scoped(
  'insert_number_alias',
  noColumns,
  (scope: Scope, providerId: ProviderId, key: string, identity: string) => [scope.accountId, providerId, key, identity],
  `
  insert into wallet_numbers (account_id, provider_id, number_key, identity) values ($1, $2, $3, $4)
  on conflict (account_id, provider_id, number_key) do nothing`,
)
