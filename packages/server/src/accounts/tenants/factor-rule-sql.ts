import type { Instant } from '../../core/clock.ts'
import type { UserId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, instant, nullable, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'

const columns = { factor_rule_since: nullable(instant()), factor_grace_days: whole() }

/** Index: primary key. */
export const findFactorRule = scoped(
  'find_factor_rule',
  columns,
  (scope: Scope) => [scope.accountId],
  'select factor_rule_since, factor_grace_days from accounts where id = $1',
)

/** The same, with the row locked: of two owners who change the rule at once, the second sees the change of the first. */
export const lockFactorRule = scoped(
  'lock_factor_rule',
  columns,
  (scope: Scope) => [scope.accountId],
  'select factor_rule_since, factor_grace_days from accounts where id = $1 for no key update',
)

export const saveFactorRule = scoped(
  'save_factor_rule',
  noColumns,
  (scope: Scope, since: Instant | null, graceDays: number) => [
    scope.accountId,
    since === null ? null : at(since),
    graceDays,
  ],
  'update accounts set factor_rule_since = $2, factor_grace_days = $3 where id = $1',
)

/**
 * Whether a user has a second factor. Locks the user until the transaction ends: whoever removes the last factor waits, and then sees
 * the rule. Indexes: primary key, passkeys_of_user.
 */
export const lockOwnFactor = statement(
  'lock_own_factor',
  { has_factor: bool() },
  (userId: UserId) => [userId],
  `
  select u.totp_since is not null or exists (select from passkeys p where p.user_id = u.id) as has_factor
    from users u
   where u.id = $1
     for share`,
)
