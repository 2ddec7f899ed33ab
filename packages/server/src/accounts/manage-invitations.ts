/**
 * Inviting people to an account: by a link that is sent to an address, good for a week, once, and kept as its hash. The
 * token leaves this file once, for the letter; who invites never sees it, since whoever holds it may join as that address.
 */
import type { Instant } from '../ground/clock.ts'
import { type AccountId, type LinkId, newSecret, plainId, type UserId } from '../ground/ids.ts'
import { type Refusal, refuse } from '../ground/refusal.ts'
import { fingerprint } from '../ground/seal.ts'
import type { Db, Session } from '../postgres/database.ts'
import type { RowOf } from '../postgres/statement.ts'
import {
  countPlaces,
  deleteInvitation,
  findInvitation,
  insertInvitation,
  invitationsOf,
  renewInvitation,
} from './link-sql.ts'
import { findMember, holdAccount } from './member-sql.ts'
import { type MemberRole, mayDo } from './permission.ts'

export const invitationLife_ms = 7 * 86_400_000
/** Members and open invitations together. */
export const mostPlaces = 200

export type Invitation = RowOf<(typeof invitationsOf)['columns']>

/** What the letter needs. */
export type Invited = { readonly invitation: Invitation; readonly account: string; readonly token: string }

export const listInvitations = (db: Session, accountId: AccountId): Promise<Invitation[]> =>
  invitationsOf(db, accountId)

const mayInvite = async (tx: Session, accountId: AccountId, by: UserId | null): Promise<boolean> => {
  if (by === null) return true
  const [asker] = await findMember(tx, accountId, by)
  return asker !== undefined && mayDo(asker.role as MemberRole, 'members.write')
}

/** `by`: null for the operator's command. */
export const createInvitation = (
  db: Db,
  asked: {
    readonly accountId: AccountId
    readonly email: string
    readonly role: MemberRole
    readonly by: UserId | null
  },
  now: Instant,
): Promise<Invited | Refusal<'no_longer_allowed' | 'already_member' | 'already_invited' | 'members_limit'>> =>
  db.transaction(async (tx) => {
    const { accountId, email, role, by } = asked
    const [account] = await holdAccount(tx, accountId)
    if (account === undefined || !(await mayInvite(tx, accountId, by))) return refuse('no_longer_allowed')
    const [{ places, member }] = (await countPlaces(tx, accountId, email, now)) as [{ places: number; member: boolean }]
    if (member) return refuse('already_member')
    const token = newSecret()
    const expiresAt = now + invitationLife_ms
    const link = { id: plainId<LinkId>(), tokenHash: fingerprint(token), now, expiresAt }
    if (places >= mostPlaces) return refuse('members_limit')
    const [made] = await insertInvitation(tx, link, accountId, email, role, by)
    if (made === undefined) return refuse('already_invited')
    const [invitation] = await findInvitation(tx, accountId, made.id)
    return { invitation: invitation!, account: account.name, token }
  })

/** A new link for another week; the old one is void. */
export const resendInvitation = (
  db: Db,
  accountId: AccountId,
  id: string,
  by: UserId,
  now: Instant,
): Promise<Invited | Refusal<'no_longer_allowed' | 'invitation_unknown'>> =>
  db.transaction(async (tx) => {
    const [account] = await holdAccount(tx, accountId)
    if (account === undefined || !(await mayInvite(tx, accountId, by))) return refuse('no_longer_allowed')
    const token = newSecret()
    const [renewed] = await renewInvitation(tx, accountId, id, fingerprint(token), by, now, now + invitationLife_ms)
    if (renewed === undefined) return refuse('invitation_unknown')
    const [invitation] = await findInvitation(tx, accountId, id)
    return { invitation: invitation!, account: account.name, token }
  })

export const withdrawInvitation = async (
  db: Session,
  accountId: AccountId,
  id: string,
): Promise<{ readonly email: string; readonly role: string } | Refusal<'invitation_unknown'>> => {
  const [withdrawn] = await deleteInvitation(db, accountId, id)
  return withdrawn ?? refuse('invitation_unknown')
}
