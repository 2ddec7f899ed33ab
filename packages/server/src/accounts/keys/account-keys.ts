/**
 * The API keys of an account, as its owner manages them: listing, the limit of fifty keys that are not revoked, and changes
 * with the key before and after. key-secrets.ts creates, rotates and revokes.
 */

import type { Instant } from '../../core/clock.ts'
import type { ClientId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import { lockAccount } from '../tenants/lock-account-sql.ts'
import { countKeys, listKeyRows, lockKeyRow, renameKeyRow } from './account-keys-sql.ts'
import { createKey, type NewSecret, revokeKey, rotateKey } from './key-secrets.ts'

export const mostKeys = 50

export type AccountKey = {
  readonly clientId: ClientId
  readonly name: string
  readonly createdAt: Instant
  readonly lastUsedAt: Instant | null
  /** Until when the previous secret is valid; past or null: it is not. */
  readonly overlapUntil: Instant | null
  readonly revokedAt: Instant | null
}

const keyOf = (row: Awaited<ReturnType<typeof listKeyRows>>[number]): AccountKey => ({
  clientId: row.client_id,
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  overlapUntil: row.previous_until,
  revokedAt: row.revoked_at,
})

export const keysOf = async (
  db: Session,
  scope: Scope,
  after: readonly [name: string, clientId: string] = ['', ''],
  size: number,
): Promise<AccountKey[]> => (await listKeyRows(db, scope, after, size)).map(keyOf)

/** The key, locked until the transaction ends. */
export const lockKey = async (db: Session, scope: Scope, id: string): Promise<AccountKey | undefined> => {
  const [row] = await lockKeyRow(db, scope, id)
  return row && keyOf(row)
}

export const addKey = async (
  db: Session,
  scope: Scope,
  name: string,
  now: Instant,
): Promise<NewSecret | Refusal<'key_limit'>> => {
  await lockAccount(db, scope)
  const [count] = await countKeys(db, scope)
  return count!.keys >= mostKeys ? refuse('key_limit') : createKey(db, scope.accountId, name, now)
}

type Changed<T> = { readonly before: AccountKey; readonly after: AccountKey } & T
type Change = <T>(
  tx: Tx,
  scope: Scope,
  id: string,
  act: (key: AccountKey) => Promise<T | Refusal<'key_revoked'>>,
) => Promise<Changed<{ readonly result: T }> | Refusal<'key_unknown' | 'key_revoked'>>

/** Locks the key and runs `act`; returns the key before and after it. */
const changeKey: Change = async (tx, scope, id, act) => {
  const before = await lockKey(tx, scope, id)
  if (before === undefined) return refuse('key_unknown')
  const result = await act(before)
  if (typeof result === 'object' && result !== null && 'refused' in result) return result as Refusal<'key_revoked'>
  const after = await lockKey(tx, scope, id)
  return { before, after: after!, result }
}

export const renameAccountKey = (tx: Tx, scope: Scope, id: string, name: string) =>
  changeKey(tx, scope, id, async (key) => {
    await renameKeyRow(tx, scope, key.clientId, name)
    return undefined
  })

export const rotateAccountKey = (tx: Tx, scope: Scope, id: string, overlap_s: number, now: Instant) =>
  changeKey<NewSecret>(tx, scope, id, async (key) => {
    const secret = await rotateKey(tx, scope, key.clientId, overlap_s * 1000, now)
    return secret ?? refuse('key_revoked')
  })

/** Revoking a key again changes nothing. */
export const revokeAccountKey = (tx: Tx, scope: Scope, id: string, now: Instant) =>
  changeKey(tx, scope, id, async (key) => {
    await revokeKey(tx, scope, key.clientId, now)
    return undefined
  })
