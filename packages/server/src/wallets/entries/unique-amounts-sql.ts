import type { WalletId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { text, whole } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'

/** The setting, locked until the transaction ends. Index: primary key. */
export const lockUniqueAmounts = scoped(
  'lock_unique_amounts',
  { unique_amounts: text<'off' | 'more' | 'less'>(), unique_amounts_most: whole() },
  (scope: Scope, id: WalletId) => [scope.accountId, id],
  `
  select unique_amounts, unique_amounts_most
    from wallets
   where account_id = $1 and id = $2
     for no key update`,
)

/** Increments the version: a cached wallet is checked again before an intent is created. Index: primary key. */
export const saveUniqueAmounts = scoped(
  'save_unique_amounts',
  { version: whole() },
  (scope: Scope, id: WalletId, setting: { readonly direction: string; readonly most: number }) => [
    scope.accountId,
    id,
    setting.direction,
    setting.most,
  ],
  `
  update wallets set unique_amounts = $3, unique_amounts_most = $4, version = version + 1
   where account_id = $1 and id = $2
  returning version`,
)
