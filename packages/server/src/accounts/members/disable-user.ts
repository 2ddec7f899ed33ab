/**
 * Disables a user for the whole service, and enables them again. Operators do so when a user has left for good, or when
 * someone else knows their password. The user's sessions, tokens, links and sent invitations end; their history and
 * memberships stay. The only owner of an account cannot be disabled. Called inside the transaction of the audit entries.
 */

import type { Instant } from '../../core/clock.ts'
import { type AccountId, type NoticeId, timeOrderedId, type UserId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import { type Scope, wholeAccount } from '../../core/scope.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { WriteAudit } from '../audit/audit.ts'
import { auditUserChange } from '../audit/audit-user.ts'
import { operator } from '../audit/change-by-command.ts'
import { writeNotices } from '../notices/write-notices.ts'
import { deleteInvitationsBy, voidResetLinks } from '../people/link-sql.ts'
import { countOtherOwners, findMember, membershipsOfUser } from '../people/member-sql.ts'
import { disableUserRow, enableUserRow, findUserByEmail } from '../people/user-sql.ts'
import { endRequestsOfMember } from '../requests/end-requests.ts'
import { endOtherSessionRows } from '../sessions/session-sql.ts'
import { lockAccount } from '../tenants/lock-account-sql.ts'

/** `changed` false: the user was already disabled, or already enabled. */
type StatusChange = { readonly changed: boolean }

export const disableUser = async (
  db: Session,
  audit: WriteAudit,
  email: string,
  now: Instant,
): Promise<StatusChange | Refusal<'member_unknown' | 'last_owner'>> => {
  const [user] = await findUserByEmail(db, email)
  if (user === undefined) return refuse('member_unknown')
  const memberships = await membershipsOfUser(db, user.id)
  const owned: AccountId[] = []
  for (const { account_id } of memberships) {
    // The lock of every change of members: if two owners are removed at once, one of them stays, and no invitation is
    // created meanwhile.
    const [account] = await lockAccount(db, wholeAccount(account_id))
    const [member] = await findMember(db, wholeAccount(account_id), user.id)
    const [others] = await countOtherOwners(db, wholeAccount(account_id), user.id)
    const isOwner = member?.role === 'owner' && member.request_since === null
    if (isOwner) owned.push(account_id)
    if (isOwner && others!.owners === 0) return refuse('last_owner', { account: account!.name })
  }
  if ((await disableUserRow(db, user.id, now)).length === 0) return { changed: false }
  await endOtherSessionRows(db, user.id, null, now)
  for (const { account_id } of memberships)
    await endRequestsOfMember(db, wholeAccount(account_id), user.id, 'nothing', now)
  await voidResetLinks(db, user.id, now)
  await auditUserChange(db, audit, user.id, { action: 'user.disable', after: { email } })
  await writeNotices(
    db,
    owned.map((accountId) => ({
      accountId,
      id: timeOrderedId<NoticeId>(now),
      kind: 'owner_removed',
      objectKind: 'member',
      objectId: user.id,
      by: operator.actor,
      facts: { name: email, role_before: 'owner' },
    })),
    now,
  )
  for (const { account_id } of memberships) await withdrawInvitations(db, audit, wholeAccount(account_id), user.id)
  return { changed: true }
}

/** Otherwise the user could come back with an invitation that they sent to another address of their own. */
const withdrawInvitations = async (db: Session, audit: WriteAudit, scope: Scope, by: UserId): Promise<void> => {
  for (const { id, email, role } of await deleteInvitationsBy(db, scope, by))
    audit({
      action: 'invitation.withdraw',
      kind: 'invitation',
      id,
      accountId: scope.accountId,
      before: { email, role },
    })
}

export const enableUser = async (
  db: Session,
  audit: WriteAudit,
  email: string,
): Promise<StatusChange | Refusal<'member_unknown'>> => {
  const [user] = await findUserByEmail(db, email)
  if (user === undefined) return refuse('member_unknown')
  if ((await enableUserRow(db, user.id)).length === 0) return { changed: false }
  await auditUserChange(db, audit, user.id, { action: 'user.enable', after: { email } })
  return { changed: true }
}
