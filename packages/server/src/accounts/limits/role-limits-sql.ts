import type { Scope } from '../../core/scope.ts'
import { bool, minor, nullable, text, units } from '../../postgres/query/columns.ts'
import { noColumns, scoped } from '../../postgres/query/statement.ts'
import type { Allowance, LimitedRole } from './role-limits.ts'

/** The limits of the roles that have a row. They belong to the whole account. Index: primary key. */
export const limitsOfRoles = scoped(
  'limits_of_roles',
  {
    role: text<LimitedRole>(),
    currency: text(),
    most_short: nullable(minor()),
    most_booked: nullable(minor()),
    cancels: bool(),
    takes_sales: bool(),
    sees_other_days: bool(),
  },
  (scope: Scope) => [scope.accountId],
  `select role, currency, most_short, most_booked, cancels, takes_sales, sees_other_days from role_limits where account_id = $1`,
)

/** The caller has locked the account. Index: primary key. */
export const saveRoleLimits = scoped(
  'save_role_limits',
  noColumns,
  (scope: Scope, role: LimitedRole, allowed: Allowance) => [
    scope.accountId,
    role,
    allowed.currency,
    units(allowed.short),
    units(allowed.booked),
    allowed.cancels,
    allowed.takesSales,
    allowed.seesOtherDays,
  ],
  `
  insert into role_limits (account_id, role, currency, most_short, most_booked, cancels, takes_sales, sees_other_days)
  values ($1, $2, $3, $4, $5, $6, $7, $8)
  on conflict (account_id, role) do update
     set currency = excluded.currency, most_short = excluded.most_short, most_booked = excluded.most_booked,
         cancels = excluded.cancels, takes_sales = excluded.takes_sales,
         sees_other_days = excluded.sees_other_days`,
)
