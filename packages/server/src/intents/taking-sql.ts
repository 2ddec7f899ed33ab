import type { Instant } from '../core/clock.ts'
import type { AccountId, AlertId, UserId } from '../core/ids.ts'
import type { Scope } from '../core/scope.ts'
import { at } from '../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../postgres/query/statement.ts'

export type Taking = {
  readonly accountId: AccountId
  readonly alertId: AlertId
  readonly userId: UserId
  readonly at: Instant
}

/** Stores which member took a payment. The first one stays. Index: primary key. */
export const storeTaking = statement(
  'store_taking',
  noColumns,
  (taking: Taking) => [taking.accountId, taking.alertId, taking.userId, at(taking.at)],
  `
  insert into takings (account_id, alert_id, user_id, at) values ($1, $2, $3, $4)
      on conflict (account_id, alert_id) do nothing`,
)

/** A sale is undone: nobody took its money. The caller has locked the alert. Index: primary key. */
export const deleteTaking = scoped(
  'delete_taking',
  noColumns,
  (scope: Scope, alertId: AlertId) => [scope.accountId, alertId],
  `delete from takings where account_id = $1 and alert_id = $2`,
)
