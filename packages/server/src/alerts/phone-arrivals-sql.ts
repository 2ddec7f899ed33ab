import type { AlertId, PhoneId } from '../core/ids.ts'
import type { Scope } from '../core/scope.ts'
import { instant, uuid } from '../postgres/query/columns.ts'
import { scoped } from '../postgres/query/statement.ts'

/** When the alerts of a phone after a given one arrived, oldest first. The filter names only the phone, so that the planner
 *  uses alerts_of_device. */
export const phoneArrivalsAfter = scoped(
  'phone_arrivals_after',
  { id: uuid<AlertId>(), received_at: instant() },
  (scope: Scope, phoneId: PhoneId, after: string, limit: number) => [scope.accountId, phoneId, after, limit],
  `
  select a.id, a.received_at
    from alerts a
   where a.device_id = (select d.id from devices d where d.account_id = $1 and d.id = $2) and a.id > $3
   order by a.id
   limit $4`,
)
