/**
 * Finds the user of a session or a token, without a query on every call (core/fresh-cache.ts). An ended session, a removed
 * member and a changed role take effect within a second and a half; a node that hears of a changed member forgets them at once
 * (service/open-parts.ts). Lookups of the same moment share a statement.
 */
import type { Instant } from '../../core/clock.ts'
import { freshCache } from '../../core/fresh-cache.ts'
import type { AccountId, SessionId, UserId } from '../../core/ids.ts'
import { fingerprint } from '../../core/seal.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { gather } from '../../postgres/query/gather.ts'
import type { RowOf } from '../../postgres/query/statement.ts'
import { defaultGraceDays, factorDeadline } from '../people/factor-rule.ts'
import type { MemberRole } from '../people/permission.ts'
import type { SignedInUser } from '../people/signed-in-user.ts'
import { walletsIn } from '../people/wallet-limit.ts'
import { isOver, type SessionKind, type SessionTimes, seenEvery_ms } from './session.ts'
import {
  findSessions,
  findTokenSessions,
  findUsersInAccounts,
  markSessionSeen,
  type UserInAccount,
} from './session-sql.ts'

export type OpenSession = SessionTimes & { readonly id: SessionId; readonly user: SignedInUser }

export type SessionLookup = {
  /** Undefined: no session, or one that is over. */
  bySession(token: string, address: string, now: Instant): Promise<OpenSession | undefined>
  /** The session whose id an access token contains. Undefined as above. */
  byTokenSession(id: SessionId, address: string, now: Instant): Promise<OpenSession | undefined>
  /** The user of a token that was issued before tokens had sessions. */
  byToken(userId: UserId, accountId: AccountId, now: Instant): Promise<SignedInUser | undefined>
  /** The same user in another account; undefined: the database says now that they are no member of it. */
  inAccount(user: SignedInUser, accountId: AccountId, now: Instant): Promise<SignedInUser | undefined>
  /** After a change made by this node: the next lookup reads the database. */
  forgetSession(token: string): void
  forgetTokenSession(id: SessionId): void
  /** The user as `byToken` and `inAccount` find them: without a look at all sessions. */
  forgetUser(userId: UserId, accountId: AccountId): void
  /** After a change of a member, by any node: their sessions and tokens are read again too. */
  forgetMember(userId: UserId, accountId: AccountId): void
  /** Changes of members may have been missed. */
  forgetAll(): void
}

type UserRow = Omit<RowOf<(typeof findUsersInAccounts)['columns']>, 'requested_account'>

const userOf = (row: UserRow): SignedInUser => ({
  userId: row.user_id,
  email: row.email,
  name: row.name,
  operator: row.operator,
  hasFactor: row.has_factor,
  member:
    row.account_id === null
      ? null
      : {
          accountId: row.account_id,
          role: row.role as MemberRole,
          wallets: walletsIn(row.wallets),
          todayOnly: row.today_only,
          factorDeadline: factorDeadline({
            since: row.factor_rule_since,
            graceDays: row.factor_grace_days ?? defaultGraceDays,
            joinedAt: row.joined_at ?? 0,
          }),
        },
  validFrom: row.valid_from,
})

type SessionRow = RowOf<(typeof findTokenSessions)['columns']>

const openSessionOf = (row: SessionRow, kind: SessionKind): OpenSession => ({
  id: row.id,
  kind,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
  expiresAt: row.expires_at,
  endedAt: row.ended_at,
  user: userOf(row),
})

/** Open sessions by the hash of their tokens, in hexadecimal. */
const loadSessions = async (db: Db, hashes: readonly string[]): Promise<Map<string, OpenSession>> => {
  const rows = await findSessions(
    db,
    hashes.map((hash) => Buffer.from(hash, 'hex')),
  )
  return new Map(rows.map((row) => [row.token_hash.toString('hex'), openSessionOf(row, 'browser')]))
}

const loadTokenSessions = async (db: Db, ids: readonly string[]): Promise<Map<string, OpenSession>> =>
  new Map((await findTokenSessions(db, ids)).map((row) => [row.id, openSessionOf(row, 'token')]))

const userKey = ({ userId, accountId }: UserInAccount): string => `${userId} ${accountId}`

const loadUsers = async (db: Db, keys: readonly string[]): Promise<Map<string, SignedInUser>> => {
  const users = keys.map((key): UserInAccount => {
    const [userId = '', accountId = ''] = key.split(' ')
    return { userId, accountId }
  })
  const rows = await findUsersInAccounts(db, users)
  return new Map(rows.map((row) => [userKey({ userId: row.user_id, accountId: row.requested_account }), userOf(row)]))
}

/** The largest number of keys that one statement reads. */
const mostAtOnce = 500

const gathered = <V>(load: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>) => {
  const together = async (keys: readonly string[]): Promise<(V | undefined)[]> => {
    const found = await load([...new Set(keys)])
    return keys.map((key) => found.get(key))
  }
  return gather<string, V | undefined>({
    together,
    alone: async (key) => (await together([key]))[0],
    most: mostAtOnce,
    parallel: 4,
  })
}

export const sessionLookup = (db: Db): SessionLookup => {
  const sessions = freshCache<string, OpenSession>({
    load: gathered((hashes) => loadSessions(db, hashes)),
    max: 10_000,
  })
  const tokenSessions = freshCache<string, OpenSession>({
    load: gathered((ids) => loadTokenSessions(db, ids)),
    max: 10_000,
  })
  const users = freshCache<string, SignedInUser>({ load: gathered((keys) => loadUsers(db, keys)), max: 10_000 })
  const keyOf = (token: string): string => fingerprint(token).toString('hex')
  const openIn = async (
    cache: typeof sessions,
    key: string,
    address: string,
    now: Instant,
  ): Promise<OpenSession | undefined> => {
    const session = await cache.get(key, now)
    if (session === undefined || isOver(session, session.user.validFrom, now)) return undefined
    if (now - session.lastSeenAt >= seenEvery_ms) {
      await markSessionSeen(db, session.id, address.slice(0, 64), now)
      cache.forget(key)
    }
    return session
  }
  return {
    async bySession(token, address, now) {
      // A session's token has 43 characters: a longer text is not worth hashing.
      return token.length > 100 ? undefined : openIn(sessions, keyOf(token), address, now)
    },
    byTokenSession: (id, address, now) => openIn(tokenSessions, id, address, now),
    byToken: async (userId, accountId, now) => users.get(userKey({ userId, accountId }), now),
    async inAccount(user, accountId, now) {
      if (user.member?.accountId === accountId) return user
      const key = userKey({ userId: user.userId, accountId })
      const known = await users.get(key, now)
      if (known === undefined || known.member !== null) return known
      // They may have joined a moment ago, on another node: a "no" is never answered from the cache.
      users.forget(key)
      const fresh = await users.get(key, now)
      return fresh?.member === null ? undefined : fresh
    },
    forgetSession: (token) => sessions.forget(keyOf(token)),
    forgetTokenSession: (id) => tokenSessions.forget(id),
    forgetUser: (userId, accountId) => users.forget(userKey({ userId, accountId })),
    forgetMember(userId, accountId) {
      users.forget(userKey({ userId, accountId }))
      for (const cache of [sessions, tokenSessions]) cache.forgetWhere(({ user }) => user.userId === userId)
    },
    forgetAll() {
      for (const cache of [sessions, tokenSessions, users]) cache.forgetWhere(() => true)
    },
  }
}
