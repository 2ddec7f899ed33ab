import type { CreditKind } from '../../alerts/arrived.ts'
import { creditKindSql } from '../../alerts/arrived-sql.ts'
import { firstIdAt, type WalletId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { bool, instant, minor, text, uuid, whole } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'
import type { Period } from './periods.ts'

/**
 * The credits of real wallets in some periods, by wallet, currency and what became of them: the amounts that the messages say. A
 * message counts in the period in which it reached the service, as in the day close. All wallets of the account count, also closed
 * ones. Index: alerts_credits, one range of ids for each period (`offset 0` keeps it so); it reads the credits of the periods and
 * no others. Then the wallets of the account, once.
 */
export const arrivedInPeriods = scoped(
  'arrived_in_periods',
  {
    period: whole(),
    wallet_id: uuid<WalletId>(),
    currency: text(),
    kind: text<CreditKind>(),
    count: whole(),
    sum: minor(),
  },
  (scope: Scope, periods: readonly Period[]) => [
    scope.accountId,
    periods.map(({ from }) => firstIdAt(from)),
    periods.map(({ until }) => firstIdAt(until)),
  ],
  (only) => `
  select p.n::int - 1 as period, a.wallet_id, a.currency, a.kind, count(*) as count, sum(a.amount)::bigint as sum
    from unnest($2::uuid[], $3::uuid[]) with ordinality as p (first, last, n)
   cross join lateral (
         select c.wallet_id, c.currency, c.amount, ${creditKindSql('c')} as kind
           from alerts c
          where c.account_id = $1 and c.id >= p.first and c.id < p.last and c.direction || '' = 'credit'
            and c.state <> 'duplicate' ${only('c.wallet_id')} ${only.today((day) => `c.id >= ${day.first}`)}
         offset 0) as a
   where a.kind is not null and a.amount is not null and a.currency is not null
     and a.wallet_id in (select w.id from wallets w where w.account_id = $1 and not w.is_test)
   group by 1, 2, 3, 4
   order by 1, 2, 3, 4`,
)

/** When the account's first credit came. Index: alerts_credits. */
export const firstCredit = scoped(
  'first_credit',
  { received_at: instant() },
  (scope: Scope) => [scope.accountId],
  (only) => `
  select c.received_at
    from alerts c
   where c.account_id = $1 and c.direction || '' = 'credit' and c.state <> 'duplicate' ${only('c.wallet_id')} ${only.today((day) => `c.id >= ${day.first}`)}
   order by c.id
   limit 1`,
)

/** Whether a real wallet has ever received money. Index: wallets_of_account; an account has few wallets. */
export const hasMoney = scoped(
  'has_money',
  { has_money: bool() },
  (scope: Scope) => [scope.accountId],
  (only) => `
  select exists (
    select from wallets w
     where w.account_id = $1 and not w.is_test and w.first_received_at is not null ${only('w.id')} ${only.everyDay()}) as has_money`,
)
