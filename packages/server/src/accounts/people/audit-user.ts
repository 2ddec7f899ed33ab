/**
 * What is changed of a person concerns every account they belong to: that somebody's second factor was taken off must be seen
 * by the owners of each. Of somebody who belongs to none it is noted as a change of the service.
 */
import type { UserId } from '../../core/ids.ts'
import type { Session } from '../../postgres/connection/database.ts'
import type { Change, Note } from '../audit/audit.ts'
import { accountsOfUser } from '../sessions/session-sql.ts'

export const noteOfPerson = async (
  db: Session,
  note: Note,
  userId: UserId,
  change: Pick<Change, 'action' | 'before' | 'after'>,
): Promise<void> => {
  const accounts = await accountsOfUser(db, userId)
  const concerned = accounts.length === 0 ? [null] : accounts.map(({ id }) => id)
  for (const accountId of concerned) note({ ...change, kind: 'user', id: userId, accountId })
}
