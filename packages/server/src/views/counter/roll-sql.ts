import type { Instant } from '../../core/clock.ts'
import type { AlertId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, text, uuid } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'
import { alertOfToday, shownToday } from '../alert-today.ts'

/** A page of the roll looks at no more alerts than this: an account may have much test money. */
export const mostScanned = 2_000

const highestId = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * The ids of a page of the roll: credits of real wallets, newest first, without those that repeat another. Index: alerts_credits,
 * at most `mostScanned` rows of the wallets that the caller sees; then the primary key of wallets.
 */
export const rollIds = scoped(
  'roll_ids',
  { id: uuid<AlertId>() },
  (scope: Scope, after: string | undefined, limit: number) => [scope.accountId, after ?? highestId, limit, mostScanned],
  (only) => `
  select s.id
    from (select a.id, a.wallet_id
            from alerts a
           where a.account_id = $1 and a.id < $2 and a.direction || '' = 'credit' and a.state <> 'duplicate' ${only('a.wallet_id')} ${only.today(alertOfToday('a'))}
           order by a.id desc
           limit $4) as s
   where (select not w.is_test from wallets w where w.account_id = $1 and w.id = s.wallet_id)
   order by s.id desc
   limit $3`,
)

/** The last alert that `rollIds` looked at, if there may be more after it. Index: alerts_credits. */
export const rollEnd = scoped(
  'roll_end',
  { id: uuid<AlertId>() },
  (scope: Scope, after: string | undefined) => [scope.accountId, after ?? highestId, mostScanned],
  (only) => `
  select a.id
    from alerts a
   where a.account_id = $1 and a.id < $2 and a.direction || '' = 'credit' and a.state <> 'duplicate' ${only('a.wallet_id')} ${only.today(alertOfToday('a'))}
   order by a.id desc
  offset $3 - 1 limit 1`,
)

/** Sales that can still be undone, the last taken first. Index: counter_sales_due (the open sales of ten seconds), primary key. */
export const undoableIds = scoped(
  'undoable_ids',
  { id: uuid<AlertId>() },
  (scope: Scope, now: Instant, limit: number) => [scope.accountId, at(now), limit],
  (only) => `
  select s.alert_id as id
    from counter_sales s
    join alerts a on a.account_id = s.account_id and a.id = s.alert_id
   where s.account_id = $1 and s.intent_id is null and s.due_at > $2 ${only('a.wallet_id')} ${only.today(alertOfToday('a'))}
   order by s.taken_at desc, s.alert_id desc
   limit $3`,
)

/** The companies of wallets. Index: wallets_of_account, primary key of providers. */
export const companiesOfWallets = scoped(
  'companies_of_wallets',
  { wallet_id: uuid(), name: text(), name_ar: text(), is_test: bool() },
  (scope: Scope, walletIds: readonly string[]) => [scope.accountId, walletIds],
  (only) => `
  select w.id as wallet_id, p.display_name as name, p.display_name_ar as name_ar, w.is_test
    from wallets w
    join providers p on p.id = w.provider_id
   where w.account_id = $1 and w.id = any($2::uuid[]) ${only('w.id')} ${only.everyDay()}`,
)

/** The messages that repeat these alerts, the first ones of each. Index: alerts_duplicates. */
export const repeatsOf = scoped(
  'repeats_of',
  { id: uuid<AlertId>(), of: uuid<AlertId>() },
  (scope: Scope, ids: readonly AlertId[], most: number) => [scope.accountId, ids, most],
  (only) => `
  select d.id, n.id as of
    from unnest($2::uuid[]) as n (id)
   cross join lateral (
         select d.id from alerts d
          where d.account_id = $1 and d.duplicate_of = n.id ${only('d.wallet_id')} ${only.today(shownToday('d'))}
          order by d.id limit $3) as d`,
)
