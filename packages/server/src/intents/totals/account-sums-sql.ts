import type { Scope } from '../../core/scope.ts'
import { jsonText } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'

/** What an account has of intents, by wallet and status: how many, what was asked, and what arrived instead. As one text, because it is
 *  only compared with that of a copy. Reads all intents of the account. */
export const accountSums = scoped(
  'account_sums',
  { sums: jsonText() },
  (scope: Scope) => [scope.accountId],
  (only) => `
  select coalesce(json_agg(s), '[]') as sums
    from (select wallet_id, status, count(*) as n, sum(payable) as asked, sum(coalesce(arrived, paid, 0)) as other
            from intents
           where account_id = $1 ${only('wallet_id')} ${only.everyDay()}
           group by 1, 2
           order by 1, 2) as s`,
)
