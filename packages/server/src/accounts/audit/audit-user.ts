/**
 * Writes a change of a user to the audit log of every account of that user, suspended ones too: the owners of each must see, for
 * example, that a second factor was removed. For a user without an account the entry belongs to the service. The owners of an
 * account that has not confirmed the membership see nothing: they may be strangers to the user.
 */
import type { UserId } from '../../core/ids.ts'
import type { Session } from '../../postgres/connection/database.ts'
import { membershipsOfUser } from '../people/member-sql.ts'
import type { Change, WriteAudit } from './audit.ts'

export const auditUserChange = async (
  db: Session,
  audit: WriteAudit,
  userId: UserId,
  change: Pick<Change, 'action' | 'before' | 'after'>,
): Promise<void> => {
  const memberships = await membershipsOfUser(db, userId)
  const confirmed = memberships.filter(({ request }) => !request)
  const accountIds = confirmed.length === 0 ? [null] : confirmed.map(({ account_id }) => account_id)
  for (const accountId of accountIds) audit({ ...change, kind: 'user', id: userId, accountId })
}
