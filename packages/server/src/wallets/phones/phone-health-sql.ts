import type { PhoneId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { bool, instant, jsonText, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { type RowOf, scoped } from '../../postgres/query/statement.ts'
import { signsColumns, signsFields } from '../silence/silence-sql.ts'

const columns = {
  id: uuid<PhoneId>(),
  name: text(),
  switched_on: bool(),
  ...signsColumns,
  last_alert_at: nullable(instant()),
  /** A JSON list of ids. */
  wallet_ids: jsonText(),
}

export type PhoneHealth = RowOf<typeof columns>

/**
 * When the phones that watch an account's wallets were last seen, and which wallets each watches. Index:
 * wallets_of_account, primary keys.
 */
export const phonesHealth = scoped(
  'phones_health',
  columns,
  (scope: Scope) => [scope.accountId],
  `
  with watched as (
    select id, device_id from wallets where account_id = $1 limit 1000),
  bound as (
    select device_id, id as wallet_id from watched where device_id is not null
    union
    select f.device_id, f.wallet_id from watched w join wallet_phones f on f.account_id = $1 and f.wallet_id = w.id)
  select d.id, d.name, d.switched_on, ${signsFields()}, d.last_alert_at, b.wallet_ids
    from (select device_id, json_agg(wallet_id) as wallet_ids from bound group by device_id) as b
    join devices d on d.account_id = $1 and d.id = b.device_id
    left join phone_rhythms r on r.account_id = d.account_id and r.device_id = d.id`,
)
