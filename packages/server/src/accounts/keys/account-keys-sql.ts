import type { Instant } from '../../core/clock.ts'
import type { ClientId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { at, bool, instant, jsonText, nullable, text, whole } from '../../postgres/query/columns.ts'
import { noColumns, scoped, statement } from '../../postgres/query/statement.ts'
import { isNotFrozen } from '../../postgres/tenancy/freeze-sql.ts'
import type { KeyLimits } from './key-limits.ts'

const columns = {
  client_id: text<ClientId>(),
  name: text(),
  created_at: instant(),
  last_used_at: nullable(instant()),
  previous_until: nullable(instant()),
  revoked_at: nullable(instant()),
  is_test: bool(),
  read_only: bool(),
  wallets: nullable(jsonText()),
  addresses: nullable(jsonText()),
  last_address: text(),
  used_day: nullable(text()),
  used_count: whole(),
}
const fields = `client_id, name, created_at, last_used_at, previous_until, revoked_at, is_test, read_only,
         array_to_json(wallets) as wallets, array_to_json(addresses) as addresses, last_address, used_day::text, used_count`

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

/** Its mode, live or test, does not change. */
export const limitKeyRow = scoped(
  'limit_key_row',
  noColumns,
  (scope: Scope, clientId: ClientId, limits: KeyLimits) => [
    scope.accountId,
    clientId,
    limits.readOnly,
    limits.wallets,
    limits.addresses,
  ],
  `update api_keys set read_only = $3, wallets = $4, addresses = $5 where account_id = $1 and client_id = $2`,
)

/** The uses of a key since they were last stored. */
export type KeyUses = {
  readonly clientId: ClientId
  readonly last: Instant
  readonly address: string
  readonly count: number
}

/**
 * Marks many keys at once, of any account: each was authenticated. The calls of a day are counted by the day of the account's time
 * zone ($5 where it has none). They are locked in the order of their ids, so that two
 * nodes cannot deadlock. Index: primary key.
 */
export const markKeysUsed = statement(
  'mark_keys_used',
  noColumns,
  (uses: readonly KeyUses[], zone: string) => [
    uses.map(({ clientId }) => clientId),
    uses.map(({ last }) => at(last)),
    uses.map(({ address }) => address),
    uses.map(({ count }) => count),
    zone,
  ],
  `
  update api_keys k
     set last_used_at = greatest(k.last_used_at, held.used),
         last_address = case when held.used >= k.last_used_at or k.last_used_at is null then held.address else k.last_address end,
         used_count   = case when k.used_day is null or held.day > k.used_day then held.count
                             when held.day = k.used_day then least(k.used_count::bigint + held.count, 2147483647)::int
                             else k.used_count end,
         used_day     = greatest(k.used_day, held.day)
    from (select o.client_id, u.used, u.address, u.count,
                 (u.used at time zone coalesce(nullif(a.time_zone, ''), $5::text))::date as day
            from unnest($1::text[], $2::timestamptz[], $3::text[], $4::int[]) as u (client_id, used, address, count)
            join api_keys o on o.client_id = u.client_id
            join accounts a on a.id = o.account_id
           where ${isNotFrozen('o.account_id')}
           order by o.client_id
             for no key update of o) as held
   where k.client_id = held.client_id`,
)
