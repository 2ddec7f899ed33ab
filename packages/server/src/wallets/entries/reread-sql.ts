import type { Instant } from '../../core/clock.ts'
import type { AccountId, WalletId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'
import { isNotFrozen } from '../../postgres/tenancy/freeze-sql.ts'

/** The next wallet whose sender's unread alerts must be read again, for the first or the second time. Wallets of suspended
 *  accounts wait. Index: wallets_to_reread. */
export const walletToReread = statement(
  'wallet_to_reread',
  { account_id: uuid<AccountId>(), id: uuid<WalletId>(), sender_name: text(), version: whole() },
  (before: Instant) => [at(before)],
  `
  select w.account_id, w.id, w.sender_name, w.version
    from wallets w
    join accounts a on a.id = w.account_id and a.status = 'ACTIVE'
   where w.reread and (w.reread_at is null or w.reread_at <= $1) and ${isNotFrozen('w.account_id')}
   order by w.account_id, w.id
   limit 1`,
)

/**
 * After the first reread the wallet waits for the second; after the second it is done, unless it changed meanwhile. Index:
 * primary key.
 */
export const markWalletReread = scoped(
  'mark_wallet_reread',
  noColumns,
  (scope: Scope, id: WalletId, version: number, now: Instant) => [scope.accountId, id, version, at(now)],
  `
  update wallets
     set reread = reread_at is null or version <> $3,
         reread_at = case when reread_at is null and version = $3 then $4::timestamptz end
   where account_id = $1 and id = $2`,
)
