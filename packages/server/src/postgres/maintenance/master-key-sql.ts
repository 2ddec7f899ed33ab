import type { Instant } from '../../core/clock.ts'
import { at, bytes, instant, nullable, orNull, text, whole } from '../query/columns.ts'
import { noColumns, statement } from '../query/statement.ts'

export type StoredMasterKey = {
  readonly generation: number
  readonly check_value: Buffer
  readonly hash_key_sealed: Buffer
  readonly began_at: Instant
  readonly tokens_until: Instant
  readonly done_at: Instant | null
}

/** The newest generations first. Index: primary key; there is one row for each master key so far. */
export const readMasterKeys = statement(
  'read_master_keys',
  {
    generation: whole(),
    check_value: bytes(),
    hash_key_sealed: bytes(),
    began_at: instant(),
    tokens_until: instant(),
    done_at: nullable(instant()),
  },
  () => [],
  `select generation, check_value, hash_key_sealed, began_at, tokens_until, done_at
     from master_keys order by generation desc limit 20`,
)

/** If two transactions insert the same generation, the second fails. The caller has taken the lock of master keys. */
export const insertMasterKey = statement(
  'insert_master_key',
  noColumns,
  (key: StoredMasterKey) => [
    key.generation,
    key.check_value,
    key.hash_key_sealed,
    at(key.began_at),
    at(key.tokens_until),
    orNull(key.done_at),
  ],
  'insert into master_keys values ($1, $2, $3, $4, $5, $6)',
)

/** The key of keyed hashes becomes that of another cell. `tokens_until` is changed, so that running nodes read the row again. Index:
 *  primary key. */
export const replaceHashKey = statement(
  'replace_hash_key',
  noColumns,
  (generation: number, hashKeySealed: Buffer, now: Instant) => [generation, hashKeySealed, at(now)],
  'update master_keys set hash_key_sealed = $2, tokens_until = $3 where generation = $1',
)

/** Index: primary key. */
export const finishMasterKey = statement(
  'finish_master_key',
  noColumns,
  (generation: number, now: Instant) => [generation, at(now)],
  'update master_keys set done_at = $2 where generation = $1 and done_at is null',
)

/** Index: primary key. */
export const endTokensOfOldMasterKeys = statement(
  'end_tokens_of_old_master_keys',
  noColumns,
  (generation: number, now: Instant) => [generation, at(now)],
  'update master_keys set tokens_until = least(tokens_until, $2) where generation = $1',
)

/** Connections that only a running node of the service has. */
export const connectionsOfNodes = statement(
  'connections_of_nodes',
  { connections: whole() },
  () => [],
  `
  select count(*)::int as connections
    from pg_stat_activity
   where datname = current_database() and application_name in ('sanad shared', 'sanad sender', 'sanad notify')`,
)

/** A transaction id that is larger than that of every transaction that has written and not ended. */
export const nextTransaction = statement(
  'next_transaction',
  { id: text() },
  () => [],
  'select pg_snapshot_xmax(pg_current_snapshot())::text as id',
)

/** The oldest transaction that has written and not ended. */
export const oldestTransaction = statement(
  'oldest_transaction',
  { id: text() },
  () => [],
  'select pg_snapshot_xmin(pg_current_snapshot())::text as id',
)
