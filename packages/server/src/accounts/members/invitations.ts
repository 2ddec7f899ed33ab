/**
 * Invites users to an account by a link that is valid once, for a week, and stored as its hash. The token is returned once, for
 * the member who invites and passes the link on. Whoever holds the link can join the account as the invited address, and has
 * proved nothing about that address. The email, if one is sent, has a token of its own, which proves it. No link gives access
 * to an existing user (accept-invitation.ts). The caller opens the transaction.
 */
import type { Instant } from '../../core/clock.ts'
import { day_ms } from '../../core/duration.ts'
import { type LinkId, newSecret, randomId, type WalletId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Scope } from '../../core/scope.ts'
import { fingerprint } from '../../core/seal.ts'
import type { Session, Tx } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import type { WriteAudit } from '../audit/audit.ts'
import {
  countPlaces,
  deleteInvitation,
  findInvitation,
  insertInvitation,
  invitationsOfAccount,
  renewInvitation,
} from '../people/link-sql.ts'
import { findMember } from '../people/member-sql.ts'
import { mostPlaces } from '../people/most-places.ts'
import type { MemberRole } from '../people/permission.ts'
import { type GivenWallets, walletsIn } from '../people/wallet-limit.ts'
import { lockAccount } from '../tenants/lock-account-sql.ts'
import { type ActingMember, mayManageMembers } from './members.ts'

const invitationLife_ms = 7 * day_ms
export type Invitation = RowOf<(typeof invitationsOfAccount)['columns']>

/** What the inviter and the email need. */
export type InvitationEmail = {
  readonly invitation: Invitation
  readonly account: string
  /** For the inviter. */
  readonly token: string
  /** For the email alone; null: none is sent. */
  readonly mailToken: string | null
}

/** Two tokens, and what is stored of them. */
const newTokens = (mailed: boolean, now: Instant) => {
  const token = newSecret()
  const mailToken = mailed ? newSecret() : null
  const mailTokenHash = mailToken === null ? null : fingerprint(mailToken)
  return {
    token,
    mailToken,
    link: { tokenHash: fingerprint(token), mailTokenHash, now, expiresAt: now + invitationLife_ms },
  }
}

export const listInvitations = (db: Session, scope: Scope): Promise<Invitation[]> => invitationsOfAccount(db, scope)

const mayInvite = async (tx: Session, scope: Scope, by: ActingMember | null): Promise<boolean> => {
  if (by === null) return true
  const [inviter] = await findMember(tx, scope, by.userId)
  return inviter !== undefined && mayManageMembers(inviter)
}

/** The link of an owner's invitation adds an owner (docs/decisions/0084). */
const needsProof = (role: string, by: ActingMember | null): boolean => role === 'owner' && by?.proved === false

/** `by`: null for the operator's command. */
export const createInvitation = async (
  tx: Tx,
  request: {
    readonly scope: Scope
    readonly email: string
    readonly role: MemberRole
    /** The wallets of the new member; null: all. */
    readonly wallets: GivenWallets
    readonly by: ActingMember | null
    /** Whether an email is sent. */
    readonly mailed: boolean
  },
  now: Instant,
): Promise<
  | InvitationEmail
  | Refusal<
      | 'no_longer_allowed'
      | 'already_member'
      | 'already_invited'
      | 'members_limit'
      | 'confirmation_required'
      | 'owner_sees_all'
    >
> => {
  const { scope, email, role, wallets, by, mailed } = request
  if (role === 'owner' && wallets !== null) return refuse('owner_sees_all')
  const [account] = await lockAccount(tx, scope)
  if (account === undefined || !(await mayInvite(tx, scope, by))) return refuse('no_longer_allowed')
  if (needsProof(role, by)) return refuse('confirmation_required')
  const [{ places, member }] = (await countPlaces(tx, scope, email, now)) as [{ places: number; member: boolean }]
  if (member) return refuse('already_member')
  if (places >= mostPlaces) return refuse('members_limit')
  const { token, mailToken, link } = newTokens(mailed, now)
  const [inserted] = await insertInvitation(
    tx,
    { id: randomId<LinkId>(), ...link },
    scope,
    email,
    role,
    wallets,
    by?.userId ?? null,
  )
  if (inserted === undefined) return refuse('already_invited')
  const [invitation] = await findInvitation(tx, scope, inserted.id)
  return { invitation: invitation!, account: account.name, token, mailToken }
}

