/**
 * People of a story: members of each role, a stranger of another account, an operator; each with a session as a browser
 * holds it, and a hand that asks the dashboard's API with it.
 */
import { randomUUID } from 'node:crypto'
import { hashPassword } from '../../src/accounts/people/password.ts'
import { type MemberRole, roles } from '../../src/accounts/people/permission.ts'
import { openSession } from '../../src/accounts/sessions/sign-in.ts'
import { insertMember, insertUser } from '../../src/accounts/tenants/account-sql.ts'
import { type AccountId, plainId, type UserId } from '../../src/core/ids.ts'
import { type Answer, type Ask, askAt, type House } from './story.ts'

export type Hand = (method: string, path: string, options?: Ask) => Promise<Answer>

export const dashboardAt = (origin: string, path: string): string => `${origin}/api/v1/dashboard${path}`

/** Asks as a browser on a page of ours does. */
export const handWith =
  (house: Pick<House, 'origin'>, session: string): Hand =>
  (method, path, options = {}) =>
    askAt(dashboardAt(house.origin, path), method, {
      token: null,
      ...options,
      headers: { cookie: `sanad_session=${session}`, origin: house.origin, ...options.headers },
    })

export const accountOfWallet = async (house: House, wallet: string): Promise<AccountId> =>
  (await house.sql('select account_id from wallets where id = $1', [wallet]))[0]![0] as AccountId

/** The password of everybody in a story; hashed once for all of them, since to hash is made to take long. */
const storyPassword = 'a password of a story'
let hashed: Promise<string> | undefined

export const somebody = async (house: House, accountId: AccountId, role: MemberRole) => {
  const email = `${role}-${randomUUID().slice(0, 8)}@sanad.example`
  const userId = plainId<UserId>()
  hashed ??= hashPassword(storyPassword)
  const passwordHash = await hashed
  const now = house.clock.now()
  await insertUser(house.db, { id: userId, email, name: `A ${role}`, passwordHash, now })
  await insertMember(house.db, accountId, userId, role, now)
  const who = { userId, accountId, validFrom: 0 }
  const session = await openSession(house.db, who, { address: '', agent: '' }, now)
  if ('refused' in session) throw new Error(`no session: ${session.refused}`)
  return { userId, accountId, email, session, ask: handWith(house, session.token) }
}

export type Somebody = Awaited<ReturnType<typeof somebody>>

export const people = async (house: House) => {
  const accountId = await accountOfWallet(house, house.demo.wallets.main)
  const otherId = await accountOfWallet(house, house.demo.other.wallet)
  const staff = {} as Record<MemberRole, Somebody>
  for (const role of roles) staff[role] = await somebody(house, accountId, role)
  const operator = await somebody(house, accountId, 'viewer')
  await house.sql('update users set operator = true where id = $1', [operator.userId])
  return { accountId, otherId, ...staff, stranger: await somebody(house, otherId, 'owner'), operator }
}
