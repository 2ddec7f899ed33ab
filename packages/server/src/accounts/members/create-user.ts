/** Creates a user and their membership in an account. Both are written in the caller's transaction. */
import type { Instant } from '../../core/clock.ts'
import { randomId, type UserId } from '../../core/ids.ts'
import type { Scope } from '../../core/scope.ts'
import type { Tx } from '../../postgres/connection/database.ts'
import type { MemberRole } from '../people/permission.ts'
import { insertMember, insertUser } from '../tenants/account-sql.ts'

/** The password is hashed before the transaction, because hashing is slow. */
export type NewUser = { email: string; name: string; passwordHash: string; role: MemberRole }

/** Undefined: the email address is taken. */
export const createUser = async (tx: Tx, scope: Scope, user: NewUser, now: Instant) => {
  const { name, passwordHash, role } = user
  const email = user.email.trim().toLowerCase()
  const [inserted] = await insertUser(tx, { id: randomId<UserId>(), email, name, passwordHash, now })
  if (inserted === undefined) return undefined
  await insertMember(tx, scope, inserted.id, role, now)
  return inserted.id
}