/**
 * For the operator: a new link replaces an open invitation, with the same role and the same wallets unless others are given. If it
 * is refused, the open invitation stays.
 */
export const replaceInvitation = async (
  tx: Tx,
  audit: WriteAudit,
  request: {
    readonly scope: Scope
    readonly email: string
    readonly role: MemberRole | undefined
    /** Wallets of the account. */
    readonly wallets?: readonly WalletId[] | undefined
  },
  now: Instant,
): Promise<InvitationEmail | Refusal<'role_needed' | 'already_member' | 'members_limit' | 'owner_sees_all'>> => {
  const { scope, email } = request
  await lockAccount(tx, scope)
  const open = (await invitationsOfAccount(tx, scope)).find((invitation) => invitation.email === email)
  const role = request.role ?? (open?.role as MemberRole | undefined)
  if (role === undefined) return refuse('role_needed')
  if (role === 'owner' && request.wallets !== undefined) return refuse('owner_sees_all')
  // An invitation for some wallets stays one: a new link alone does not widen it.
  const wallets = role === 'owner' ? null : (request.wallets ?? walletsIn(open?.wallets ?? null))
  const [counted] = await countPlaces(tx, scope, email, now)
  if (counted?.member) return refuse('already_member')
  if (open !== undefined) {
    await deleteInvitation(tx, scope, open.id)
    const before = { email, role: open.role }
    audit({ action: 'invitation.withdraw', kind: 'invitation', id: open.id, accountId: scope.accountId, before })
  }
  const created = await createInvitation(tx, { scope, email, role, wallets, by: null, mailed: false }, now)
  if (!('refused' in created)) {
    const after = { email, role, ...(wallets === null ? {} : { wallets: [...wallets] }) }
    audit({
      action: 'invitation.create',
      kind: 'invitation',
      id: created.invitation.id,
      accountId: scope.accountId,
      after,
    })
    return created
  }
  // Throwing rolls back the deletion, so that the open invitation stays.
  if (open !== undefined || created.refused !== 'members_limit') throw new Error(`no invitation: ${created.refused}`)
  return refuse('members_limit')
}

/** New links for another week; the old ones are no longer valid. */
export const resendInvitation = async (
  tx: Tx,
  scope: Scope,
  id: string,
  by: ActingMember & { readonly mailed: boolean },
  now: Instant,
): Promise<InvitationEmail | Refusal<'no_longer_allowed' | 'invitation_unknown' | 'confirmation_required'>> => {
  const [account] = await lockAccount(tx, scope)
  if (account === undefined || !(await mayInvite(tx, scope, by))) return refuse('no_longer_allowed')
  const [earlier] = await findInvitation(tx, scope, id)
  if (earlier !== undefined && needsProof(earlier.role, by)) return refuse('confirmation_required')
  const { token, mailToken, link } = newTokens(by.mailed, now)
  const [renewed] = await renewInvitation(tx, scope, id, link, by.userId)
  if (renewed === undefined) return refuse('invitation_unknown')
  const [invitation] = await findInvitation(tx, scope, id)
  return { invitation: invitation!, account: account.name, token, mailToken }
}

export const withdrawInvitation = async (
  tx: Tx,
  scope: Scope,
  id: string,
): Promise<{ readonly email: string; readonly role: string } | Refusal<'invitation_unknown'>> => {
  const [withdrawn] = await deleteInvitation(tx, scope, id)
  return withdrawn ?? refuse('invitation_unknown')
}
