import type { AccountId, DeviceId } from '../ground/ids.ts'
import { bool, instant, nullable, text, uuid } from '../postgres/columns.ts'
import { type RowOf, statement } from '../postgres/statement.ts'

const columns = {
  id: uuid<DeviceId>(),
  name: text(),
  switched_on: bool(),
  last_seen_at: nullable(instant()),
  last_alert_at: nullable(instant()),
}

export type PhonePulse = RowOf<typeof columns>

/** When the phones that watch an account's wallets were heard last. Index: wallets_of_account, primary key. */
export const phonePulses = statement(
  'phone_pulses',
  columns,
  (accountId: AccountId) => [accountId],
  `
  select d.id, d.name, d.switched_on, d.last_seen_at, d.last_alert_at
    from devices d
   where d.account_id = $1 and d.id in (select w.device_id from wallets w where w.account_id = $1 limit 1000)`,
)
