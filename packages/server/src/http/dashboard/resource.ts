/**
 * One path of the dashboard's API: which methods it has, and the checks before each, in the order of the merchant API:
 * who asks (401, 403), how often (429), with which method (405). Then the handler finds the object (404) and reads the
 * body. Answers are for the person who asked, and nobody keeps them.
 */
import { METHODS } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Member, MemberLookup } from '../../accounts/member-lookup.ts'
import type { Tokens } from '../../accounts/token.ts'
import type { Clock, Instant } from '../../ground/clock.ts'
import { methodNotAllowed, notFound, sendJson, throttled } from '../answers.ts'
import { uuidOfText } from '../body/uuid.ts'
import type { Bucket, Limits, Rules } from '../limits/rule.ts'

export type Call = {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly who: Member
  readonly now: Instant
}

export type Handler = (call: Call) => Promise<FastifyReply>

export type Resource = {
  readonly url: string
  /** GET answers HEAD as well. */
  readonly methods: { readonly [method in 'GET' | 'POST' | 'PATCH' | 'DELETE']?: Handler }
}

export type DashboardDoor = {
  readonly clock: Clock
  readonly tokens: Tokens
  readonly members: MemberLookup
  readonly limits: Limits
  /** Null: no limits at all. */
  readonly rules: Rules | null
}

/** Counts a call, or refuses it. */
export const count = async (door: DashboardDoor, bucket: Bucket, key: string, now: Instant): Promise<void> => {
  if (door.rules === null) return
  const verdict = await door.limits.take(bucket, key, door.rules[bucket], now)
  if (!verdict.allowed) throw throttled(verdict.retryAfterS)
}

export const addResource = (
  app: FastifyInstance,
  door: DashboardDoor,
  whoAsks: (request: FastifyRequest, now: Instant) => Promise<Member>,
  { url, methods }: Resource,
): void => {
  const names = Object.keys(methods)
  const allow = [...names, ...(names.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  const known = new WeakMap<FastifyRequest, { who: Member; now: Instant }>()
  const handlerOf = (request: FastifyRequest): Handler | undefined =>
    methods[(request.method === 'HEAD' ? 'GET' : request.method) as keyof typeof methods]

  app.route({
    url,
    method: METHODS.filter((method) => method !== 'CONNECT'),
    onRequest: async (request, reply) => {
      reply.header('allow', allow).header('cache-control', 'no-store')
      const now = door.clock.now()
      const who = await whoAsks(request, now)
      await count(door, 'dashboard', who.userId, now)
      if (handlerOf(request) === undefined && request.method !== 'OPTIONS')
        throw methodNotAllowed(request.method, allow)
      known.set(request, { who, now })
    },
    handler: (request, reply) => {
      const handle = handlerOf(request)
      if (handle === undefined) return sendJson(reply, 200, '{}')
      return handle({ request, reply, ...known.get(request)! })
    },
  })
}

/** An id in the path. What is no id names nothing. */
export const idIn = <Id extends string>(request: FastifyRequest, name: string): Id => {
  const id = uuidOfText((request.params as Record<string, string>)[name] ?? '')
  if (id === undefined) throw notFound()
  return id as Id
}
