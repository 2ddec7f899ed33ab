import { whole } from '../postgres/query/columns.ts'
import { statement } from '../postgres/query/statement.ts'

/**
 * How many connections PostgreSQL allows, and how many are open by others than the service (its nodes' names begin with "sanad").
 * Without the right to see others' names, those count as others only if they are of another user.
 */
export const databaseRoom = statement(
  'database_room',
  { max: whole(), reserved: whole(), others: whole() },
  () => [],
  `
  select current_setting('max_connections')::int as max,
         current_setting('superuser_reserved_connections')::int
           + coalesce(current_setting('reserved_connections', true), '0')::int as reserved,
         (select count(*)::int from pg_stat_activity
           where backend_type = 'client backend'
             and (usename is distinct from current_user or application_name not like 'sanad%')) as others`,
)
