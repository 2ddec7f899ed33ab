/**
 * A user's own passkeys. The first one is a second factor: it ends the sessions and tokens from before, and brings recovery codes if
 * the user has none. When the last one is removed and no app is set up, the second factor is off. The caller opens the transaction.
 */
import type { Instant } from '../../core/clock.ts'
import { type PasskeyId, randomId, type SessionId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { fingerprint } from '../../core/seal.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import { refuseLastFactor } from './keep-factor.ts'
import { challengeIn, mostPasskeys, readRegistration, relyingPartyOf, type SentRegistration } from './passkey.ts'
import { challengeLife_ms, type PasskeyChallenges } from './passkey-challenge.ts'
import {
  beginPasskeys,
  deletePasskeyRow,
  endPasskeys,
  insertPasskey,
  lockPasskeyOwner,
  takePasskeyChallenge,
} from './passkey-sql.ts'
import { type CredentialChanger, renewSessions } from './renew-sessions.ts'
import { newRecoveryCodes, type SecondFactor } from './second-factor.ts'
import type { NewSession } from './sign-in.ts'

export type AddedPasskey = {
  readonly id: PasskeyId
  /** Null: the codes from before stay. */
  readonly recoveryCodes: readonly string[] | null
  /** The session that replaces the caller's. */
  readonly session: NewSession | null
  /** Whether it is the user's first second factor. */
  readonly isFirst: boolean
}

export const addPasskey = async (
  tx: Tx,
  parts: { readonly challenges: PasskeyChallenges; readonly factor: SecondFactor },
  changer: CredentialChanger & { readonly session: SessionId },
  sent: SentRegistration & { readonly name: string; readonly origin: string },
  now: Instant,
): Promise<AddedPasskey | Refusal<'passkey_wrong' | 'passkey_limit' | 'passkey_known'>> => {
  const host = relyingPartyOf(sent.origin)
  const challenge = challengeIn(sent.response.clientDataJSON)
  if (host === undefined || !parts.challenges.isGood(challenge, 'add', changer.session, now))
    return refuse('passkey_wrong')
  const credential = await readRegistration(sent, { challenge, origin: sent.origin, host })
  if (credential === undefined) return refuse('passkey_wrong')
  const [owner] = await lockPasskeyOwner(tx, changer.userId)
  // The credentials were changed since the session was read.
  if (owner === undefined || owner.valid_from !== changer.validFrom) return refuse('passkey_wrong')
  if (owner.passkeys >= mostPasskeys) return refuse('passkey_limit', { most: String(mostPasskeys) })
  const taken = await takePasskeyChallenge(tx, fingerprint(challenge), now + 2 * challengeLife_ms)
  if (taken.length === 0) return refuse('passkey_wrong')
  const id = randomId<PasskeyId>()
  const transports = (sent.response.transports ?? []).slice(0, 10)
  const row = { id, userId: changer.userId, name: sent.name, transports, now, ...credential }
  if ((await insertPasskey(tx, row)).length === 0) return refuse('passkey_known')
  if (owner.has_totp || owner.passkeys > 0) return { id, recoveryCodes: null, session: null, isFirst: false }
  const recoveryCodes = newRecoveryCodes()
  const hashes = recoveryCodes.map((code) => parts.factor.recoveryHash(changer.userId, code))
  const [begun] = await beginPasskeys(tx, changer.userId, now, hashes)
  const session = await renewSessions(tx, changer, begun!.valid_from, now)
  return { id, recoveryCodes, session, isFirst: true }
}

export type RemovedPasskey = {
  readonly name: string
  readonly session: NewSession | null
  /** Whether the user has no second factor now. */
  readonly wasLast: boolean
}

/** After a refusal the caller rolls the transaction back. */
export const removePasskey = async (
  tx: Tx,
  changer: CredentialChanger,
  id: string,
  operatorsNeedFactor: boolean,
  now: Instant,
): Promise<RemovedPasskey | Refusal<'passkey_unknown' | 'last_factor'>> => {
  const [owner] = await lockPasskeyOwner(tx, changer.userId)
  const [removed] = owner === undefined ? [] : await deletePasskeyRow(tx, changer.userId, id)
  if (owner === undefined || removed === undefined) return refuse('passkey_unknown')
  if (owner.has_totp || owner.passkeys > 1) return { name: removed.name, session: null, wasLast: false }
  const refusal = await refuseLastFactor(tx, changer.userId, operatorsNeedFactor)
  if (refusal !== undefined) return refusal
  const [ended] = await endPasskeys(tx, changer.userId, now)
  return { name: removed.name, session: await renewSessions(tx, changer, ended!.valid_from, now), wasLast: true }
}
