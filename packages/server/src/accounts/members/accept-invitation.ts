/**
 * Joining an account by an invitation link. A new user is created with the name and password that they enter. An
 * existing user must be signed in: the link alone gives no access to an existing user. The link is locked while it is
 * checked, so that it is accepted once. A link that only the email had, or that an operator's command printed, proves the
 * address; the link that the inviter saw does not (addresses/proved-address.ts). The caller opens the transaction.
 */
import type { Instant } from '../../core/clock.ts'
import { randomId, type SessionId, type UserId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { wholeAccount } from '../../core/scope.ts'
import { fingerprint } from '../../core/seal.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { holdCredentials } from '../addresses/address-sql.ts'
import { proveSignedIn } from '../addresses/prove-address.ts'
import { invitationProves } from '../addresses/proved-address.ts'
import { lockInvitation, markInvitationAccepted, showInvitationRow } from '../people/link-sql.ts'
import { joinAccount } from '../people/member-sql.ts'
import { walletsIn } from '../people/wallet-limit.ts'
import { actForAccount } from '../sessions/session-sql.ts'
import { insertInvitedUser } from '../tenants/account-sql.ts'

export type OpenInvitation = RowOf<(typeof showInvitationRow)['columns']>

export const showInvitation = async (
  db: Session,
  token: string,
  now: Instant,
): Promise<OpenInvitation | Refusal<'link_over'>> =>
  (await showInvitationRow(db, fingerprint(token), now))[0] ?? refuse('link_over')

/** `proved`: the link proved the address, which was not proved before. */
export type Accepted = { readonly invitation: OpenInvitation; readonly userId: UserId; readonly proved: boolean }

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
  const created = { id: randomId<UserId>(), email: invitation.email, name, passwordHash, now }
  const provedAt = invitationProves(invitation) ? now : null
  const origin = { accountId: invitation.account_id, by: invitation.made_by, provedAt }
  const [user] = await insertInvitedUser(tx, created, origin)
  // A user with this address was created while the password was hashed.
  if (user === undefined) return refuse('sign_in_first')
  await joinAccount(
    tx,
    wholeAccount(invitation.account_id),
    user.id,
    invitation.role,
    walletsIn(invitation.wallets),
    now,
  )
  await markInvitationAccepted(tx, invitation.id, user.id, now)
  return { invitation, userId: user.id, proved: provedAt !== null }
}

/** Accepts for a signed-in user, whose session acts for the account afterwards. */
export const acceptAs = async (
  tx: Tx,
  token: string,
  user: { readonly userId: UserId; readonly session: SessionId; readonly validFrom: Instant },
  now: Instant,
): Promise<Accepted | Refusal<'link_over' | 'other_person' | 'sign_in_first'>> => {
  const tokenHash = fingerprint(token)
  const [invitation] = await lockInvitation(tx, tokenHash, now)
  if (invitation === undefined) return refuse('link_over')
  if (invitation.known_id !== user.userId) return refuse('other_person')
  // A new password of this moment has ended the session: whoever had it must not join any more.
  if ((await holdCredentials(tx, user.userId, user.validFrom)).length === 0) return refuse('sign_in_first')
  await joinAccount(
    tx,
    wholeAccount(invitation.account_id),
    user.userId,
    invitation.role,
    walletsIn(invitation.wallets),
    now,
  )
  await markInvitationAccepted(tx, invitation.id, user.userId, now)
  await actForAccount(tx, user.session, invitation.account_id)
  const proved = invitationProves(invitation) && (await proveSignedIn(tx, user, now))
  return { invitation, userId: user.userId, proved }
}
