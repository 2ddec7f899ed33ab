/**
 * Disabling a user for the whole service, and enabling them again: for operators, when a user has left for good or
 * someone else has their sign-in. Their sessions, tokens, links and the invitations they sent end; their history and
 * memberships stay. The only owner of an account cannot be disabled. Called inside the transaction of the audit
 * entries.
 */
import type { Instant } from '../../core/clock.ts'
import type { AccountId, UserId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { Note } from '../audit/audit.ts'
import { endOthers } from '../sessions/session-sql.ts'
import { noteUserChange } from './audit-user.ts'
import { deleteInvitationsBy, voidResets } from './link-sql.ts'
import { countOtherOwners, findMember, lockAccount, membershipsOf } from './member-sql.ts'
import { findByEmail, setDisabled, setEnabled } from './user-sql.ts'

/** `changed` false: they were so already. */
type Done = { readonly changed: boolean }

export const disableUser = async (
  db: Session,
  note: Note,
  email: string,
  now: Instant,
): Promise<Done | Refusal<'member_unknown' | 'last_owner'>> => {
  const [user] = await findByEmail(db, email)
  if (user === undefined) return refuse('member_unknown')
  const memberships = await membershipsOf(db, user.id)
  for (const { account_id } of memberships) {
    // Locked as by every change of members: of two owners who go at once one stays, and no invitation is made
    // meanwhile.
    const [account] = await lockAccount(db, account_id)
    const [member] = await findMember(db, account_id, user.id)
    const [others] = await countOtherOwners(db, account_id, user.id)
    if (member?.role === 'owner' && others!.owners === 0) return refuse('last_owner', { account: account!.name })
  }
  if ((await setDisabled(db, user.id, now)).length === 0) return { changed: false }
  await endOthers(db, user.id, null, now)
  await voidResets(db, user.id, now)
  await noteUserChange(db, note, user.id, { action: 'user.disable', after: { email } })
  for (const { account_id } of memberships) await withdraw(db, note, account_id, user.id)
  return { changed: true }
}

/** With an invitation that they sent to another address of theirs they could come back. */
const withdraw = async (db: Session, note: Note, accountId: AccountId, by: UserId): Promise<void> => {
  for (const { id, email, role } of await deleteInvitationsBy(db, accountId, by))
    note({ action: 'invitation.withdraw', kind: 'invitation', id, accountId, before: { email, role } })
}

export const enableUser = async (db: Session, note: Note, email: string): Promise<Done | Refusal<'member_unknown'>> => {
  const [user] = await findByEmail(db, email)
  if (user === undefined) return refuse('member_unknown')
  if ((await setEnabled(db, user.id)).length === 0) return { changed: false }
  await noteUserChange(db, note, user.id, { action: 'user.enable', after: { email } })
  return { changed: true }
}
