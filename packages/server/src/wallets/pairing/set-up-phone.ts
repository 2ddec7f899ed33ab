/**
 * The session of the set-up page. A pairing code opens it, once. Its token is 32 random bytes, stored hashed. The session
 * ends after an hour, or when another code of the phone is used. It may create access for an app at most ten times; each
 * new access replaces the one before. The callers open the transactions, and clear the cached phone after them.
 */
import type { Instant } from '../../core/clock.ts'
import { newSecret } from '../../core/ids.ts'
import { type Scope, wholeAccount } from '../../core/scope.ts'
import { fingerprint } from '../../core/seal.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import { findPhone } from '../phones/account-phones-sql.ts'
import { type IngestAccess, type Pairing, regenerateCode, renewIngestAccess } from '../phones/phone-access.ts'
import type { PhoneSecrets } from '../phones/phone-secrets.ts'
import { mostAccesses, type SetupApp, type SetupSession, setupLife_ms } from '../phones/phone-setup.ts'
import { findCodeOwner, notifyCodeUsed, type RequireHere } from './pair-phone.ts'
import { chooseAppRow, clearPairing, countSetupAccess, findSetupByToken, openSetupRow } from './phone-setup-sql.ts'

/** `model`: the phone's model, as its browser sends it. `token`: chosen by the page. Undefined: the code is not valid. */
export const openSetup = async (
  tx: Tx,
  secrets: PhoneSecrets,
  typed: string,
  model: string,
  now: Instant,
  requireHere: RequireHere,
  token: string = newSecret(),
): Promise<(SetupKey & { readonly until: Instant }) | undefined> => {
  const owner = await findCodeOwner(tx, secrets, typed, now, requireHere)
  if (owner === undefined) return undefined
  const { accountId, phoneId, by } = owner
  const scope = wholeAccount(accountId)
  const [phone] = await findPhone(tx, scope, phoneId)
  const until = now + setupLife_ms
  await clearPairing(tx, scope, phoneId)
  await openSetupRow(tx, { accountId, phoneId, tokenHash: fingerprint(token), by, until, now })
  await notifyCodeUsed(tx, owner, { again: phone!.paired || phone!.forwards, model }, now)
  return { scope, phoneId, token, until }
}

export type SetupKey = Pick<SetupSession, 'phoneId'> & { readonly scope: Scope; readonly token: string }

/** Undefined: there is no such session, or it has ended. */
export const findSetup = async (db: Session, token: string, now: Instant): Promise<SetupSession | undefined> => {
  const [row] = await findSetupByToken(db, fingerprint(token), now)
  if (row === undefined) return undefined
  const { account_id: accountId, account_name: accountName, device_id: phoneId, until, opened_by: by } = row
  return { accountId, accountName, phoneId, until, by }
}

/** False: the session has ended. */
export const chooseApp = async (db: Session, key: SetupKey, app: SetupApp, now: Instant): Promise<boolean> =>
  (await chooseAppRow(db, key.scope, key.phoneId, fingerprint(key.token), app, now)).length > 0

/** Undefined: the session has ended, or it has created as many accesses as it may. */
type Created<T> = Promise<T | undefined>

const countedAccess = async (tx: Tx, key: SetupKey, app: SetupApp, now: Instant): Promise<boolean> =>
  (await countSetupAccess(tx, key.scope, key.phoneId, fingerprint(key.token), app, mostAccesses, now)).length > 0

/** Creates a new address for a forwarding app; the one before is no longer valid. */
export const createAddress = async (
  tx: Tx,
  secrets: PhoneSecrets,
  key: SetupKey,
  app: Exclude<SetupApp, 'agent'>,
  signingKey: string | null,
  now: Instant,
): Created<IngestAccess> => {
  if (!(await countedAccess(tx, key, app, now))) return undefined
  return renewIngestAccess(tx, secrets, key.scope, key.phoneId, now, signingKey, app)
}

/** Creates a pairing code for the agent; the code that opened the page is used up. `by`: the user who created that code. */
export const createAgentCode = async (
  tx: Tx,
  secrets: PhoneSecrets,
  key: SetupKey,
  by: string,
  now: Instant,
): Created<Pairing> => {
  if (!(await countedAccess(tx, key, 'agent', now))) return undefined
  return regenerateCode(tx, secrets, key.scope, key.phoneId, now, by)
}
