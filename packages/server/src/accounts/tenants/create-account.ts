/** Accounts and the people who belong to them. */
import type { Instant } from '../../core/clock.ts'
import { type AccountId, firstIdAt, plainId, type UserId } from '../../core/ids.ts'
import type { Zone } from '../../core/zone.ts'
import type { Db, Session } from '../../postgres/connection/database.ts'
import { hashPassword } from '../people/password.ts'
import type { MemberRole } from '../people/permission.ts'
import { insertAccount, insertMember, insertUser, setQuotaRow } from './account-sql.ts'
import { quotaMonth } from './quota-month.ts'
import { newTestWallet } from './test-wallet.ts'

/** With its testing wallet, so that the first call of an integration has something to collect into. */
export const createAccount = async (db: Session, name: string, quota: number | null, now: Instant) => {
  const id = plainId<AccountId>()
  await insertAccount(db, { id, name, quota, testWallet: newTestWallet(), now })
  return id
}

export type NewUser = { email: string; name: string; password: string; role: MemberRole }

/** Undefined: somebody has this address already. */
export const createUser = async (db: Db, accountId: AccountId, user: NewUser, now: Instant) => {
  const passwordHash = await hashPassword(user.password)
  return db.transaction(async (tx) => {
    const email = user.email.trim().toLowerCase()
    const [made] = await insertUser(tx, { id: plainId<UserId>(), email, name: user.name, passwordHash, now })
    if (made === undefined) return undefined
    await insertMember(tx, accountId, made.id, user.role, now)
    return made.id
  })
}

/** From now on at most `quota` intents a calendar month; null: no bound. Undefined: no such account. */
export const setQuota = async (db: Session, accountId: AccountId, quota: number | null, zone: Zone, now: Instant) => {
  const month = quotaMonth(zone, now)
  const [row] = await setQuotaRow(db, accountId, quota, month.name, firstIdAt(month.start))
  return row?.used
}
