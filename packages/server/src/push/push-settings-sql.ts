import type { Instant } from '../core/clock.ts'
import type { AccountId, UserId } from '../core/ids.ts'
import { at, jsonText, nullable, whole } from '../postgres/query/columns.ts'
import { noColumns, statement } from '../postgres/query/statement.ts'
import type { PushKind } from './push-kind.ts'

const columns = { kinds: jsonText(), quiet_from: nullable(whole()), quiet_until: nullable(whole()) }
const fields = 'array_to_json(kinds) as kinds, quiet_from, quiet_until'

/** Index: primary key. */
export const readSettings = statement(
  'read_settings',
  columns,
  (accountId: AccountId, userId: UserId) => [accountId, userId],
  `select ${fields} from push_settings where account_id = $1 and user_id = $2`,
)

/** Creates the row of a member who has none, and locks it. One request of a member at a time changes settings or devices. */
export const lockSettings = statement(
  'lock_settings',
  columns,
  (accountId: AccountId, userId: UserId, kinds: readonly PushKind[]) => [accountId, userId, kinds],
  `
  insert into push_settings (account_id, user_id, kinds) values ($1, $2, $3)
  on conflict (account_id, user_id) do update set user_id = excluded.user_id
  returning ${fields}`,
)

/** Index: primary key. */
export const saveSettings = statement(
  'save_settings',
  noColumns,
  (
    accountId: AccountId,
    userId: UserId,
    kinds: readonly PushKind[],
    quiet: { readonly from: number; readonly until: number } | null,
  ) => [accountId, userId, kinds, quiet?.from ?? null, quiet?.until ?? null],
  `
  update push_settings set kinds = $3, quiet_from = $4, quiet_until = $5
   where account_id = $1 and user_id = $2`,
)

/** Of a member who never subscribed there is no row, and nothing to store. Index: primary key. */
export const markCounterOpen = statement(
  'mark_counter_open',
  noColumns,
  (accountId: AccountId, userId: UserId, until: Instant) => [accountId, userId, at(until)],
  `
  update push_settings set counter_until = greatest(counter_until, $3)
   where account_id = $1 and user_id = $2`,
)

/** The member has closed the counter screen. Index: primary key. */
export const markCounterClosed = statement(
  'mark_counter_closed',
  noColumns,
  (accountId: AccountId, userId: UserId) => [accountId, userId],
  'update push_settings set counter_until = null where account_id = $1 and user_id = $2 and counter_until is not null',
)
