/**
 * A call of the merchant, checkout or developer API, made with a token of client credentials. Fields, parameters and headers that
 * a call does not read are noted, so that the answer names them (decision 90).
 */
import type { Operation } from '@sanad/contract/operation'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ApiKey } from '../../accounts/keys/api-key.ts'
import type { KeyLookup } from '../../accounts/keys/key-lookup.ts'
import type { KeyUse } from '../../accounts/keys/key-use.ts'
import type { Tokens } from '../../accounts/sessions/token.ts'
import type { Clock } from '../../core/clock.ts'
import type { SentId } from '../../core/ids.ts'
import type { Zone } from '../../core/zone.ts'
import { permissionDenied, refusedAddress, throttled } from '../answers.ts'
import { noteKeyHeader, noteQuery } from '../hints/note-ignored.ts'
import { knownParameters } from '../hints/query-hint.ts'
import { limitReason, takeCall } from '../limits/count-call.ts'
import type { Bucket, Limits, Rules, Verdict } from '../limits/rule.ts'
import { requireNotMoved } from '../moved-account.ts'
import { addRoutes } from './add-routes.ts'
import { authenticateKey } from './authenticate-key.ts'
import { makeRoute, type OpenCall, type Route, type RouteMaker } from './route.ts'

export type KeyCall = OpenCall & { readonly key: ApiKey }
export type KeyRoute = Route<KeyCall>

/** A call whose path names an object. */
export type NamedKeyCall = KeyCall & { readonly path: { readonly id: SentId } }

export type KeyApiDeps = {
  readonly clock: Clock
  readonly zone: Zone
  readonly tokens: Tokens
  readonly keys: KeyLookup
  /** Records that a key was used, without delaying the call. */
  readonly keyUse: Pick<KeyUse, 'used' | 'exchanged'>
  readonly limits: Limits
  /** Null: no limits at all. */
  readonly rules: Rules | null
}

/** What is said of a path beside its operations. */
export type AboutPath = {
  /** The name in the answer to OPTIONS. */
  readonly name: string
  /** The bucket in which calls of other methods count. */
  readonly bucket: Bucket
  /** What to do instead, for the hint to another method; `*`: any. */
  readonly otherMethods?: Readonly<Record<string, string>>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The path of an API whose problems are explained. */
    explained?: AboutPath & { readonly operations: ReadonlyMap<string, Operation> }
  }
  interface FastifyRequest {
    /** The operation of a call whose answer names what had no effect. */
    noted: Operation | undefined
  }
}

const makeKeyRoute = (operation: Operation, ...given: [never, never?]): KeyRoute => {
  const { run } = makeRoute<KeyCall>(operation, ...given)
  const known = knownParameters(operation)
  const isIdempotent = operation.headers?.['SERVICE-IDEMPOTENCY-KEY'] !== undefined
  return {
    operation,
    run(call) {
      noteQuery(call.request, known)
      if (isIdempotent) noteKeyHeader(call.request)
      return run(call)
    },
  }
}

export const keyRoute = makeKeyRoute as RouteMaker<'key', KeyCall, KeyRoute>

/** Throws a 403 that says which limit of the key refuses the call. */
const checkLimits = (key: ApiKey, { ip }: FastifyRequest, operation: Operation | undefined): void => {
  if (!key.allowsAddress(ip)) throw refusedAddress()
  if (key.readOnly && operation !== undefined && operation.method !== 'GET')
    throw permissionDenied('This key may only read.')
}

const jsonType = 'application/json'

/** The answer to OPTIONS, as the dialect has it. */
export const described = (name: string): string =>
  JSON.stringify({ name, description: '', renders: [jsonType], parses: [jsonType] })

export const addKeyRoutes = (
  app: FastifyInstance,
  deps: KeyApiDeps,
  about: Readonly<Record<string, AboutPath>>,
  routes: readonly KeyRoute[],
): void => {
  if (!app.hasRequestDecorator('noted')) app.decorateRequest('noted', undefined)
  const zone = (): Zone => deps.zone
  addRoutes<KeyCall>(
    app,
    {
      clock: deps.clock,
      authenticate(request, operation, now) {
        const admit = (key: ApiKey) => {
          request.caller = key
          request.noted = operation
          return { key, now, zone }
        }
        const { authorization } = request.headers
        const key = authenticateKey(authorization, deps.tokens, deps.keys, now, (accountId) =>
          requireNotMoved(app, accountId),
        )
        return key instanceof Promise ? key.then(admit) : admit(key)
      },
      count({ key }, request, operation, now) {
        const bucket = (operation?.limit as Bucket | undefined) ?? request.routeOptions.config.explained!.bucket
        const apply = (verdict: Verdict): void => {
          if (!verdict.allowed) throw throttled(verdict.retryAfterS, limitReason(deps, bucket, 'key'))
          deps.keyUse.used(key.clientId, request.ip, now)
        }
        const verdict = takeCall(deps, bucket, key.clientId, now)
        return verdict instanceof Promise ? verdict.then(apply) : apply(verdict)
      },
      permit(caller, request, operation) {
        checkLimits(caller.key, request, operation)
        return caller
      },
      describe: (path) => described(about[path]!.name),
      configOf: (path, operations) => ({
        explained: { ...about[path]!, operations: new Map(operations.map((one) => [one.method, one])) },
      }),
    },
    routes,
  )
}
