/**
 * Sets up a second factor, switches it off, and renews its recovery codes. The user begins with the password, and switches the
 * factor on with a first code, so that nobody is locked out by a secret that their app never got. Switching it on or off ends
 * the sessions and tokens from before. Secrets and recovery codes are returned once, to the user themselves.
 */
import type { Instant } from '../../core/clock.ts'
import type { UserId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { passwordFits } from '../people/password.ts'
import {
  beginSecondFactorRow,
  confirmSecondFactorRow,
  endSecondFactorRow,
  findCredentials,
  setRecoveryCodes,
} from '../people/user-sql.ts'
import { refuseLastFactor } from './keep-factor.ts'
import { lockPasskeyOwner } from './passkey-sql.ts'
import { type CredentialChanger, renewSessions } from './renew-sessions.ts'
import { newRecoveryCodes, type SecondFactor } from './second-factor.ts'
import { type NewSession, takeCode } from './sign-in.ts'

export type Credentials = RowOf<(typeof findCredentials)['columns']>

/** Checks the user's password. Slow: call it before the transaction. */
export const checkOwnPassword = async (
  db: Session,
  userId: UserId,
  password: string,
): Promise<Credentials | Refusal<'password_wrong' | 'sign_in_busy'>> => {
  const [own] = await findCredentials(db, userId)
  const fits = await passwordFits(own?.password_hash ?? null, password)
  if (fits === 'busy') return refuse('sign_in_busy')
  return own === undefined || !fits ? refuse('password_wrong') : own
}

export const beginSecondFactor = async (
  db: Session,
  factor: SecondFactor,
  own: Credentials,
): Promise<{ readonly secret: string; readonly uri: string } | Refusal<'second_factor_on' | 'password_wrong'>> => {
  if (own.totp_since !== null) return refuse('second_factor_on')
  const secret = factor.newSecret()
  const begun = await beginSecondFactorRow(db, own.id, factor.sealFor(own.id, secret), own.valid_from)
  // The credentials were changed since the password was checked.
  return begun.length === 0 ? refuse('password_wrong') : { secret, uri: factor.uri(secret, own.email) }
}

const hashesOf = (factor: SecondFactor, userId: UserId, codes: readonly string[]): Buffer[] =>
  codes.map((code) => factor.recoveryHash(userId, code))

export type Confirmed = { readonly recoveryCodes: readonly string[]; readonly session: NewSession | null }

export const confirmSecondFactor = async (
  tx: Tx,
  factor: SecondFactor,
  changer: CredentialChanger,
  code: string,
  now: Instant,
): Promise<Confirmed | Refusal<'second_factor_on' | 'second_factor_not_begun' | 'code_wrong'>> => {
  const [own] = await findCredentials(tx, changer.userId)
  if (own === undefined || own.totp_sealed === null) return refuse('second_factor_not_begun')
  if (own.totp_since !== null) return refuse('second_factor_on')
  const step = await factor.stepOf(own.id, own.totp_sealed, code, own.totp_step, now)
  if (step === undefined) return refuse('code_wrong')
  const recoveryCodes = newRecoveryCodes()
  const hashes = hashesOf(factor, own.id, recoveryCodes)
  const [confirmed] = await confirmSecondFactorRow(tx, own.id, now, own.totp_sealed, step, hashes, changer.validFrom)
  if (confirmed === undefined) return refuse('code_wrong')
  return { recoveryCodes, session: await renewSessions(tx, changer, confirmed.valid_from, now) }
}

/** Uses up the code, even if the change is then refused for another reason. Returns why the code is refused. */
export const takeOwnCode = async (
  tx: Session,
  factor: SecondFactor,
  own: Credentials,
  code: string,
  now: Instant,
): Promise<Refusal<'second_factor_off' | 'code_wrong'> | undefined> => {
  const { id, email, totp_sealed, totp_step } = own
  if (own.totp_since === null && own.passkeys === 0) return refuse('second_factor_off')
  const app = own.totp_since === null ? null : totp_sealed
  const taken = await takeCode(tx, factor, { id, email, totp_sealed: app, totp_step }, code, now)
  return taken ? undefined : refuse('code_wrong')
}

export const endSecondFactor = async (
  tx: Tx,
  factor: SecondFactor,
  changer: CredentialChanger,
  own: Credentials,
  code: string,
  operatorsNeedFactor: boolean,
  now: Instant,
): Promise<{ readonly session: NewSession | null } | Refusal<'second_factor_off' | 'code_wrong' | 'last_factor'>> => {
  const [locked] = await lockPasskeyOwner(tx, own.id)
  const isLast = locked?.has_totp === true && locked.passkeys === 0
  // Refused before the code is used up.
  const kept = isLast ? await refuseLastFactor(tx, own.id, operatorsNeedFactor) : undefined
  if (kept !== undefined) return kept
  const refusal = await takeOwnCode(tx, factor, own, code, now)
  if (refusal !== undefined) return refusal
  const [ended] = await endSecondFactorRow(tx, own.id, now)
  if (ended === undefined) return refuse('second_factor_off')
  return { session: await renewSessions(tx, changer, ended.valid_from, now) }
}

export const renewRecoveryCodes = async (
  tx: Tx,
  factor: SecondFactor,
  own: Credentials,
  code: string,
  now: Instant,
): Promise<{ readonly recoveryCodes: readonly string[] } | Refusal<'second_factor_off' | 'code_wrong'>> => {
  const refusal = await takeOwnCode(tx, factor, own, code, now)
  if (refusal !== undefined) return refusal
  const recoveryCodes = newRecoveryCodes()
  const set = await setRecoveryCodes(tx, own.id, hashesOf(factor, own.id, recoveryCodes))
  return set.length === 0 ? refuse('second_factor_off') : { recoveryCodes }
}
