/**
 * Writes a change of a user to the audit log of every account of that user, suspended ones too: the owners of each must see, for example,
 * that a second factor was removed. For a user without an account the entry belongs to the service.
 */
import type { UserId } from '../../core/ids.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { Change, WriteAudit } from '../audit/audit.ts'
import { everyAccountOfUser } from '../sessions/session-sql.ts'

export const auditUserChange = async (
  db: Session,
  audit: WriteAudit,
  userId: UserId,
  change: Pick<Change, 'action' | 'before' | 'after'>,
): Promise<void> => {
  const accounts = await everyAccountOfUser(db, userId)
  const accountIds = accounts.length === 0 ? [null] : accounts.map(({ id }) => id)
  for (const accountId of accountIds) audit({ ...change, kind: 'user', id: userId, accountId })
}
