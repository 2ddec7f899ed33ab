/**
 * Authenticates a user, by the session cookie of a browser, by a token in a script, or at a counter by the counter's cookie: there the
 * user is the cashier who entered a PIN. A browser sends its cookie with
 * calls from pages of other sites too; so a call by cookie that changes something must come from a page of ours, which
 * the browser states in `Origin`.
 *
 * The call itself names the account that it acts for: a screen names the one that it shows. The account that a session
 * was switched to, in another tab or on another node, counts only for calls that name none.
 */
import type { FastifyRequest } from 'fastify'
import type { OpenCounter } from '../../accounts/counters/counter.ts'
import { keepCashier, openCounterOf } from '../../accounts/counters/find-counter.ts'
import { type ClientInfo, clientInfo, type SignedInUser, type Via } from '../../accounts/people/signed-in-user.ts'
import type { SessionLookup } from '../../accounts/sessions/session-lookup.ts'
import type { Bearer, Tokens } from '../../accounts/sessions/token.ts'
import type { Instant } from '../../core/clock.ts'
import type { AccountId } from '../../core/ids.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { authenticationFailed, notAuthenticated, Problem, permissionDenied } from '../answers.ts'
import { bearerIn } from '../bearer.ts'
import { requireAccountHere, requireNotMoved } from '../moved-account.ts'
import { uuidOfText } from '../uuid.ts'

/**
 * Over https, cookies have the prefix `__Host-`: a browser accepts such a cookie only from this host over https, and
 * not from another host of the same domain.
 */
export const cookieName = (name: string, { secure }: { readonly secure: boolean }): string =>
  secure ? `__Host-${name}` : name

export const sessionCookie = (deps: { readonly secure: boolean }): string => cookieName('sanad_session', deps)

/** Whether the request has the cookie of a session or of a counter, by either name. It is not checked here. */
export const hasSessionCookie = (cookies: string): boolean =>
  /(?:^|;\s*)(?:__Host-)?sanad_(?:session|counter)=/.test(cookies)

export const counterCookie = (deps: { readonly secure: boolean }): string => cookieName('sanad_counter', deps)

export type Authenticated = {
  readonly user: SignedInUser
  readonly via: Via
  readonly from: ClientInfo
  /** The counter at which the user is the cashier. */
  readonly counter?: OpenCounter
}

export type AuthenticationDeps = {
  readonly db: Db
  readonly tokens: Tokens
  readonly sessions: SessionLookup
  /** Whether cookies are sent over https only. */
  readonly secure: boolean
  /** The origin of our own pages, as a browser writes it into `Origin` for this request. */
  readonly ownOrigin: (request: FastifyRequest) => string
}

const reads = new Set(['GET', 'HEAD', 'OPTIONS'])

const foreignOrigin = (): Problem =>
  new Problem(403, 'client_error', [
    { code: 'origin_not_allowed', detail: 'Changes must come from a page of this service.', attr: null },
  ])

/** Refuses a call from a page of another site. Signing in is checked too: another site must not sign a user in. */
export const checkOrigin = (request: FastifyRequest, deps: Pick<AuthenticationDeps, 'ownOrigin'>): void => {
  if (request.headers.origin !== deps.ownOrigin(request)) throw foreignOrigin()
}

export const sessionTokenIn = (request: FastifyRequest, deps: Pick<AuthenticationDeps, 'secure'>): string | undefined =>
  request.cookies[sessionCookie(deps)]

export const addressAndAgent = (request: FastifyRequest): ClientInfo =>
  clientInfo(request.ip, request.headers['user-agent'])

/** The counter of the browser that sent the request. Undefined: none, or one that is over. */
export const counterIn = async (
  request: FastifyRequest,
  deps: Pick<AuthenticationDeps, 'db' | 'secure'>,
  now: Instant,
): Promise<OpenCounter | undefined> => {
  const token = request.cookies[counterCookie(deps)]
  return token === undefined ? undefined : openCounterOf(deps.db, token, request.ip, now)
}

const counterLocked = (): Problem =>
  new Problem(401, 'client_error', [
    { code: 'counter_locked', detail: 'This counter is locked: a cashier signs in with a PIN.', attr: null },
  ])

const cashierChanged = (): Problem =>
  new Problem(403, 'client_error', [
    { code: 'cashier_changed', detail: 'Another person is signed in here than the one this page shows.', attr: null },
  ])

/**
 * A page at a counter names the cashier that it shows: what is done on a page that another tab has switched meanwhile is refused, and
 * not done in the name of the next cashier.
 */
