import type { UserId } from '../../core/ids.ts'
import { text, uuid } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/** The users who may act as operators in the dashboard; at most 1,000. */
export const listOperators = statement(
  'operators_now',
  { id: uuid<UserId>(), email: text(), name: text() },
  () => [],
  `select id, email, name from users where operator and disabled_at is null order by email limit 1000`,
)
