/**
 * `/session/` and `/token/`: signing in and out, who one is, which account one acts for. Guessing is slowed by counting
 * failures, for an address on the network together with the name it tried, and for the address alone. Nothing is counted
 * against a name alone: who knows somebody's address could lock them out.
 */
import { issueToken, type Me, showMe, signIn, signOut, switchAccount } from '@sanad/contract/dashboard/session'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { recordChange } from '../../accounts/audit.ts'
import { actionsOf, type MemberRole } from '../../accounts/permission.ts'
import type { SecondFactor } from '../../accounts/second-factor.ts'
import { wholeLife_ms } from '../../accounts/session.ts'
import { accountsOfUser, actFor, endSessionRow, secondFactorOf } from '../../accounts/session-sql.ts'
import { checkCredentials, openSession, type SignedIn } from '../../accounts/sign-in.ts'
import type { Instant } from '../../ground/clock.ts'
import { isRefusal } from '../../ground/refusal.ts'
import { fingerprint } from '../../ground/seal.ts'
import type { Zone } from '../../ground/zone.ts'
import { notFound, throttled } from '../answers.ts'
import { readChosenAccount, readSignIn } from '../body/session-body.ts'
import { answerTo } from './refusals.ts'
import { bodyOf, count, type DashboardDoor, openRoute, type PersonCall, personalRoute, type Route } from './route.ts'
import { type Asking, checkOrigin, fromWhere, sessionCookie, sessionTokenIn } from './who.ts'

export type SessionRooms = DashboardDoor & {
  readonly zone: Zone
  readonly factor: SecondFactor
  readonly tokenTtl_s: number
  /** Cookies are sent over https alone. */
  readonly secure: boolean
}

export const sessionRoutes = (rooms: SessionRooms): Route[] => [
  openRoute(signIn, async ({ request, reply, now }) => {
    checkOrigin(request, rooms)
    const who = await signedIn(rooms, request, now)
    const session = await openSession(rooms.db, who, fromWhere(request), now)
    setCookie(rooms, reply, session.token)
    const opened = await rooms.sessions.bySession(session.token, request.ip, now)
    return me(rooms, opened!.person, session.expiresAt)
  }),
  openRoute(issueToken, async ({ request, now }) => {
    const who = await signedIn(rooms, request, now)
    // A token acts for an account; whoever belongs to none has nothing to do with one.
    if (who.accountId === null) throw answerTo({ refused: 'credentials_wrong' })
    const bearer = { typ: 'user', sub: who.userId, acc: who.accountId } as const
    const access_token = await rooms.tokens.issue(bearer, rooms.tokenTtl_s, now)
    return { access_token, token_type: 'Bearer' as const, expires_in: rooms.tokenTtl_s }
  }),
  personalRoute(showMe, async (call) => me(rooms, call.person, await expiryOf(rooms, call))),
  personalRoute(signOut, async (call) => {
    const { request, reply, person, via, now } = call
    if (via.kind === 'session') {
      await endSessionRow(rooms.db, person.userId, via.id, now)
      rooms.sessions.forgetSession(sessionTokenIn(request) ?? '')
    }
    reply.clearCookie(sessionCookie, { path: '/' })
    return undefined
  }),
  personalRoute(switchAccount, async (call) => {
    const { request, person, via, now } = call
    const { account } = bodyOf(call, readChosenAccount)
    const theirs = await accountsOfUser(rooms.db, person.userId)
    const chosen = theirs.find(({ id }) => id === account)
    // A token names its account for good.
    if (chosen === undefined || via.kind !== 'session') throw notFound()
    await actFor(rooms.db, via.id, chosen.id)
    rooms.sessions.forgetSession(sessionTokenIn(request) ?? '')
    const session = await rooms.sessions.bySession(sessionTokenIn(request) ?? '', request.ip, now)
    return me(rooms, session!.person, session!.expiresAt)
  }),
]

/** The hash, so that a key has a bounded length whatever was typed. */
const pairOf = (email: string, address: string): string => fingerprint(`${email} ${address}`).toString('base64url')

const signedIn = async (rooms: SessionRooms, request: FastifyRequest, now: Instant): Promise<SignedIn> => {
  const given = bodyOf({ request }, readSignIn)
  // Counted before the password is looked at: of many at once, only as many as may fail are tried.
  await count(rooms, 'sign_in', pairOf(given.email.trim().toLowerCase(), request.ip), now)
  await count(rooms, 'sign_in_address', request.ip, now)
  const who = await checkCredentials(rooms.db, rooms.factor, given, now)
  if (!isRefusal(who)) {
    await recordChange(
      rooms.db,
      { accountId: who.accountId, userId: who.userId, actor: given.email, via: 'session', ...fromWhere(request) },
      { action: 'user.sign_in', kind: 'user', id: who.userId },
      now,
    )
    return who
  }
  if (who.refused === 'door_busy') throw throttled(5)
  throw answerTo(who)
}

const setCookie = (rooms: SessionRooms, reply: FastifyReply, token: string): void => {
  reply.setCookie(sessionCookie, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: rooms.secure,
    maxAge: wholeLife_ms / 1000,
  })
}

const expiryOf = async (rooms: SessionRooms, { request, via, now }: PersonCall): Promise<Instant | null> => {
  if (via.kind === 'token') return null
  const session = await rooms.sessions.bySession(sessionTokenIn(request) ?? '', request.ip, now)
  return session?.expiresAt ?? null
}

const me = async (rooms: SessionRooms, person: Asking['person'], expiresAt: Instant | null): Promise<Me> => {
  const rows = await accountsOfUser(rooms.db, person.userId)
  const accounts = rows.map(({ id, name, role, time_zone }) => ({
    id,
    name,
    role: role as MemberRole,
    time_zone: time_zone === '' ? rooms.zone.name : time_zone,
  }))
  const [factor] = await secondFactorOf(rooms.db, person.userId)
  return {
    user: {
      id: person.userId,
      email: person.email,
      name: person.name,
      operator: person.operator,
      second_factor: factor?.on ?? false,
    },
    account: accounts.find(({ id }) => id === person.member?.accountId) ?? null,
    accounts,
    actions: person.member === null ? [] : actionsOf(person.member.role),
    expires_at: expiresAt === null ? null : rooms.zone.format(new Date(expiresAt)),
  }
}
