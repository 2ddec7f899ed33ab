import type { AccountId } from '../../core/ids.ts'
import { uuid } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'
import { entryColumns } from './wallet-identity-sql.ts'

/** A page of the entries of all accounts, after a given entry, for the operator. Index: wallets_identity_key. */
export const walletEntriesAfter = statement(
  'wallet_entries_after',
  {
    account_id: uuid<AccountId>(),
    ...entryColumns,
  },
  (after: readonly [accountId: string, id: string], limit: number) => [...after, limit],
  `
  select account_id, id, identity, name, provider_id, account_number, sender_name, active
    from wallets
   where (account_id, id) > ($1::uuid, $2::uuid) and not is_test
   order by account_id, id
   limit $3`,
)
