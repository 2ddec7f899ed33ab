/**
 * Alerts that an index finds by what stands in them as a whole, newest first, however old they are: a list compares the texts of the
 * newest (alert-list-sql.ts).
 */
import type { AlertState } from '../../alerts/alert.ts'
import type { AlertId } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import type { Scope } from '../../core/scope.ts'
import { uuid } from '../../postgres/query/columns.ts'
import { type Only, scoped } from '../../postgres/query/statement.ts'
import { alertOfToday } from '../alert-today.ts'

/** The newest of each wallet's number, in the order of the index; then the newest of all. */
const newestOf = (only: Only, condition: string): string => `
  select found.id
    from (select distinct w.identity from wallets w where w.account_id = $1) as own
   cross join lateral (
          select a.id
            from alerts a
           where a.account_id = $1 and a.identity = own.identity and a.hidden <> 'stranger' and ${condition}
             ${only('a.wallet_id')} ${only.today(alertOfToday('a'))}
           order by a.id desc
           limit $3) as found
   order by found.id desc
   limit $3`

/** By the whole reference, in any spelling. Index: alerts_same_reference. */
export const alertsOfReference = scoped(
  'alerts_of_reference',
  { id: uuid<AlertId>() },
  (scope: Scope, keys: readonly string[], limit: number, states: readonly AlertState[]) => [
    scope.accountId,
    keys,
    limit,
    states,
  ],
  (only) =>
    newestOf(only, 'a.reference_key = any($2::text[]) and a.reference_key is not null and a.state = any($4::text[])'),
)

/** Money that belongs to no intent, by its exact amount. Index: alerts_unclaimed. */
export const unclaimedOfAmount = scoped(
  'unclaimed_of_amount',
  { id: uuid<AlertId>() },
  (scope: Scope, amount: Minor, limit: number) => [scope.accountId, String(amount), limit],
  (only) => newestOf(only, `a.amount = $2 and a.state in ('waiting', 'review', 'held', 'wrong_amount')`),
)
