/**
 * Creates, rotates and revokes API keys. A secret is returned once, to the user who asked for it; only its hash is
 * stored.
 */
import type { Instant } from '../../core/clock.ts'
import { type AccountId, type ClientId, newClientId, newSecret } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { fingerprint } from '../../core/seal.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { insertKey, replaceSecret, revokeKeyRow } from './api-key-sql.ts'
import { type KeyLimits, noLimits } from './key-limits.ts'

export type NewSecret = { readonly clientId: ClientId; readonly clientSecret: string }

export const createKey = async (
  db: Session,
  accountId: AccountId,
  name: string,
  now: Instant,
  limits: KeyLimits = noLimits,
): Promise<NewSecret> => {
  const key = { clientId: newClientId(limits.isTest), clientSecret: newSecret() }
  const secretHash = fingerprint(key.clientSecret)
  await insertKey(db, { clientId: key.clientId, accountId, name, secretHash, limits, now })
  return key
}

/** Undefined: there is no such key, or it is revoked. */
export const rotateKey = async (
  db: Session,
  scope: Scope,
  id: ClientId,
  overlap_ms: number,
  now: Instant,
): Promise<NewSecret | undefined> => {
  const clientSecret = newSecret()
  const rows = await replaceSecret(db, scope, id, fingerprint(clientSecret), now + overlap_ms)
  return rows.length === 0 ? undefined : { clientId: id, clientSecret }
}

export const revokeKey = async (db: Session, scope: Scope, id: ClientId, now: Instant): Promise<boolean> =>
  (await revokeKeyRow(db, scope, id, now)).length > 0
