/** A new user and their membership in an account, in one transaction. */
import type { Instant } from '../../core/clock.ts'
import { type AccountId, randomId, type UserId } from '../../core/ids.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { insertMember, insertUser } from '../tenants/account-sql.ts'
import { hashPassword } from './password.ts'
import type { MemberRole } from './permission.ts'

export type NewUser = { email: string; name: string; password: string; role: MemberRole }

/** Undefined: the email address is taken. */
export const createUser = async (db: Db, accountId: AccountId, user: NewUser, now: Instant) => {
  const passwordHash = await hashPassword(user.password)
  return db.transaction(async (tx) => {
    const email = user.email.trim().toLowerCase()
    const [made] = await insertUser(tx, { id: randomId<UserId>(), email, name: user.name, passwordHash, now })
    if (made === undefined) return undefined
    await insertMember(tx, accountId, made.id, user.role, now)
    return made.id
  })
}
