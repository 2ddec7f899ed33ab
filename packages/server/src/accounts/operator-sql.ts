import type { UserId } from '../ground/ids.ts'
import { text, uuid } from '../postgres/columns.ts'
import { statement } from '../postgres/statement.ts'

/** Nothing comes back where nobody has the address, or nothing changes. Index: users_email_key. */
export const setOperator = statement(
  'set_operator',
  { id: uuid<UserId>() },
  (email: string, operator: boolean) => [email, operator],
  `update users set operator = $2 where email = $1 and operator <> $2 returning id`,
)

/** At most 1,000. */
export const operatorsNow = statement(
  'operators_now',
  { id: uuid<UserId>(), email: text(), name: text() },
  () => [],
  `select id, email, name from users where operator and disabled_at is null order by email limit 1000`,
)
