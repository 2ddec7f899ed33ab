import { checkoutOfToday } from '../../checkouts/checkout-today.ts'
import type { CheckoutId } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import type { Scope } from '../../core/scope.ts'
import { intentColumns, intentRow, withAlert } from '../../intents/intent-sql.ts'
import { intentOfToday } from '../../intents/intent-today.ts'
import { bool, instant, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'

/**
 * The creator of an intent, its checkout, when its reference was last attached, its number of different references, and whether it
 * is a sale of walk-in money. Index: primary key, checkout_intents_account_id_intent_id_key, counter_sales_intent.
 */
export const originOfIntent = scoped(
  'origin_of_intent',
  {
    created_by: text(),
    checkout_id: nullable(uuid<CheckoutId>()),
    reference_at: nullable(instant()),
    tried: whole(),
    is_sale: bool(),
  },
  (scope: Scope, id: string) => [scope.accountId, id],
  (only) => `
  select i.created_by, c.id as checkout_id, i.reference_at, cardinality(i.reference_keys) as tried,
         exists (select from counter_sales s where s.account_id = i.account_id and s.intent_id = i.id) as is_sale
    from intents i
    left join checkout_intents l on l.account_id = i.account_id and l.intent_id = i.id
    left join checkouts c on c.account_id = l.account_id and c.id = l.checkout_id ${only.all('c.wallets')} ${only.today(checkoutOfToday('c'))}
   where i.account_id = $1 and i.id = $2 ${only('i.wallet_id')} ${only.today(intentOfToday('i'))}`,
)

/** The newest intents of exactly this amount. Index: intents_payable. */
export const intentsOfAmount = scoped(
  'intents_of_amount',
  intentColumns,
  (scope: Scope, amount: Minor, limit: number) => [scope.accountId, String(amount), limit],
  (only) => `
  select ${intentRow}
    from intents i${withAlert}
   where i.account_id = $1 and i.payable = $2 ${only('i.wallet_id')} ${only.today(intentOfToday('i'))}
   order by i.id desc
   limit $3`,
)
