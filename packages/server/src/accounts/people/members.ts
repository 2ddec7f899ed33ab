/**
 * Who belongs to an account, and as what. An account always has an owner who can sign in: whoever changes its members holds
 * the account, so that of two owners who remove each other one stays. Whether the one who asks is still allowed to is looked
 * at again under that hold: what the door knew may be a second old. Who is removed, or is an owner no more, leaves no open
 * invitations behind, by which they could come back.
 */
import type { Instant } from '../../core/clock.ts'
import type { AccountId, LinkId, SessionId, UserId } from '../../core/ids.ts'
import { type Refusal, refuse } from '../../core/refusal.ts'
import type { Db, Session, Tx } from '../../postgres/connection/database.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { accountsOfUser, actFor, endSessionsFor } from '../sessions/session-sql.ts'
import { deleteInvitationsBy } from './link-sql.ts'
import { countOtherOwners, deleteMember, findMember, holdAccount, membersOf, setRole } from './member-sql.ts'
import { type MemberRole, mayDo } from './permission.ts'

export type Member = RowOf<(typeof membersOf)['columns']>
export type Withdrawn = { readonly id: LinkId; readonly email: string; readonly role: string }

export const listMembers = (db: Session, accountId: AccountId): Promise<Member[]> => membersOf(db, accountId)

type Held = { readonly member: Member }
type Gone = Refusal<'member_unknown' | 'no_longer_allowed' | 'last_owner'>

/** The member, with the account held, once the one who asks has proved to be allowed to still. */
const hold = async (tx: Tx, accountId: AccountId, id: string, by: UserId): Promise<Held | Gone> => {
  await holdAccount(tx, accountId)
  const [asker] = await findMember(tx, accountId, by)
  const mayWrite = asker !== undefined && !asker.disabled && mayDo(asker.role as MemberRole, 'members.write')
  // Leaving is everybody's own.
  if (id !== by && !mayWrite) return refuse('no_longer_allowed')
  const [member] = await findMember(tx, accountId, id)
  return member === undefined ? refuse('member_unknown') : { member }
}

const isLastOwner = async (tx: Tx, accountId: AccountId, member: Member): Promise<boolean> =>
  member.role === 'owner' && (await countOtherOwners(tx, accountId, member.user_id))[0]!.owners === 0

export const changeRole = (
  db: Db,
  accountId: AccountId,
  id: string,
  role: MemberRole,
  by: UserId,
): Promise<{ readonly before: Member; readonly after: Member; readonly withdrawn: readonly Withdrawn[] } | Gone> =>
  db.transaction(async (tx) => {
    const held = await hold(tx, accountId, id, by)
    if ('refused' in held) return held
    const { member } = held
    if (member.role === role) return { before: member, after: member, withdrawn: [] }
    if (await isLastOwner(tx, accountId, member)) return refuse('last_owner')
    await setRole(tx, accountId, member.user_id, role)
    const withdrawn = mayDo(role, 'members.write') ? [] : await deleteInvitationsBy(tx, accountId, member.user_id)
    return { before: member, after: { ...member, role }, withdrawn }
  })

/** `goesOn`: the session of somebody who leaves by themselves; it acts for another of their accounts, or for none. */
export const removeMember = (
  db: Db,
  accountId: AccountId,
  id: string,
  by: UserId,
  goesOn: SessionId | null,
  now: Instant,
): Promise<{ readonly member: Member; readonly withdrawn: readonly Withdrawn[] } | Gone> =>
  db.transaction(async (tx) => {
    const held = await hold(tx, accountId, id, by)
    if ('refused' in held) return held
    const { member } = held
    if (await isLastOwner(tx, accountId, member)) return refuse('last_owner')
    await deleteMember(tx, accountId, member.user_id)
    const own = member.user_id === by ? goesOn : null
    await endSessionsFor(tx, accountId, member.user_id, own, now)
    if (own !== null) {
      const [next] = await accountsOfUser(tx, member.user_id)
      await actFor(tx, own, next?.id ?? null)
    }
    return { member, withdrawn: await deleteInvitationsBy(tx, accountId, member.user_id) }
  })
