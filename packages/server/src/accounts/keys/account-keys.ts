/**
 * The API keys of an account, as its owner manages them: listing, the limit of fifty keys that are not revoked, and changes
 * with the key before and after. key-secrets.ts creates, rotates and revokes.
 */

import type { Instant } from '../../core/clock.ts'
import type { ClientId, WalletId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import { lockAccount } from '../tenants/lock-account-sql.ts'
import { countKeys, limitKeyRow, listKeyRows, lockKeyRow, renameKeyRow } from './account-keys-sql.ts'
import { isLooser, type KeyLimits } from './key-limits.ts'
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
  readonly limits: KeyLimits
  /** The address of its last use; `''`: not known. */
  readonly lastAddress: string
  /** The calls of `day`, `YYYY-MM-DD` in the time zone of the account. */
  readonly calls: { readonly day: string; readonly count: number } | null
}

const keyOf = (row: Awaited<ReturnType<typeof listKeyRows>>[number]): AccountKey => ({
  clientId: row.client_id,
  name: row.name,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
  overlapUntil: row.previous_until,
  revokedAt: row.revoked_at,
  limits: {
    isTest: row.is_test,
    readOnly: row.read_only,
    wallets: row.wallets === null ? null : (JSON.parse(row.wallets) as WalletId[]),
    addresses: row.addresses === null ? null : (JSON.parse(row.addresses) as string[]),
  },
  lastAddress: row.last_address,
  calls: row.used_day === null ? null : { day: row.used_day, count: row.used_count },
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
  limits: KeyLimits,
  now: Instant,
): Promise<NewSecret | Refusal<'key_limit'>> => {
  await lockAccount(db, scope)
  const [count] = await countKeys(db, scope)
  if (count!.keys >= mostKeys) return refuse('key_limit')
  return createKey(db, scope.accountId, name, now, limits)
}

type KeyRefusal = 'key_revoked' | 'key_is_test' | 'confirmation_required'
type Changed<T> = { readonly before: AccountKey; readonly after: AccountKey } & T
type Change = <T>(
  tx: Tx,
  scope: Scope,
  id: string,
  act: (key: AccountKey) => Promise<T | Refusal<KeyRefusal>>,
) => Promise<Changed<{ readonly result: T }> | Refusal<'key_unknown' | KeyRefusal>>

/** Locks the key and runs `act`; returns the key before and after it. */
const changeKey: Change = async (tx, scope, id, act) => {
  const before = await lockKey(tx, scope, id)
  if (before === undefined) return refuse('key_unknown')
  const result = await act(before)
  if (typeof result === 'object' && result !== null && 'refused' in result) return result as Refusal<KeyRefusal>
  const after = await lockKey(tx, scope, id)
  return { before, after: after!, result }
}

/** What is left out stays as it is. */
export type KeyChanges = { readonly name?: string | undefined } & {
  readonly [Name in 'readOnly' | 'wallets' | 'addresses']?: KeyLimits[Name] | undefined
} & {
  /** The user has proved lately that it is them: a key may do more only then. */
  readonly proved: boolean
}

export const changeAccountKey = (tx: Tx, scope: Scope, id: string, changes: KeyChanges) =>
  changeKey<undefined>(tx, scope, id, async (key) => {
    const {
      name,
      readOnly = key.limits.readOnly,
      wallets = key.limits.wallets,
      addresses = key.limits.addresses,
    } = changes
    const limits = { ...key.limits, readOnly, wallets: key.limits.isTest ? key.limits.wallets : wallets, addresses }
    if (limits.isTest && changes.wallets !== undefined && changes.wallets !== null) return refuse('key_is_test')
    if (!changes.proved && isLooser(key.limits, limits)) return refuse('confirmation_required')
    if (name !== undefined) await renameKeyRow(tx, scope, key.clientId, name)
    await limitKeyRow(tx, scope, key.clientId, limits)
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
