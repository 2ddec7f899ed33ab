/**
 * One path of the merchant, checkout or developer API: its methods, and the checks before each handler in their fixed order:
 * authentication (401, 403), rate limit (429), method (405). The handler then reads the body.
 */
import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import type { ApiKey } from '../../accounts/keys/api-key.ts'
import type { KeyLookup } from '../../accounts/keys/key-lookup.ts'
import type { KeyUse } from '../../accounts/keys/key-use.ts'
import type { Tokens } from '../../accounts/sessions/token.ts'
import type { Clock, Instant } from '../../core/clock.ts'
import { methodNotAllowed, sendJson, throttled } from '../answers.ts'
import { noteKeyHeader, noteQuery } from '../hints/note-ignored.ts'
import type { KnownParameters } from '../hints/query-hint.ts'
import { limitReason, takeCall } from '../limits/count-call.ts'
import type { Bucket, Limits, Rules, Verdict } from '../limits/rule.ts'
import { authenticateKey } from './authenticate.ts'

export type Call = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly key: ApiKey
  readonly now: Instant
}

export type Handler = (call: Call) => FastifyReply | Promise<FastifyReply>

export type Method = {
  readonly bucket: Bucket
  readonly handle: Handler
  /** The body that the contract describes, to name fields that it does not know. Left out: no body is read. */
  readonly body?: TSchema
  /** Left out: no parameter is read. */
  readonly query?: KnownParameters
  /** It reads the idempotency key. */
  readonly idempotent?: true
}

export type Resource = {
  readonly url: string
  /** The name in the answer to OPTIONS. */
  readonly name: string
  /** The handler of GET also serves HEAD. */
  readonly methods: {
    readonly [method in 'GET' | 'POST' | 'PATCH']?: Method
  }
  /** What to do instead, for the hint to another method; `*`: any. */
  readonly otherMethods?: Readonly<Record<string, string>>
  /** The bucket in which calls of other methods count. */
  readonly bucket: Bucket
}

export type ResourceDeps = {
  readonly clock: Clock
  readonly tokens: Tokens
  readonly keys: KeyLookup
  /** Records that a key was used, without delaying the call. */
  readonly keyUse: Pick<KeyUse, 'used' | 'exchanged'>
  readonly limits: Limits
  /** Null: no limits at all. */
  readonly rules: Rules | null
}

type AuthenticatedCall = { readonly key: ApiKey; readonly now: Instant; readonly body: TSchema | undefined }

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * The key and the time of the call; set when the checks have passed. A field of the request, because a map of requests
     * costs more.
     */
    merchant: AuthenticatedCall | undefined
  }
}

export const allowOf = (methods: readonly string[]): string =>
  [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')

export const addResource = (app: FastifyInstance, deps: ResourceDeps, resource: Resource): void => {
  const { methods } = resource
  const allow = allowOf(Object.keys(methods))
  if (!app.hasRequestDecorator('merchant')) app.decorateRequest('merchant', undefined)
  const methodOf = (request: FastifyRequest) =>
    methods[(request.method === 'HEAD' ? 'GET' : request.method) as keyof typeof methods]

  const admit = (request: FastifyRequest, key: ApiKey, now: Instant): void | Promise<void> => {
    request.caller = key
    const method = methodOf(request)
    const bucket = method?.bucket ?? resource.bucket
    const applyVerdict = (verdict: Verdict): void => {
      if (!verdict.allowed) throw throttled(verdict.retryAfterS, limitReason(deps, bucket, 'key'))
      deps.keyUse.used(key.clientId, now)
      if (method === undefined && request.method !== 'OPTIONS') throw methodNotAllowed(request.method, allow)
      request.merchant = { key, now, body: method?.body }
    }
    const verdict = takeCall(deps, bucket, key.clientId, now)
    return verdict instanceof Promise ? verdict.then(applyVerdict) : applyVerdict(verdict)
  }

  app.route({
    url: resource.url,
    config: { resource },
    method: METHODS.filter((method) => method !== 'CONNECT'),
    onRequest: (request, reply, done) => {
      // On every answer, as in the dialect, not only when a method is refused.
      reply.header('allow', allow)
      const now = deps.clock.now()
      try {
        const key = authenticateKey(request.headers.authorization, deps.tokens, deps.keys, now)
        const admitted =
          key instanceof Promise ? key.then((loaded) => admit(request, loaded, now)) : admit(request, key, now)
        if (admitted instanceof Promise) admitted.then(() => done(), done)
        else done()
      } catch (problem) {
        done(problem as Error)
      }
    },
    handler: (request, reply) => {
      const method = methodOf(request)
      if (method !== undefined) {
        noteQuery(request, method.query)
        if (method.idempotent) noteKeyHeader(request)
        const { key, now } = request.merchant!
        return method.handle({ request, reply, key, now })
      }
      const description = { name: resource.name, description: '', renders: [jsonType], parses: [jsonType] }
      return sendJson(reply, 200, JSON.stringify(description))
    },
  })
}

const jsonType = 'application/json'
