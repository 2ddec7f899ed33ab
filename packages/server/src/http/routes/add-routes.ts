/**
 * The one way into every API. A call passes these steps, in the order of decision 7; the first that refuses it answers:
 *
 * 1. `authenticate`: who calls (401), and from a page of which site (403)
 * 2. `count`: the limits of the caller (429)
 * 3. the method (405)
 * 4. `permit`: what the caller may do (403)
 * 5. the object that the path names (404), the query and the body (400): route.ts
 * 6. the handler, and its answer
 *
 * The first four run before the body is received. Where the caller signs the body (`beforeBody`), the method is refused first, and
 * the other steps run when the body is there.
 */
import type { Operation } from '@sanad/contract/operation'
import type { FastifyContextConfig, FastifyInstance, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify'
import type { Clock, Instant } from '../../core/clock.ts'
import type { CallContext } from '../../core/tracing/call-context.ts'
import { methodNotAllowed, notFound, sendJson } from '../answers.ts'
import { METHODS } from '../methods.ts'
import { requireHere } from '../moved-account.ts'
import { accountOfCaller } from './caller-account.ts'
import type { OpenCall, Route } from './route.ts'

type MayWait<T> = T | Promise<T>

/** What an API knows of a call that is admitted, beside the request. */
export type Admitted<C extends OpenCall> = Omit<C, 'request' | 'reply'>

/** What an API adds to the steps. `Caller`: what it knows of the call when the caller is known. */
export type Api<C extends OpenCall, Caller = Admitted<C>> = {
  readonly clock: Clock
  /**
   * For an API whose callers sign the body: refuses what can be refused before it is received. Such an API knows of a call only what
   * its own methods send: another method is refused without asking who calls. Left out: the caller is known without the body.
   */
  readonly beforeBody?: (request: FastifyRequest, now: Instant) => MayWait<void>
  /** `operation`: undefined if the path does not have the method. */
  readonly authenticate: (request: FastifyRequest, operation: Operation | undefined, now: Instant) => MayWait<Caller>
  readonly count: (
    caller: Caller,
    request: FastifyRequest,
    operation: Operation | undefined,
    now: Instant,
  ) => MayWait<void>
  readonly permit: (
    caller: Caller,
    request: FastifyRequest,
    operation: Operation | undefined,
    now: Instant,
  ) => MayWait<Admitted<C>>
  /** The body of the answer to OPTIONS. Left out: OPTIONS is refused, and only a refused method is answered with `Allow`. */
  readonly describe?: (path: string) => string
  /** Left out: the methods that no operation has share one route, because the router keeps a tree of paths for each method. */
  readonly configOf?: (path: string, operations: readonly Operation[]) => FastifyContextConfig
}

declare module 'fastify' {
  interface FastifyRequest {
    /** What the API knows of the call, once it is admitted. A field of the request, because a map of requests costs more. */
    admitted: unknown
    /** What the log and the trace say of the request. */
    context: CallContext | undefined
  }
}

export const allowOf = (methods: readonly string[]): string =>
  [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')

const usualMethods = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT']
const everyMethod = METHODS.filter((method) => method !== 'CONNECT')
const otherMethods = everyMethod.filter((method) => !usualMethods.includes(method))

/** Goes on at once if nothing has to be waited for: most calls of a merchant's server are admitted from memory. */
const then = <T, U>(value: MayWait<T>, next: (value: T) => MayWait<U>): MayWait<U> =>
  value instanceof Promise ? value.then(next) : next(value)

const noteAccount = ({ context }: FastifyRequest, caller: unknown): void => {
  if (context !== undefined) context.accountId = accountOfCaller(caller)
}

const refuseElsewhere = ({ server }: FastifyRequest, caller: unknown): void => {
  const accountId = accountOfCaller(caller)
  if (accountId !== undefined) requireHere(server, accountId)
}

type Admit = (request: FastifyRequest, reply: FastifyReply) => MayWait<void>

const asHook =
  (admit: Admit): onRequestHookHandler =>
  (request, reply, done) => {
    try {
      const admitted = admit(request, reply)
      if (admitted instanceof Promise) admitted.then(() => done(), done)
      else done()
    } catch (problem) {
      done(problem as Error)
    }
  }

const addPath = <C extends OpenCall, Caller>(
  app: FastifyInstance,
  api: Api<C, Caller>,
  path: string,
  routes: readonly Route<C>[],
): Admit => {
  const byMethod = new Map<string, Route<C>>(routes.map((route) => [route.operation.method, route]))
  const methods = [...byMethod.keys()]
  const allow = api.describe === undefined ? methods.join(', ') : allowOf(methods)
  const routeFor = ({ method }: FastifyRequest): Route<C> | undefined =>
    byMethod.get(method === 'HEAD' ? 'GET' : method)

  const refuseOtherMethods = (request: FastifyRequest, operation: Operation | undefined): void => {
    if (operation !== undefined || (api.describe !== undefined && request.method === 'OPTIONS')) return
    throw methodNotAllowed(request.method, allow)
  }

  const admit: Admit = (request, reply) => {
    if (api.describe !== undefined) reply.header('allow', allow)
    const now = api.clock.now()
    const operation = routeFor(request)?.operation
    return then(api.authenticate(request, operation, now), (caller) => {
      noteAccount(request, caller)
      return then(api.count(caller, request, operation, now), () => {
        refuseOtherMethods(request, operation)
        return then(api.permit(caller, request, operation, now), (admitted) => {
          // A user may act for another account than the session's.
          noteAccount(request, admitted)
          refuseElsewhere(request, admitted)
          request.admitted = admitted
        })
      })
    })
  }

  const { beforeBody } = api
  const begin: Admit = (request) => {
    refuseOtherMethods(request, routeFor(request)?.operation)
    return beforeBody!(request, api.clock.now())
  }

  app.route({
    url: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    method: api.configOf === undefined ? usualMethods : everyMethod,
    config:
      api.configOf?.(
        path,
        routes.map(({ operation }) => operation),
      ) ?? {},
    onRequest: asHook(beforeBody === undefined ? admit : begin),
    ...(beforeBody === undefined ? {} : { preHandler: asHook(admit) }),
    handler: (request, reply) => {
      const route = routeFor(request)
      if (route === undefined) return sendJson(reply, 200, api.describe!(path))
      return answer(route, request, reply)
    },
  })
  return admit
}

const answer = async <C extends OpenCall>(
  { operation, run }: Route<C>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> => {
  const call = request.admitted as { request?: FastifyRequest; reply?: FastifyReply }
  call.request = request
  call.reply = reply
  const result = await run(call as C)
  // A handler that returns a reply has answered; wait until it is sent.
  if (result === reply || reply.raw.headersSent) return reply
  if (result === undefined) return reply.code(operation.status).send()
  return sendJson(reply, operation.status, JSON.stringify(result))
}

export const addRoutes = <C extends OpenCall, Caller = Admitted<C>>(
  app: FastifyInstance,
  api: Api<C, Caller>,
  routes: readonly Route<C>[],
): void => {
  if (!app.hasRequestDecorator('admitted')) app.decorateRequest('admitted', undefined)
  const paths = Map.groupBy(routes, ({ operation }) => operation.path)
  // As the router does: a path without a parameter comes before a path with one.
  const parameters = (path: string): number => path.split('{').length
  const sorted = [...paths].sort(([a], [b]) => parameters(a) - parameters(b))
  const added = sorted.map(([path, all]) => ({
    pattern: new RegExp(`^${app.prefix}${path.replaceAll(/\{\w+\}/g, '[^/]+').replace(/\/$/, '')}/?$`),
    admit: addPath(app, api, path, all),
  }))
  if (api.configOf !== undefined) return
  app.route({
    url: '/*',
    method: otherMethods,
    onRequest: async (request, reply) => {
      const path = request.url.split('?')[0]!
      await added.find(({ pattern }) => pattern.test(path))?.admit(request, reply)
    },
    // No operation has such a method. On a known path the step above has already refused it with 405.
    handler: () => {
      throw notFound()
    },
  })
}
