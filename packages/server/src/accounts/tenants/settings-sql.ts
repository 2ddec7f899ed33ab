import type { Instant } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import { at, instant, nullable, text, uuid, whole } from '../../postgres/query/columns.ts'
import { noColumns, statement } from '../../postgres/query/statement.ts'
import { isNotFrozen } from '../../postgres/tenancy/freeze-sql.ts'

export const settingsColumns = {
  id: uuid<AccountId>(),
  name: text(),
  status: text<'ACTIVE' | 'SUSPENDED'>(),
  time_zone: text(),
  country: text(),
  monthly_intent_quota: nullable(whole()),
  created_at: instant(),
}

const settings = 'id, name, status, time_zone, country, monthly_intent_quota, created_at'

/** Index: primary key. */
export const findAccountSettings = statement(
  'find_account_settings',
  settingsColumns,
  (id: AccountId) => [id],
  `select ${settings} from accounts where id = $1`,
)

/** The same, with the row locked until the transaction ends, so that the audit entry shows exactly this change. */
export const lockAccountSettings = statement(
  'lock_account_settings',
  settingsColumns,
  (id: AccountId) => [id],
  `select ${settings} from accounts where id = $1 for no key update`,
)

/** Null leaves a setting as it is. */
export const saveAccountSettings = statement(
  'save_account_settings',
  settingsColumns,
  (
    id: AccountId,
    changed: {
      name?: string | undefined
      timeZone?: string | undefined
      country?: string | undefined
      status?: string
    },
  ) => [id, changed.name ?? null, changed.timeZone ?? null, changed.status ?? null, changed.country ?? null],
  `
  update accounts
     set name = coalesce($2, name), time_zone = coalesce($3, time_zone), status = coalesce($4, status),
         country = coalesce($5, country)
   where id = $1
  returning ${settings}`,
)

export const markSuspended = statement(
  'mark_suspended',
  noColumns,
  (id: AccountId, now: Instant) => [id, at(now)],
  'update accounts set suspended_at = $2 where id = $1',
)

/** Marks the account for release: its alerts held since this suspension, or since an earlier one that was not released yet. */
export const markResumed = statement(
  'mark_resumed',
  noColumns,
  (id: AccountId) => [id],
  `
  update accounts set release_since = coalesce(release_since, suspended_at), suspended_at = null
   where id = $1`,
)

/** An active account whose held alerts are to be released. Index: accounts_to_release. */
export const accountToRelease = statement(
  'account_to_release',
  { id: uuid<AccountId>(), release_since: instant() },
  () => [],
  `
  select id, release_since from accounts
   where release_since is not null and status = 'ACTIVE' and ${isNotFrozen('id')}
   order by id
   limit 1`,
)

/** Changes nothing if the account was suspended again meanwhile: then more alerts must be released later. */
export const markReleased = statement(
  'mark_released',
  noColumns,
  (id: AccountId, since: Instant) => [id, at(since)],
  `update accounts set release_since = null where id = $1 and release_since = $2 and status = 'ACTIVE'`,
)
