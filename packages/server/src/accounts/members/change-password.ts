/**
 * Changes a password. The user proves their right with the old password or with a link that was sent to them. Either way all
 * sessions and tokens of the old password end. If the address of the user was not proved, such a link proves it, and ends
 * everything that was set up before (addresses/take-over-user.ts). Links are stored as hashes and work once, for an hour. Only a
 * few are open at a time, so that nobody can fill another user's mailbox. An earlier link stays valid until one of them is used.
 */
import type { Instant } from '../../core/clock.ts'
import { hour_ms } from '../../core/duration.ts'
import { type LinkId, newSecret, randomId, type UserId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { fingerprint } from '../../core/seal.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import { takeOverUser } from '../addresses/take-over-user.ts'
import type { WriteAudit } from '../audit/audit.ts'
import { findResetLink, insertResetLink, takeResetLink, voidResetLinks } from '../people/link-sql.ts'
import { hashInTurn, passwordFits } from '../people/password.ts'
import { passwordFault } from '../people/password-rule.ts'
import { changePasswordRow, findCredentials, setPasswordRow } from '../people/user-sql.ts'
import { type CredentialChanger, renewSessions } from '../sessions/renew-sessions.ts'
import { endOtherSessionRows } from '../sessions/session-sql.ts'
import type { NewSession } from '../sessions/sign-in.ts'

const resetLife_ms = hour_ms
const mostOpenResets = 3

type Hashed = { readonly hash: string }

/** Slow: call it before the transaction. */
export const newPasswordHash = async (
  password: string,
  email: string,
): Promise<Hashed | Refusal<'password_refused' | 'sign_in_busy'>> => {
  const fault = passwordFault(password, email)
  if (fault !== undefined) return refuse('password_refused', fault)
  const hash = await hashInTurn(password)
  return hash === 'busy' ? refuse('sign_in_busy') : { hash }
}

/** The stored hash of the present password, and the hash of the new one. */
export type ProvenChange = { readonly oldHash: string; readonly hash: string }

/** Checks the present password and the new one. Changes nothing yet. */
export const proveChange = async (
  db: Session,
  userId: UserId,
  passwords: { readonly password: string; readonly newPassword: string },
): Promise<ProvenChange | Refusal<'password_wrong' | 'password_refused' | 'sign_in_busy'>> => {
  const [own] = await findCredentials(db, userId)
  const oldHash = own?.password_hash ?? null
  const fits = await passwordFits(oldHash, passwords.password)
  if (fits === 'busy') return refuse('sign_in_busy')
  if (own === undefined || oldHash === null || !fits) return refuse('password_wrong')
  const hashed = await newPasswordHash(passwords.newPassword, own.email)
  return 'refused' in hashed ? hashed : { oldHash, hash: hashed.hash }
}

/**
 * Returns the new session; null for a user who made the change with a token. `provedAt`: its proof of the person is no younger, because
 * the password alone does not renew the proof of a user who has a second factor.
 */
export const changePassword = async (
  tx: Tx,
  changer: CredentialChanger,
  proven: ProvenChange,
  provedAt: Instant,
  now: Instant,
): Promise<{ readonly session: NewSession | null } | Refusal<'password_wrong'>> => {
  const [changed] = await changePasswordRow(tx, changer.userId, now, proven.hash, proven.oldHash)
  if (changed === undefined) return refuse('password_wrong')
  await voidResetLinks(tx, changer.userId, now)
  return { session: await renewSessions(tx, changer, changed.valid_from, now, provedAt) }
}

export type ResetLink = { readonly userId: UserId; readonly email: string; readonly token: string }

/** Undefined: no user has this address, or `most` links are open. An operator may allow more. */
export const makeResetLink = async (
  db: Session,
  email: string,
  now: Instant,
  most = mostOpenResets,
): Promise<ResetLink | undefined> => {
  const token = newSecret()
  const link = { id: randomId<LinkId>(), tokenHash: fingerprint(token), now, expiresAt: now + resetLife_ms }
  const [inserted] = await insertResetLink(db, link, email, most)
  return inserted && { userId: inserted.user_id, email: inserted.email, token }
}

/** The hash of the new password, if the link is valid. Changes nothing yet. */
export const proveReset = async (
  db: Session,
  reset: { readonly token: string; readonly newPassword: string },
  now: Instant,
): Promise<
  | { readonly tokenHash: Buffer; readonly hash: string; readonly userId: UserId; readonly email: string }
  | Refusal<'link_over' | 'password_refused' | 'sign_in_busy'>
> => {
  const tokenHash = fingerprint(reset.token)
  const [link] = await findResetLink(db, tokenHash, now)
  if (link === undefined) return refuse('link_over')
  const hashed = await newPasswordHash(reset.newPassword, link.email)
  return 'refused' in hashed ? hashed : { tokenHash, hash: hashed.hash, userId: link.user_id, email: link.email }
}

/** `taken`: the address was not proved before. */
export type PasswordReset = { readonly userId: UserId; readonly email: string; readonly taken: boolean }

export const resetPassword = async (
  tx: Tx,
  audit: WriteAudit,
  proven: { readonly tokenHash: Buffer; readonly hash: string },
  now: Instant,
): Promise<PasswordReset | Refusal<'link_over'>> => {
  const [link] = await takeResetLink(tx, proven.tokenHash, now)
  if (link === undefined) return refuse('link_over')
  const taken = await takeOverUser(tx, audit, link.user_id, proven.hash, now)
  const set = taken ?? (await setPasswordRow(tx, link.user_id, now, proven.hash))[0]
  if (set === undefined) return refuse('link_over')
  await voidResetLinks(tx, link.user_id, now)
  await endOtherSessionRows(tx, link.user_id, null, now)
  return { userId: link.user_id, email: set.email, taken: taken !== undefined }
}
