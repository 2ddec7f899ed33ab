/**
 * A change of a user concerns every account that they are a member of: the owners of each must see that, for example,
 * their second factor was removed. For a user without an account it is logged as a change of the service.
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
  const concerned = accounts.length === 0 ? [null] : accounts.map(({ id }) => id)
  for (const accountId of concerned) note({ ...change, kind: 'user', id: userId, accountId })
}
