/**
 * One call of the dashboard’s API: an operation of the contract and its handler. Before each handler the checks run in
 * the order of the merchant API: authentication (401), origin of the page (403), rate limit (429), method (405), account
 * (403), permission (403). Then the handler finds the object (404) and reads the body. Answers are for one user and
 * must not be cached.
 */
import { METHODS } from 'node:http'
import type { AnswerOf, Operation } from '@sanad/contract/operation'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { type Actor, type Change, changeWithAudit, type WriteAudit } from '../../accounts/audit/audit.ts'
import { type Action, type MemberRole, mayDo, permissions } from '../../accounts/people/permission.ts'
import { actorOf } from '../../accounts/people/signed-in-user.ts'
import type { Clock, Instant } from '../../core/clock.ts'
import type { AccountId, UserId } from '../../core/ids.ts'
import type { Refusal } from '../../core/refusal.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { withRetries } from '../../postgres/query/gather.ts'
import type { JoinedDb } from '../../postgres/query/joined.ts'
import { invalid, methodNotAllowed, notFound, permissionDenied, sendJson } from '../answers.ts'
import type { Reading } from '../body/fields.ts'
import type { Json } from '../body/json.ts'
import { countCall, type LimitDeps } from '../limits/count-call.ts'
import type { Bucket, Limits, Rules } from '../limits/rule.ts'
import { sentBody } from '../merchant/sent-body.ts'
import { type Authenticated, type AuthenticationDeps, authenticateUser, inRequestedAccount } from './authenticate.ts'
import { type Answerable, accepted } from './refusals.ts'

/** A user in the account that they act for. */
export type Member = { readonly userId: UserId; readonly accountId: AccountId; readonly role: MemberRole }

export type OpenCall = { readonly request: FastifyRequest; readonly reply: FastifyReply; readonly now: Instant }
export type UserCall = OpenCall & Authenticated
export type Call = UserCall & { readonly member: Member }

/** The result of a handler: a value of the operation's answer type, or a reply that the handler has sent itself. */
type Answered<O extends Operation> = Promise<AnswerOf<O> | FastifyReply>

export type Route = {
  readonly operation: Operation
  readonly handle: (call: Call) => Promise<unknown>
}

/** The dependencies of the checks before every call, and the function that sends hints to other screens. */
export type DashboardContext = AuthenticationDeps & {
  readonly db: Db
  readonly clock: Clock
  readonly limits: Limits
  /** Null: no limits at all. */
  readonly rules: Rules | null
  /** Sends a hint to other screens, after the commit. Account null: the hint is for every account. */
  readonly sendHint: (accountId: AccountId | null, change: Pick<Change, 'kind' | 'id'>) => void
}

/** A call for an account: the role table must allow its action (`access`) to the member. */
export const route = <const O extends Operation & { readonly access: Action }>(
  operation: O,
  handle: (call: Call) => Answered<O>,
): Route => ({ operation, handle })

/** A call that needs a signed-in user and no account: a user's own settings, or what operators do. */
export const userRoute = <const O extends Operation & { readonly access: 'self' | 'operator' }>(
  operation: O,
  handle: (call: UserCall) => Answered<O>,
): Route => ({ operation, handle })

export const openRoute = <const O extends Operation & { readonly access: 'open' }>(
  operation: O,
  handle: (call: OpenCall) => Answered<O>,
): Route => ({ operation, handle })

/** Counts a call, or refuses it. */
export const count = async (deps: LimitDeps, bucket: Bucket, key: string, now: Instant): Promise<void> =>
  countCall(deps, bucket, key, now)

/** Takes a count back, when the call turned out not to be of the kind that this bucket counts. */
export const giveBack = async (
  deps: Pick<DashboardContext, 'limits' | 'rules'>,
  bucket: Bucket,
  key: string,
  now: Instant,
): Promise<void> => {
  if (deps.rules !== null) await deps.limits.giveBack(bucket, key, deps.rules[bucket], now)
}

const isAction = (access: string): access is Action => Object.hasOwn(permissions, access)

/** Throws a 403 if this user may not make the call. Returns the member, if the call acts for an account. */
const admit = (authenticated: Authenticated, access: string): Member | undefined => {
  const { user } = authenticated
  if (access === 'self') return undefined
  if (access === 'operator') {
    if (!user.operator) throw permissionDenied()
    return undefined
  }
  if (!isAction(access)) throw new Error(`the role table has no action ${access}`)
  if (user.member === null || !mayDo(user.member.role, access)) throw permissionDenied()
  return { userId: user.userId, ...user.member }
}

const pathOf = (operation: Operation): string => operation.path.replaceAll(/\{(\w+)\}/g, ':$1')

/** The methods that clients use. The router keeps a tree of paths for each method: so all other methods share one route, `/*`. */
const usualMethods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']
const otherMethods = METHODS.filter((method) => method !== 'CONNECT' && !usualMethods.includes(method))

