import type { IntentId, WalletId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { arrivalColumns, arrivalRow } from '../../intents/arrival-sql.ts'
import type { Status } from '../../intents/intent.ts'
import { bool, instant, minor, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'

/** The intents that were verified last, with their payers. Index: intents_verified, then primary keys, `limit` of each. */
export const lastPayments = scoped(
  'last_payments',
  {
    id: uuid<IntentId>(),
    code: text(),
    external_order_id: text(),
    status: text<Status>(),
    payable: minor(),
    ...arrivalColumns,
    currency: text(),
    manual: bool(),
    verified_at: instant(),
    wallet_id: uuid<WalletId>(),
    wallet_name: text(),
    wallet_is_test: bool(),
    payer: nullable(text()),
  },
  (scope: Scope, limit: number) => [scope.accountId, limit],
  (only) => `
  select i.id, i.code, i.external_order_id, i.status, i.payable, ${arrivalRow('i')}, i.currency, i.manual, i.verified_at, i.wallet_id,
         w.name as wallet_name, w.is_test as wallet_is_test, a.payer
    from (select * from intents v
           where v.account_id = $1 and v.verified_at is not null ${only('v.wallet_id')}
           order by v.verified_at desc, v.id desc
           limit $2) as i
    join wallets w on w.account_id = i.account_id and w.id = i.wallet_id
    left join alerts a on a.account_id = i.account_id and a.id = i.alert_id
   order by i.verified_at desc, i.id desc`,
)
