import type { PhoneId } from '../core/ids.ts'
import type { Scope } from '../core/scope.ts'
import { bool } from '../postgres/query/columns.ts'
import { scoped } from '../postgres/query/statement.ts'

/** Whether the phone ever reported an alert. Filter and order name only the phone, so that the planner uses alerts_of_device. */
export const phoneHasAlerts = scoped(
  'phone_has_alerts',
  { alerts: bool() },
  (scope: Scope, id: PhoneId) => [scope.accountId, id],
  `
  select (select a.id from alerts a where a.device_id = d.id order by a.id limit 1) is not null as alerts
    from devices d
   where d.account_id = $1 and d.id = $2`,
)
