import type { Minor } from '../../core/money.ts'
import type { Scope } from '../../core/scope.ts'
import { intentColumns, intentRow, withAlert } from '../../intents/intent-sql.ts'
import { instant, nullable, text, whole } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'

/**
 * The creator of an intent, when its reference was last attached, and its number of different references. Index: primary
 * key.
 */
export const originOfIntent = scoped(
  'origin_of_intent',
  { created_by: text(), reference_at: nullable(instant()), tried: whole() },
  (scope: Scope, id: string) => [scope.accountId, id],
  `select created_by, reference_at, cardinality(reference_keys) as tried from intents where account_id = $1 and id = $2`,
)

/** The newest intents of exactly this amount. Index: intents_payable. */
export const intentsOfAmount = scoped(
  'intents_of_amount',
  intentColumns,
  (scope: Scope, amount: Minor, limit: number) => [scope.accountId, String(amount), limit],
  `
  select ${intentRow}
    from intents i${withAlert}
   where i.account_id = $1 and i.payable = $2
   order by i.id desc
   limit $3`,
)
