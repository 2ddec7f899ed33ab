import type { AccountId, ProviderId, WalletId } from '../../core/ids.ts'
import { bool, text, uuid } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/** The entries of all accounts, after a given one, for the operator. Index: wallets_identity_key. */
export const entriesBeyond = statement(
  'wallet_entries_beyond',
  {
    account_id: uuid<AccountId>(),
    id: uuid<WalletId>(),
    identity: uuid(),
    name: text(),
    provider_id: uuid<ProviderId>(),
    account_number: text(),
    sender_name: text(),
    active: bool(),
  },
  (after: readonly [accountId: string, id: string], limit: number) => [...after, limit],
  `
  select account_id, id, identity, name, provider_id, account_number, sender_name, active
    from wallets
   where (account_id, id) > ($1::uuid, $2::uuid) and not is_test
   order by account_id, id
   limit $3`,
)
