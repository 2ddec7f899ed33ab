import type { AccountId, WalletId } from '../../core/ids.ts'
import { nullable, uuid, whole } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/** What a month's row says, and which wallet is free. Indexes: primary keys, wallets_one_test. */
export const usedInMonth = statement(
  'used_in_month',
  { used: nullable(whole()), test_wallet: nullable(uuid<WalletId>()) },
  (accountId: AccountId, month: string) => [accountId, month],
  `
  select (select used from quota_months where account_id = $1 and month = $2) as used,
         (select id from wallets where account_id = $1 and is_test) as test_wallet`,
)
