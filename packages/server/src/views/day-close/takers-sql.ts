import type { ShiftId, UserId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { instant, nullable, text, uuid } from '../../postgres/query/columns.ts'
import { scoped } from '../../postgres/query/statement.ts'

/** Users who took money in the account, each with those of the named shifts that are theirs. Indexes: primary keys. */
export const takersOf = scoped(
  'takers_of',
  {
    user_id: uuid<UserId>(),
    name: text(),
    email: text(),
    shift_id: nullable(uuid<ShiftId>()),
    started_at: nullable(instant()),
  },
  (scope: Scope, userIds: readonly string[], shiftIds: readonly string[]) => [scope.accountId, userIds, shiftIds],
  `
  select u.id as user_id, u.name, coalesce(u.email, '') as email, s.id as shift_id, s.started_at
    from users u
    left join shifts s on s.account_id = $1 and s.id = any($3::uuid[]) and s.user_id = u.id
   where u.id = any($2::uuid[])`,
)
