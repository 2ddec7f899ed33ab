/**
 * What owners and the member are told when a membership changes: there is another owner, one is no owner any more, the member has
 * another role or was removed. Each is part of the entry in the audit log. Pure.
 */
import type { AccountId, UserId } from '../../core/ids.ts'
import type { ChangeNotices } from '../notices/owner-notice.ts'
import type { MemberRole } from '../people/permission.ts'

/** `role`, `roleBefore`: null: no member. `ownAct`: the member did it themselves, so they are told only of a lost ownership. */
export type MembershipChange = {
  readonly userId: UserId
  readonly email: string
  readonly accountId: AccountId
  readonly account: string
  readonly role: MemberRole | null
  readonly roleBefore: MemberRole | null
  readonly ownAct: boolean
  /** Whether the account has other owners. Nobody is told of its first owner. */
  readonly otherOwners: boolean
}

export const membershipNotices = (change: MembershipChange): ChangeNotices => {
  const { userId, email, accountId, account, role, roleBefore, ownAct, otherOwners } = change
  if (role === roleBefore) return {}
  const wasOwner = roleBefore === 'owner'
  const roles = {
    ...(role === null ? {} : { role }),
    ...(roleBefore === null ? {} : { role_before: roleBefore }),
  }
  const toOwners = (kind: 'owner_added' | 'owner_removed'): ChangeNotices => ({
    notice: { kind, facts: { name: email, ...roles } },
  })
  const own: ChangeNotices =
    roleBefore === null || (ownAct && !wasOwner)
      ? {}
      : {
          userNotice: {
            userId,
            kind: role === null ? 'membership_ended' : 'role_changed',
            facts: { account, ...roles },
            accountId,
            wasOwner,
          },
        }
  if (role === 'owner') return otherOwners ? { ...toOwners('owner_added'), ...own } : own
  return wasOwner ? { ...toOwners('owner_removed'), ...own } : own
}
