import type { AccountId } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import { intentColumns, intentRow, withAlert } from '../../intents/intent-sql.ts'
import { instant, nullable, text, whole } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/**
 * The creator of an intent, when its reference was last attached, and its number of different references. Index: primary
 * key.
 */
export const originOfIntent = statement(
  'origin_of_intent',
  { created_by: text(), reference_at: nullable(instant()), tried: whole() },
  (accountId: AccountId, id: string) => [accountId, id],
  `select created_by, reference_at, cardinality(reference_keys) as tried from intents where account_id = $1 and id = $2`,
)

/** The newest intents of exactly this amount. Index: intents_payable. */
export const intentsOfAmount = statement(
  'intents_of_amount',
  intentColumns,
  (accountId: AccountId, amount: Minor, limit: number) => [accountId, String(amount), limit],
  `
  select ${intentRow}
    from intents i${withAlert}
   where i.account_id = $1 and i.payable = $2
   order by i.id desc
   limit $3`,
)
