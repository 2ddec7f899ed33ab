import type { UserId } from '../../core/ids.ts'
import { bool, text, uuid, whole } from '../../postgres/query/columns.ts'
import { statement } from '../../postgres/query/statement.ts'

/** The users who may act as operators in the dashboard; at most 1,000. */
export const listOperators = statement(
  'list_operators',
  { id: uuid<UserId>(), email: text(), name: text(), proved: bool() },
  () => [],
  `
  select id, email, name, proved_at is not null as proved
    from users where operator and disabled_at is null order by email limit 1000`,
)

/** Operators from before addresses were proved. Reads the whole table; called once at the start. */
export const countUnprovedOperators = statement(
  'count_unproved_operators',
  { operators: whole() },
  () => [],
  `select count(*)::int as operators from users where operator and disabled_at is null and proved_at is null`,
)
