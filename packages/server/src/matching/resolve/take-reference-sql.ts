import { ownsReference } from '../../alerts/reference-owner-sql.ts'
import type { AlertId, IntentId, WalletIdentity } from '../../core/ids.ts'
import { nullable, text, uuid } from '../../postgres/query/columns.ts'
import { onlyRow, statement } from '../../postgres/query/statement.ts'

/** The alert that owns a reference of the real wallet and is spent, with the payment code of its intent. The caller has locked the
 *  reference. Index: alerts_reference, primary key of intents. */
export const spentOnReference = statement(
  'spent_on_reference',
  { id: uuid<AlertId>(), intent_id: nullable(uuid<IntentId>()), code: nullable(text()) },
  (identity: WalletIdentity, referenceKey: string) => [identity, referenceKey],
  `
  select m.id, m.intent_id, i.code
    from (select * from alerts m
           where m.reference_key is not null and ${ownsReference('m')}
             and ${onlyRow('m.identity = $1', 'm.reference_key', '$2::text')}) as m
    left join intents i on i.account_id = m.account_id and i.id = m.intent_id
   where m.state in ('matched', 'booked')`,
)
