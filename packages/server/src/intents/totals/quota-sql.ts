import type { WalletId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { nullable, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped } from '../../postgres/query/statement.ts'

/** How much of a month's quota is used (null: no row yet), and the test wallet, whose intents do not count. Indexes:
 *  primary keys, wallets_one_test. */
export const usedInMonth = scoped(
  'used_in_month',
  { used: nullable(whole()), test_wallet: nullable(uuid<WalletId>()) },
  (scope: Scope, month: string) => [scope.accountId, month],
  `
  select (select used from quota_months where account_id = $1 and month = $2) as used,
         (select id from wallets where account_id = $1 and is_test) as test_wallet`,
)

/** Counts the intents that this month already has, and stores the number. Index: primary key of intents. */
export const countIntoQuotaMonth = scoped(
  'count_into_quota_month',
  { used: whole() },
  (scope: Scope, month: string, firstIdOfMonth: string) => [scope.accountId, month, firstIdOfMonth],
  `
  insert into quota_months (account_id, month, used)
  select $1, $2::date, count(*)::int
    from intents i join wallets w on w.id = i.wallet_id
   where i.account_id = $1 and i.id >= $3 and not w.is_test
  on conflict (account_id, month) do update set used = excluded.used
  returning used`,
)

/** Inserts the row of the month if there is none. */
export const openQuotaMonth = scoped(
  'open_quota_month',
  noColumns,
  (scope: Scope, month: string) => [scope.accountId, month],
  `
  insert into quota_months (account_id, month, used) values ($1, $2, 0)
  on conflict do nothing`,
)

/** Takes one from the month's quota. The row is locked until the transaction ends: two requests cannot take the last one. */
export const takeFromQuota = scoped(
  'take_from_quota',
  { used: whole() },
  (scope: Scope, month: string) => [scope.accountId, month],
  `
  update quota_months q set used = used + 1
    from accounts a
   where q.account_id = $1 and q.month = $2 and a.id = $1
     and (a.monthly_intent_quota is null or q.used < a.monthly_intent_quota)
  returning q.used`,
)
