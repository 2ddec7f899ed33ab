/**
 * Joining an account by an invitation link. A new user is created with the name and password that they enter. An
 * existing user must be signed in: the link alone gives no access to an existing user. The link is locked while it is
 * checked, so that it is accepted once. The caller opens the transaction.
 */
import type { Instant } from '../../core/clock.ts'
import { randomId, type SessionId, type UserId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { fingerprint } from '../../core/seal.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { actFor } from '../sessions/session-sql.ts'
import { insertUser } from '../tenants/account-sql.ts'
import { lockInvitation, markAccepted, showInvitationRow } from './link-sql.ts'
import { joinAccount } from './member-sql.ts'

export type OpenInvitation = RowOf<(typeof showInvitationRow)['columns']>

export const showInvitation = async (
  db: Session,
  token: string,
  now: Instant,
): Promise<OpenInvitation | Refusal<'link_over'>> =>
  (await showInvitationRow(db, fingerprint(token), now))[0] ?? refuse('link_over')

export type Accepted = { readonly invitation: OpenInvitation; readonly userId: UserId }

/** Accepts for a new user. */
export const acceptAsNew = async (
  tx: Tx,
  entered: { readonly token: string; readonly name: string; readonly passwordHash: string },
  now: Instant,
): Promise<Accepted | Refusal<'link_over' | 'sign_in_first'>> => {
  const tokenHash = fingerprint(entered.token)
  const [invitation] = await lockInvitation(tx, tokenHash, now)
  if (invitation === undefined) return refuse('link_over')
  const { name, passwordHash } = entered
  const [user] = await insertUser(tx, { id: randomId<UserId>(), email: invitation.email, name, passwordHash, now })
  // A user with this address was created while the password was hashed.
  if (user === undefined) return refuse('sign_in_first')
  await joinAccount(tx, invitation.account_id, user.id, invitation.role, now)
  await markAccepted(tx, tokenHash, user.id, now)
  return { invitation, userId: user.id }
}

/** Accepts for a signed-in user, whose session acts for the account afterwards. */
export const acceptAs = async (
  tx: Tx,
  token: string,
  user: { readonly userId: UserId; readonly session: SessionId },
  now: Instant,
): Promise<Accepted | Refusal<'link_over' | 'other_person'>> => {
  const tokenHash = fingerprint(token)
  const [invitation] = await lockInvitation(tx, tokenHash, now)
  if (invitation === undefined) return refuse('link_over')
  if (invitation.known_id !== user.userId) return refuse('other_person')
  await joinAccount(tx, invitation.account_id, user.userId, invitation.role, now)
  await markAccepted(tx, tokenHash, user.userId, now)
  await actFor(tx, user.session, invitation.account_id)
  return { invitation, userId: user.userId }
}
