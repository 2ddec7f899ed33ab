import type { AccountId, WalletId } from '../../core/ids.ts'
import { text, whole } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/** The setting, locked until the transaction ends. Index: primary key. */
export const lockUniqueAmounts = statement(
  'lock_unique_amounts',
  { unique_amounts: text<'off' | 'more' | 'less'>(), unique_amounts_most: whole() },
  (accountId: AccountId, id: WalletId) => [accountId, id],
  `
  select unique_amounts, unique_amounts_most
    from wallets
   where account_id = $1 and id = $2
     for no key update`,
)

/** Increments the version: a cached wallet is checked again before an intent is created. Index: primary key. */
export const saveUniqueAmounts = statement(
  'save_unique_amounts',
  { version: whole() },
  (accountId: AccountId, id: WalletId, setting: { readonly direction: string; readonly most: number }) => [
    accountId,
    id,
    setting.direction,
    setting.most,
  ],
  `
  update wallets set unique_amounts = $3, unique_amounts_most = $4, version = version + 1
   where account_id = $1 and id = $2
  returning version`,
)
