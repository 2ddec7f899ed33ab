/** Who is signed in and what they may do, as the dashboard is told; and the two cookies that a browser keeps of it. */
import type { Me } from '@sanad/contract/dashboard/session'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KnownDevice, KnownDevices } from '../../accounts/known-device.ts'
import { actionsOf, type MemberRole } from '../../accounts/permission.ts'
import type { SecondFactor } from '../../accounts/second-factor.ts'
import { wholeLife_ms } from '../../accounts/session.ts'
import { accountsOfUser, secondFactorOf } from '../../accounts/session-sql.ts'
import type { NewSession } from '../../accounts/sign-in.ts'
import type { Instant } from '../../ground/clock.ts'
import type { Zone } from '../../ground/zone.ts'
import type { DashboardDoor, PersonCall } from './route.ts'
import { type Asking, cookieNamed, sessionCookie, sessionTokenIn } from './who.ts'

export type SessionRooms = DashboardDoor & {
  readonly zone: Zone
  readonly factor: SecondFactor
  readonly knownDevices: KnownDevices
  readonly tokenTtl_s: number
}

const deviceCookie = (rooms: Pick<SessionRooms, 'secure'>): string => cookieNamed('sanad_device', rooms)
const year_s = 365 * 86_400

const kept = (rooms: Pick<SessionRooms, 'secure'>, maxAge: number) =>
  ({ path: '/', httpOnly: true, sameSite: 'lax', secure: rooms.secure, maxAge }) as const

export const giveSession = (rooms: SessionRooms, reply: FastifyReply, session: NewSession): void => {
  reply.setCookie(sessionCookie(rooms), session.token, kept(rooms, wholeLife_ms / 1000))
}

/** What this browser is called when guesses at `email` are counted; undefined: it is none of theirs. */
export const knownDeviceIn = (rooms: SessionRooms, request: FastifyRequest, email: string): KnownDevice | undefined =>
  rooms.knownDevices.nameIn(request.cookies[deviceCookie(rooms)], email)

export const rememberDevice = (
  rooms: SessionRooms,
  request: FastifyRequest,
  reply: FastifyReply,
  email: string,
  how: KnownDevice['how'] = 'signed_in',
): void => {
  const cookie = rooms.knownDevices.remember(request.cookies[deviceCookie(rooms)], email, how)
  reply.setCookie(deviceCookie(rooms), cookie, kept(rooms, year_s))
}

export const expiryOf = async (rooms: SessionRooms, { request, via, now }: PersonCall): Promise<Instant | null> => {
  if (via.kind === 'token') return null
  const session = await rooms.sessions.bySession(sessionTokenIn(request, rooms) ?? '', request.ip, now)
  return session?.expiresAt ?? null
}

/**
 * After something about this session was changed here: in the account that the call acted for, while they belong to it,
 * or else in the session's.
 */
export const meAgain = async (
  rooms: SessionRooms,
  call: PersonCall,
  accountId = call.person.member?.accountId,
): Promise<Me> => {
  const token = sessionTokenIn(call.request, rooms) ?? ''
  if (call.via.kind === 'token') return meOf(rooms, call.person, null)
  rooms.sessions.forgetSession(token)
  const session = await rooms.sessions.bySession(token, call.request.ip, call.now)
  if (session === undefined) return meOf(rooms, call.person, null)
  const { person, expiresAt } = session
  const inIt = accountId === undefined ? undefined : await rooms.sessions.inAccount(person, accountId, call.now)
  return meOf(rooms, inIt ?? person, expiresAt)
}

export const meOf = async (rooms: SessionRooms, person: Asking['person'], expiresAt: Instant | null): Promise<Me> => {
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
