/**
 * Writes a change of a user to the audit log of every active account of that user: the owners of each must see, for example,
 * that a second factor was removed. For a user without an active account the entry belongs to the service.
 */
import type { UserId } from '../../core/ids.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { Change, Note } from '../audit/audit.ts'
import { accountsOfUser } from '../sessions/session-sql.ts'

export const noteUserChange = async (
  db: Session,
  note: Note,
  userId: UserId,
  change: Pick<Change, 'action' | 'before' | 'after'>,
): Promise<void> => {
  const accounts = await accountsOfUser(db, userId)
  const accountIds = accounts.length === 0 ? [null] : accounts.map(({ id }) => id)
  for (const accountId of accountIds) note({ ...change, kind: 'user', id: userId, accountId })
}
