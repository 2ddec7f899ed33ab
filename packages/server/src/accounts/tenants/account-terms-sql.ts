import type { Scope } from '../../core/scope.ts'
import { nullable, text, whole } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'

/** The time zone and the monthly quota of an account. Index: primary key. */
export const findAccountTerms = scoped(
  'find_account_terms',
  { time_zone: text(), monthly_intent_quota: nullable(whole()) },
  (scope: Scope) => [scope.accountId],
  `select time_zone, monthly_intent_quota from accounts where id = $1`,
)
