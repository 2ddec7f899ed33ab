/**
 * Users for tests: a member of each role, the owner of another account, and an operator. Each has a browser session and a
 * function that calls the dashboard API with it.
 */
import { randomUUID } from 'node:crypto'
import { limitedRoles, unlimited } from '../../src/accounts/limits/role-limits.ts'
import { saveRoleLimits } from '../../src/accounts/limits/role-limits-sql.ts'
import { type MemberRole, roles } from '../../src/accounts/people/permission.ts'
import { openSession, openTokenSession } from '../../src/accounts/sessions/sign-in.ts'
import { openTokens } from '../../src/accounts/sessions/token.ts'
import { insertMember, insertUser } from '../../src/accounts/tenants/account-sql.ts'
import { type AccountId, randomId, type UserId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { quickHash } from './quick-hash.ts'
import { type Answer, type Ask, askAt, type TestService } from './story.ts'

export type AskAs = (method: string, path: string, options?: Ask) => Promise<Answer>

export const dashboardAt = (origin: string, path: string): string => `${origin}/api/v1/dashboard${path}`

/** Calls the dashboard API as a browser on a page of the dashboard does. */
export const askWith =
  (service: Pick<TestService, 'origin'>, session: string): AskAs =>
  (method, path, options = {}) =>
    askAt(dashboardAt(service.origin, path), method, {
      token: null,
      ...options,
      headers: { cookie: `sanad_session=${session}`, origin: service.origin, ...options.headers },
    })

/**
 * As the dashboard does: a call that is refused because nobody proved for ten minutes that it is them is made again after the
 * password was given.
 */
export const provingWith =
  (ask: AskAs, password: string): AskAs =>
  async (method, path, options) => {
    const answer = await ask(method, path, options)
    if (answer.body?.errors?.[0]?.code !== 'confirmation_required') return answer
    const proved = await ask('POST', '/session/proof/', { body: { password } })
    if (proved.status !== 200) throw new Error(`no proof: ${proved.text}`)
    return ask(method, path, options)
  }

/**
 * A token of a script that holds a proof of the person for as long as it lives: for tests that move the clock by days and are about
 * something else.
 */
export const lastingToken = async (
  service: Pick<TestService, 'db' | 'clock' | 'masterKey' | 'sql'>,
  user: { readonly userId: UserId; readonly accountId: AccountId },
  ttl_s: number,
): Promise<string> => {
  const now = service.clock.now()
  const session = await openTokenSession(service.db, { ...user, validFrom: 0 }, { address: '', agent: '' }, ttl_s, now)
  if ('refused' in session) throw new Error(`no session: ${session.refused}`)
  await service.sql('update sessions set proved_at = expires_at where id = $1', [session.id])
  const bearer = { typ: 'user', sub: user.userId, acc: user.accountId, validFrom: 0, sessionId: session.id } as const
  return openTokens(service.masterKey).issue(bearer, ttl_s, now)
}

export const accountOfWallet = async (service: TestService, wallet: string): Promise<AccountId> =>
  (await service.sql('select account_id from wallets where id = $1', [wallet]))[0]![0] as AccountId

/** The password of every user that is created here. */
export const storyPassword = 'a password of a story'
let hashed: Promise<string> | undefined

export const createMember = async (service: TestService, accountId: AccountId, role: MemberRole) => {
  const email = `${role}-${randomUUID().slice(0, 8)}@sanad.example`
  const userId = randomId<UserId>()
  hashed ??= quickHash(storyPassword)
  const passwordHash = await hashed
  const now = service.clock.now()
  await insertUser(service.db, { id: userId, email, name: `A ${role}`, passwordHash, now })
  await insertMember(service.db, wholeAccount(accountId), userId, role, now)
  const signedIn = { userId, accountId, validFrom: 0 }
  const session = await openSession(service.db, signedIn, { address: '', agent: '' }, now)
  if ('refused' in session) throw new Error(`no session: ${session.refused}`)
  return {
    userId,
    accountId,
    email,
    session,
    /** Gives a proof of the person when one is asked for; `askUnproved` does not. */
    ask: provingWith(askWith(service, session.token), storyPassword),
    askUnproved: askWith(service, session.token),
  }
}

export type TestMember = Awaited<ReturnType<typeof createMember>>

/** Members may book short of an order, cancel and so on without asking, in tests that are about something else. */
export const removeLimits = async (service: Pick<TestService, 'db'>, accountId: AccountId): Promise<void> => {
  for (const role of limitedRoles) await saveRoleLimits(service.db, wholeAccount(accountId), role, unlimited)
}

/** `limits`: the roles have the usual limits; otherwise none. */
export const createMembers = async (service: TestService, { limits = false } = {}) => {
  const accountId = await accountOfWallet(service, service.demo.wallets.main)
  const otherId = await accountOfWallet(service, service.demo.other.wallet)
  if (!limits) for (const id of [accountId, otherId]) await removeLimits(service, id)
  const staff = {} as Record<MemberRole, TestMember>
  for (const role of roles) staff[role] = await createMember(service, accountId, role)
  const operator = await createMember(service, accountId, 'viewer')
  await service.sql('update users set operator = true where id = $1', [operator.userId])
  return { accountId, otherId, ...staff, stranger: await createMember(service, otherId, 'owner'), operator }
}
