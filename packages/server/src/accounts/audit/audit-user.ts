/**
 * Writes a change of a user to the audit log of every account of that user, suspended ones too: the owners of each must see, for
 * example, that a second factor was removed. For a user without an account the entry belongs to the service. The owners of an
 * account that has not confirmed the membership see nothing: they may be strangers to the user.
 */
import { ownerNoticeKinds } from '@sanad/contract/kinds'
import type { UserId } from '../../core/ids.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { NoticeFacts, OwnerNoticeKind, UserNoticeKind } from '../notices/owner-notice.ts'
import { membershipsOfUser } from '../people/member-sql.ts'
import type { Change, WriteAudit } from './audit.ts'

/** What the user is told of; and, if owners are told of this kind, the owners of all their accounts. */
export type ToldChange = Pick<Change, 'action' | 'before' | 'after'> & {
  /** `email`: the address of the user, for the sentence to owners. */
  readonly about?: { readonly kind: UserNoticeKind; readonly facts: NoticeFacts; readonly email: string }
}

const isToldToOwners = (kind: UserNoticeKind): kind is UserNoticeKind & OwnerNoticeKind =>
  (ownerNoticeKinds as readonly string[]).includes(kind)

export const auditUserChange = async (
  db: Session,
  audit: WriteAudit,
  userId: UserId,
  { about, ...change }: ToldChange,
): Promise<void> => {
  const memberships = await membershipsOfUser(db, userId)
  const confirmed = memberships.filter(({ request }) => !request)
  const accountIds = confirmed.length === 0 ? [null] : confirmed.map(({ account_id }) => account_id)
  const [first] = accountIds
  for (const accountId of accountIds) {
    const notice =
      about !== undefined && accountId !== null && isToldToOwners(about.kind)
        ? { notice: { kind: about.kind, facts: { ...about.facts, name: about.email } } }
        : {}
    const own = accountId === first ? about : undefined
    const userNotice = own && { userId, kind: own.kind, facts: own.facts, accountId: null, wasOwner: false }
    audit({ ...change, kind: 'user', id: userId, accountId, ...notice, ...(userNotice && { userNotice }) })
  }
}
