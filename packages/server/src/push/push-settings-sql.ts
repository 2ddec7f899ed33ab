import type { Instant } from '../core/clock.ts'
import type { UserId } from '../core/ids.ts'
import type { Scope } from '../core/scope.ts'
import { at, jsonText, nullable, whole } from '../postgres/query/columns.ts'
import { noColumns, scoped } from '../postgres/query/statement.ts'
import type { PushKind } from './push-kind.ts'

const columns = { kinds: jsonText(), quiet_from: nullable(whole()), quiet_until: nullable(whole()) }
const fields = 'array_to_json(kinds) as kinds, quiet_from, quiet_until'

/** Index: primary key. */
export const readSettings = scoped(
  'read_settings',
  columns,
  (scope: Scope, userId: UserId) => [scope.accountId, userId],
  `select ${fields} from push_settings where account_id = $1 and user_id = $2`,
)

/** Creates the row of a member who has none, and locks it. One request of a member at a time changes settings or devices. */
export const lockSettings = scoped(
  'lock_settings',
  columns,
  (scope: Scope, userId: UserId, kinds: readonly PushKind[]) => [scope.accountId, userId, kinds],
  `
  insert into push_settings (account_id, user_id, kinds) values ($1, $2, $3)
  on conflict (account_id, user_id) do update set user_id = excluded.user_id
  returning ${fields}`,
)

/** Index: primary key. */
export const saveSettings = scoped(
  'save_settings',
  noColumns,
  (
    scope: Scope,
    userId: UserId,
    kinds: readonly PushKind[],
    quiet: { readonly from: number; readonly until: number } | null,
  ) => [scope.accountId, userId, kinds, quiet?.from ?? null, quiet?.until ?? null],
  `
  update push_settings set kinds = $3, quiet_from = $4, quiet_until = $5
   where account_id = $1 and user_id = $2`,
)

/** Of a member who never subscribed there is no row, and nothing to store. Index: primary key. */
export const markCounterOpen = scoped(
  'mark_counter_open',
  noColumns,
  (scope: Scope, userId: UserId, until: Instant) => [scope.accountId, userId, at(until)],
  `
  update push_settings set counter_until = greatest(counter_until, $3)
   where account_id = $1 and user_id = $2`,
)

/** The member has closed the counter screen. Index: primary key. */
export const markCounterClosed = scoped(
  'mark_counter_closed',
  noColumns,
  (scope: Scope, userId: UserId) => [scope.accountId, userId],
  'update push_settings set counter_until = null where account_id = $1 and user_id = $2 and counter_until is not null',
)
