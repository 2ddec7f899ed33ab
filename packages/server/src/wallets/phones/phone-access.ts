/**
 * Creates phones, renews their credentials, and switches them on and off. A code, a token and a signing key are
 * returned once, to the user who asked for them. Other nodes know of every change within a second and a half; the
 * caller clears the cache of this one (phone-lookup.ts).
 */
import type { Instant } from '../../core/clock.ts'
import { type AccountId, newSecret, type PhoneId, randomId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import { fingerprint } from '../../core/seal.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { newPairingCode, pairingLife_ms, shownCode } from './pairing-code.ts'
import type { PhoneSecrets } from './phone-secrets.ts'
import {
  insertUnpairedPhone,
  replaceIngestAccess,
  replacePairing,
  replaceSigningKey,
  switchPhoneRow,
} from './phone-sql.ts'

/** `code`: as it is shown. */
export type Pairing = { readonly code: string; readonly until: Instant }

/**
 * Creates a phone, switched off until its first contact or until a user switches it on. `by`: the user who asked for the
 * code, as in the audit log; the owners are notified when the code is used.
 */
export const createPhone = async (
  db: Session,
  secrets: PhoneSecrets,
  accountId: AccountId,
  name: string,
  now: Instant,
  by = '',
): Promise<Pairing & { readonly id: PhoneId }> => {
  const id = randomId<PhoneId>()
  const code = newPairingCode()
  const until = now + pairingLife_ms
  const pairingHash = secrets.hashCode(code).whole
  await insertUnpairedPhone(db, { id, accountId, name, pairingHash, pairingUntil: until, by, now })
  return { id, code: shownCode(code), until }
}

/**
 * Creates a new code for a phone, which keeps its id and history. Its old secret stays valid until the new secret is used.
 * Undefined: there is no such phone.
 */
export const regenerateCode = async (
  db: Session,
  secrets: PhoneSecrets,
  scope: Scope,
  id: PhoneId,
  now: Instant,
  by = '',
): Promise<Pairing | undefined> => {
  const code = newPairingCode()
  const until = now + pairingLife_ms
  const changed = await replacePairing(db, scope, id, secrets.hashCode(code).whole, until, by)
  return changed.length === 0 ? undefined : { code: shownCode(code), until }
}

/** False: there is no such phone. */
export const switchPhone = async (db: Session, scope: Scope, id: PhoneId, on: boolean): Promise<boolean> =>
  (await switchPhoneRow(db, scope, id, on)).length > 0

export type IngestAccess = { readonly token: string; readonly signingKey: string | null }

/**
 * Creates a token for a forwarding app; the old one is no longer valid, and neither is a secret of the native protocol: a phone
 * reports in one way. `signingKey`: the key that the app created; null: the
 * app cannot sign; left out: a new key is created. `adapter`: the only app that may use the address; left out: the first one
 * that does (ingest-address.ts). Undefined: there is no such phone.
 */
export const renewIngestAccess = async (
  db: Session,
  secrets: PhoneSecrets,
  scope: Scope,
  id: PhoneId,
  now: Instant,
  signingKey: string | null = newSecret(),
  adapter = '',
): Promise<IngestAccess | undefined> => {
  const token = newSecret()
  const sealed = signingKey === null ? null : secrets.sealSigningKey(id, signingKey)
  const changed = await replaceIngestAccess(db, scope, id, fingerprint(token), sealed, adapter, now)
  return changed.length === 0 ? undefined : { token, signingKey }
}

/** Stores the key of an app that creates its own, which is known only after the token was entered in the app. False: there is no
 *  such phone. */
export const setSigningKey = async (
  db: Session,
  secrets: PhoneSecrets,
  scope: Scope,
  id: PhoneId,
  signingKey: string | null,
  now: Instant,
): Promise<boolean> => {
  const sealed = signingKey === null ? null : secrets.sealSigningKey(id, signingKey)
  return (await replaceSigningKey(db, scope, id, sealed, now)).length > 0
}
