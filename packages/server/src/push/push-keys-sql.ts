import type { Instant } from '../core/clock.ts'
import { at, bytes, text, uuid } from '../postgres/query/columns.ts'
import { noColumns, statement } from '../postgres/query/statement.ts'

/** Of two nodes that insert at once, one stores its pair: push_keys_only_one_key. */
export const insertPushKeys = statement(
  'insert_push_keys',
  noColumns,
  (keys: { readonly id: string; readonly publicKey: string; readonly privateSealed: Buffer }, now: Instant) => [
    keys.id,
    keys.publicKey,
    keys.privateSealed,
    at(now),
  ],
  `
  insert into push_keys (id, public_key, private_sealed, created_at) values ($1, $2, $3, $4)
  on conflict (only_one) do nothing`,
)

/** One row, or none before the first start. */
export const readPushKeys = statement(
  'read_push_keys',
  { id: uuid(), public_key: text(), private_sealed: bytes() },
  () => [],
  'select id, public_key, private_sealed from push_keys',
)

/** For a lost master key: the next start makes another pair. */
export const deletePushKeys = statement('delete_push_keys', noColumns, () => [], 'delete from push_keys')