export const checkShownCashier = (request: FastifyRequest, { user }: Authenticated): void => {
  const inQuery = reads.has(request.method) ? (request.query as Readonly<Record<string, unknown>>).acting_as : undefined
  const shown = request.headers['x-sanad-cashier'] ?? inQuery
  if (shown !== undefined && String(shown) !== user.userId) throw cashierChanged()
}

const accountNotAllowed = (): Problem =>
  new Problem(403, 'client_error', [
    { code: 'account_not_allowed', detail: 'You cannot act for the account that this call names.', attr: null },
  ])

/** The account that the call names, in a header. A browser's links and streams set no headers: reads may name it in the query. */
export const requestedAccount = (request: FastifyRequest): string | undefined => {
  const sent = request.headers['x-sanad-account']
  if (sent !== undefined) return String(sent)
  if (!reads.has(request.method)) return undefined
  const requested = (request.query as Readonly<Record<string, unknown>>).acting_for
  return requested === undefined ? undefined : String(requested)
}

/** The same user in the account that the call names. A token is for one account, and so is a counter. */
export const inRequestedAccount = async (
  request: FastifyRequest,
  deps: Pick<AuthenticationDeps, 'sessions'>,
  authenticated: Authenticated,
  now: Instant,
): Promise<Authenticated> => {
  const requested = requestedAccount(request)
  if (requested === undefined) return authenticated
  const id = uuidOfText(requested) as AccountId | undefined
  if (id === undefined) throw accountNotAllowed()
  if (authenticated.via.kind !== 'session' && authenticated.user.member?.accountId !== id) throw accountNotAllowed()
  const user = await deps.sessions.inAccount(authenticated.user, id, now)
  if (user === undefined) throw accountNotAllowed()
  return { ...authenticated, user }
}

export const authenticateUser = async (
  request: FastifyRequest,
  deps: AuthenticationDeps,
  now: Instant,
): Promise<Authenticated> => {
  const from = addressAndAgent(request)
  const cookie = sessionTokenIn(request, deps)
  if (request.headers.authorization === undefined) {
    const session = cookie === undefined ? undefined : await deps.sessions.bySession(cookie, from.address, now)
    // A member who signs in at a counter with a password acts as that member, until they sign out.
    if (session === undefined) {
      const counter = await counterIn(request, deps, now)
      if (counter !== undefined) return atCounter(request, deps, counter, from, now)
      if (cookie !== undefined) throw notAuthenticated()
    } else {
      if (!reads.has(request.method)) checkOrigin(request, deps)
      return { user: session.user, via: { kind: 'session', id: session.id }, from }
    }
  }
  const bearer = await deps.tokens.check(bearerIn(request.headers.authorization), now)
  if (bearer === undefined) throw authenticationFailed(true)
  // A merchant's server has an API of its own.
  if (bearer.typ !== 'user') throw permissionDenied()
  requireNotMoved(request.server, bearer.acc)
  const user = await userOfToken(bearer, deps, from.address, now)
  // A token acts for its account: for a user who is no longer a member it is worthless.
  if (user === undefined || user.member?.accountId !== bearer.acc) throw authenticationFailed(true)
  if ((bearer.validFrom ?? 0) !== user.validFrom) throw authenticationFailed(true)
  return { user, via: { kind: 'token', id: bearer.sessionId ?? null }, from }
}

/** The cashier of a counter. A change is a touch: the counter stays open. */
const atCounter = async (
  request: FastifyRequest,
  deps: AuthenticationDeps,
  counter: OpenCounter,
  from: ClientInfo,
  now: Instant,
): Promise<Authenticated> => {
  if (counter.cashier === null) throw counterLocked()
  requireAccountHere(request.server, counter.accountId)
  if (!reads.has(request.method)) {
    checkOrigin(request, deps)
    await keepCashier(deps.db, counter, now)
  }
  return { user: counter.cashier, via: { kind: 'counter', id: counter.id }, from, counter }
}

/** The user of the token's session, so that ending the session ends the token. If it has none: the user that the token names. */
const userOfToken = async (
  bearer: Bearer & { readonly typ: 'user' },
  deps: Pick<AuthenticationDeps, 'sessions'>,
  address: string,
  now: Instant,
): Promise<SignedInUser | undefined> => {
  if (bearer.sessionId === undefined) return deps.sessions.byToken(bearer.sub, bearer.acc, now)
  const session = await deps.sessions.byTokenSession(bearer.sessionId, address, now)
  return session?.user.userId === bearer.sub ? session.user : undefined
}
