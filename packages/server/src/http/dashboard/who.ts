/**
 * Who is asking: a person, by the session cookie of their browser or by a token of their own in a script. A browser sends
 * its cookie wherever a page of somebody else's makes it call; so a call by cookie that changes something must come from a
 * page of ours, which the browser says in `Origin`.
 */
import type { FastifyRequest } from 'fastify'
import { type Person, type Via, type Whereabouts, whereabouts } from '../../accounts/person.ts'
import type { SessionLookup } from '../../accounts/session-lookup.ts'
import type { Tokens } from '../../accounts/token.ts'
import type { Instant } from '../../ground/clock.ts'
import { authenticationFailed, notAuthenticated, Problem, permissionDenied } from '../answers.ts'
import { bearerIn } from '../bearer.ts'

export const sessionCookie = 'sanad_session'

export type Asking = { readonly person: Person; readonly via: Via; readonly from: Whereabouts }

export type PersonDoor = {
  readonly tokens: Tokens
  readonly sessions: SessionLookup
  /** Where our own pages come from, as a browser would name it for this request. */
  readonly ownOrigin: (request: FastifyRequest) => string
}

const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

const foreignOrigin = (): Problem =>
  new Problem(403, 'client_error', [
    { code: 'origin_not_allowed', detail: 'Changes must come from a page of this service.', attr: null },
  ])

/** Also for the door itself: signing somebody in from another site is an attack of its own. */
export const checkOrigin = (request: FastifyRequest, door: Pick<PersonDoor, 'ownOrigin'>): void => {
  if (request.headers.origin !== door.ownOrigin(request)) throw foreignOrigin()
}

export const sessionTokenIn = (request: FastifyRequest): string | undefined => request.cookies[sessionCookie]

export const fromWhere = (request: FastifyRequest): Whereabouts =>
  whereabouts(request.ip, request.headers['user-agent'])

export const personAsks = async (request: FastifyRequest, door: PersonDoor, now: Instant): Promise<Asking> => {
  const from = fromWhere(request)
  const cookie = sessionTokenIn(request)
  if (request.headers.authorization === undefined && cookie !== undefined) {
    const session = await door.sessions.bySession(cookie, from.address, now)
    if (session === undefined) throw notAuthenticated()
    if (!reads.has(request.method)) checkOrigin(request, door)
    return { person: session.person, via: { kind: 'session', id: session.id }, from }
  }
  const bearer = await door.tokens.check(bearerIn(request.headers.authorization), now)
  if (bearer === undefined) throw authenticationFailed(true)
  // A merchant's server has an API of its own.
  if (bearer.typ !== 'user') throw permissionDenied()
  const person = await door.sessions.byToken(bearer.sub, bearer.acc, now)
  // A token acts for its account: who no longer belongs to it holds a token for nothing.
  if (person === undefined || person.member === null) throw authenticationFailed(true)
  if ((bearer.validFrom ?? 0) !== person.validFrom) throw authenticationFailed(true)
  return { person, via: { kind: 'token' }, from }
}
