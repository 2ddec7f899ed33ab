import type { AccountId } from '../../core/ids.ts'
import { nullable, text, whole } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/** The time zone and the monthly quota of an account. Index: primary key. */
export const findAccountTerms = statement(
  'find_account_terms',
  { time_zone: text(), monthly_intent_quota: nullable(whole()) },
  (accountId: AccountId) => [accountId],
  `select time_zone, monthly_intent_quota from accounts where id = $1`,
)
