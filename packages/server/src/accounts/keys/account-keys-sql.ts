import type { Instant } from '../../core/clock.ts'
import type { ClientId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, instant, nullable, text, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'

const columns = {
  client_id: text<ClientId>(),
  name: text(),
  created_at: instant(),
  last_used_at: nullable(instant()),
  previous_until: nullable(instant()),
  revoked_at: nullable(instant()),
}
const fields = 'client_id, name, created_at, last_used_at, previous_until, revoked_at'

/** Keys without the hashes of their secrets; a page in the order of names, after a given key. Index: api_keys_of_account. */
export const listKeyRows = scoped(
  'list_key_rows',
  columns,
  (scope: Scope, after: readonly [name: string, clientId: string], limit: number) => [scope.accountId, ...after, limit],
  `
  select ${fields} from api_keys
   where account_id = $1 and (name collate "C", client_id collate "C") > ($2::text collate "C", $3::text collate "C")
   order by name collate "C", client_id collate "C"
   limit $4`,
)

/** Locks the key until the transaction ends: of two rotations at once, the second sees the first. Index: primary key. */
export const lockKeyRow = scoped(
  'lock_key_row',
  columns,
  (scope: Scope, clientId: string) => [scope.accountId, clientId],
  `select ${fields} from api_keys where account_id = $1 and client_id = $2 for no key update`,
)

/** Keys that are not revoked. Index: api_keys_of_account. */
export const countKeys = scoped(
  'count_keys',
  { keys: whole() },
  (scope: Scope) => [scope.accountId],
  `select count(*)::int as keys from api_keys where account_id = $1 and revoked_at is null`,
)

export const renameKeyRow = scoped(
  'rename_key_row',
  noColumns,
  (scope: Scope, clientId: ClientId, name: string) => [scope.accountId, clientId, name],
  `update api_keys set name = $3 where account_id = $1 and client_id = $2`,
)

/**
 * Marks many keys at once, of any account: each was authenticated. They are locked in the order of their ids, so that two
 * nodes cannot deadlock. Index: primary key.
 */
export const markKeysUsed = statement(
  'mark_keys_used',
  noColumns,
  (uses: readonly (readonly [ClientId, Instant])[]) => [uses.map(([id]) => id), uses.map(([, used]) => at(used))],
  `
  update api_keys k set last_used_at = greatest(k.last_used_at, held.used)
    from (select o.client_id, u.used
            from unnest($1::text[], $2::timestamptz[]) as u (client_id, used)
            join api_keys o on o.client_id = u.client_id
           order by o.client_id
             for no key update of o) as held
   where k.client_id = held.client_id`,
)
