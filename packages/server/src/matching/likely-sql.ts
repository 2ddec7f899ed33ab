import type { AccountId, IntentId } from '../ground/ids.ts'
import { instant, minor, text, uuid } from '../postgres/columns.ts'
import { statement } from '../postgres/statement.ts'

/**
 * Intents near an unmatched alert in time, on its wallet: two hours before it to ten minutes after, at most 50, nearest
 * first. Index: intents_wallet.
 */
export const intentsNear = statement(
  'intents_near',
  {
    id: uuid<IntentId>(),
    code: text(),
    external_order_id: text(),
    reference: text(),
    status: text(),
    payable: minor(),
    created_at: instant(),
    expires_at: instant(),
  },
  (accountId: AccountId, alertId: string, firstId: string, lastId: string) => [accountId, alertId, firstId, lastId],
  `
  select i.id, i.code, i.external_order_id, i.reference, i.status, i.payable, i.created_at, i.expires_at
    from alerts a
    join intents i on i.account_id = a.account_id and i.wallet_id = a.wallet_id
   where a.account_id = $1 and a.id = $2 and i.id >= $3 and i.id < $4
     and i.status in ('PENDING', 'EXPIRED')
   order by (i.payable = a.amount) desc, abs(extract(epoch from i.created_at - a.received_at)), i.id
   limit 50`,
)