type Check = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

/** All routes of one path, which share their `Allow`. Returns the checks that come before the handler. */
const addPath = (app: FastifyInstance, deps: DashboardContext, url: string, routes: readonly Route[]): Check => {
  const names = routes.map(({ operation }) => operation.method)
  const allow = [...names, ...(names.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  const checked = new WeakMap<FastifyRequest, Omit<Call, 'request' | 'reply'>>()
  const routeOf = (request: FastifyRequest): Route | undefined =>
    routes.find(({ operation }) => operation.method === (request.method === 'HEAD' ? 'GET' : request.method))

  const check: Check = async (request, reply) => {
    reply.header('allow', allow).header('cache-control', 'no-store')
    const now = deps.clock.now()
    const matched = routeOf(request)
    if (matched?.operation.access === 'open') return void checked.set(request, { now } as Call)
    const signedIn = await authenticateUser(request, deps, now)
    await count(deps, 'dashboard', signedIn.user.userId, now)
    if (matched === undefined && request.method !== 'OPTIONS') throw methodNotAllowed(request.method, allow)
    const authenticated = await inRequestedAccount(request, deps, signedIn, now)
    const member = matched === undefined ? undefined : admit(authenticated, matched.operation.access)
    checked.set(request, { now, ...authenticated, member } as Call)
  }

  app.route({
    url,
    method: usualMethods,
    onRequest: check,
    handler: async (request, reply) => {
      const route = routeOf(request)
      if (route === undefined) return sendJson(reply, 200, '{}')
      const answer = await route.handle({ request, reply, ...checked.get(request)! })
      // A handler that returns a reply has answered; wait until it is sent.
      if (answer === reply || reply.raw.headersSent) return reply
      const { status } = route.operation
      return answer === undefined ? reply.code(status).send() : sendJson(reply, status, JSON.stringify(answer))
    },
  })
  return check
}

export const addRoutes = (app: FastifyInstance, deps: DashboardContext, routes: readonly Route[]): void => {
  const paths = new Map<string, Route[]>()
  for (const route of routes) {
    const path = pathOf(route.operation)
    paths.set(path, [...(paths.get(path) ?? []), route])
  }
  // As the router does: a path without a parameter comes before a path with one.
  const parameters = (url: string): number => url.split(':').length
  const sorted = [...paths].sort(([a], [b]) => parameters(a) - parameters(b))
  const checks = sorted.map(([url, all]) => ({
    pattern: new RegExp(`^${app.prefix}${url.replaceAll(/:\w+/g, '[^/]+').replace(/\/$/, '')}/?$`),
    check: addPath(app, deps, url, all),
  }))
  app.route({
    url: '/*',
    method: otherMethods,
    onRequest: async (request, reply) => {
      const path = request.url.split('?')[0]!
      await checks.find(({ pattern }) => pattern.test(path))?.check(request, reply)
    },
    // No operation has such a method. On a known path the check has already refused it with 405.
    handler: () => {
      throw notFound()
    },
  })
}

export const bodyOf = <T>({ request }: Pick<OpenCall, 'request'>, read: (sent: Json) => Reading<T>): T => {
  const reading = read(sentBody(request))
  if (reading.kind === 'no') throw invalid(reading.errors)
  return reading.value
}

export const actorIn = ({ user, via, from }: UserCall): Actor => ({
  accountId: user.member?.accountId ?? null,
  userId: user.userId,
  actor: actorOf(user),
  via: via.kind,
  ...from,
})

/**
 * Runs a change with its audit entries in one transaction; other screens get a hint after the commit. `work` must make no
 * network call. A refusal that `work` returns keeps what was written before it, and must come before any `audit`; one that it
 * throws by `accepted` undoes the transaction. After a deadlock `work` runs again.
 */
export const tryChange = async <T>(
  deps: Pick<DashboardContext, 'db' | 'sendHint'>,
  call: UserCall,
  work: (db: JoinedDb, audit: WriteAudit) => Promise<T>,
): Promise<T> => {
  const actor = actorIn(call)
  const { result, changes } = await withRetries(() => changeWithAudit(deps.db, actor, call.now, work))
  for (const { kind, id, notice, ...recorded } of changes) {
    const accountId = recorded.accountId === undefined ? actor.accountId : recorded.accountId
    deps.sendHint(accountId, { kind, id })
    if (notice !== undefined) deps.sendHint(accountId, { kind: 'notice', id: '' })
  }
  return result
}

/** As `tryChange`, for a handler that has nothing to add to a refusal: here it becomes its answer. */
export const change = async <T>(
  deps: Pick<DashboardContext, 'db' | 'sendHint'>,
  call: UserCall,
  work: (db: JoinedDb, audit: WriteAudit) => Promise<T> & Answerable<T>,
): Promise<Exclude<T, Refusal>> => accepted<T>((await tryChange(deps, call, work)) as T & Answerable<T>)
