import type { AccountId, PhoneId } from '../core/ids.ts'
import { bool } from '../postgres/query/columns.ts'
import { statement } from '../postgres/query/statement.ts'

/** Whether the phone ever reported an alert. Filter and order name only the phone, so that the planner uses alerts_of_device. */
export const phoneHasAlerts = statement(
  'phone_has_alerts',
  { alerts: bool() },
  (accountId: AccountId, id: PhoneId) => [accountId, id],
  `
  select (select a.id from alerts a where a.device_id = d.id order by a.id limit 1) is not null as alerts
    from devices d
   where d.account_id = $1 and d.id = $2`,
)
