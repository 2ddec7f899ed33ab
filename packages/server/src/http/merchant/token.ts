/**
 * `POST /token`: exchanges a client id and its secret, in two headers, for a short-lived access token. All wrong
 * credentials get the same answer. Successes are counted per client id; failures per client id and address, so that
 * nobody can lock a merchant out by knowing the public id.
 */
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ApiKey } from '../../accounts/keys/api-key.ts'
import { generationOf } from '../../accounts/keys/api-key.ts'
import type { AccountId, ClientId } from '../../core/ids.ts'
import { wholeAccount } from '../../core/scope.ts'
import { fingerprint } from '../../core/seal.ts'
import { authenticationFailed, methodNotAllowed, notAuthenticated, refusedAddress, sendJson } from '../answers.ts'
import { addressKey } from '../limits/address-key.ts'
import { countCall } from '../limits/count-call.ts'
import { METHODS } from '../methods.ts'
import { requireHere } from '../moved-account.ts'
import { allowOf } from '../routes/add-routes.ts'
import { described, type KeyApiDeps } from '../routes/key-route.ts'

const allow = allowOf(['POST'])

const header = (request: FastifyRequest, name: string): string | undefined => {
  const value = request.headers[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Compared with a secret that was sent for an unknown id. Nobody has its secret. */
const noKey: ApiKey = {
  clientId: '' as ClientId,
  scope: wholeAccount('' as AccountId),
  isTest: false,
  readOnly: false,
  allowsAddress: () => true,
  name: '',
  accountActive: false,
  monthlyIntentQuota: null,
  secretHash: fingerprint(randomBytes(32).toString('base64url')),
  generation: 1,
  previousSecretHash: null,
  previousUntil: null,
  revokedAt: 0,
}

export const addToken = (
  app: FastifyInstance,
  deps: KeyApiDeps & { readonly loadKey: (id: string) => Promise<ApiKey | undefined>; readonly ttl_s: number },
): void => {
  app.route({
    url: '/token',
    config: { secretBody: true, isToken: true },
    method: METHODS.filter((method) => method !== 'CONNECT'),
    onRequest: (request, reply, done) => {
      // On every answer, as on all paths of the merchant API.
      reply.header('allow', allow)
      if (request.method === 'POST' || request.method === 'OPTIONS') return done()
      done(methodNotAllowed(request.method, allow))
    },
    handler: async (request, reply) => {
      if (request.method === 'OPTIONS') return sendJson(reply, 200, described('Token'))
      const now = deps.clock.now()
      const id = header(request, 'service-client-id')?.trim().toLowerCase()
      const secret = header(request, 'service-client-secret')
      if (id === undefined || secret === undefined) throw notAuthenticated()

      // Read from the database each time: tokens are requested rarely, and a secret that was just revoked must get none.
      const key = /^[0-9a-f]{32}$/.test(id) ? await deps.loadKey(id) : undefined
      // An unknown id is compared like a known one, so that the time taken does not reveal which ids exist.
      const generation = generationOf(key ?? noKey, fingerprint(secret), now)
      if (key !== undefined) requireHere(app, key.scope.accountId)
      if (key === undefined || generation === undefined) {
        await countCall(deps, 'token_failure', `${id.slice(0, 64)}/${addressKey(request.ip)}`, now, 'address')
        throw authenticationFailed(false, undefined, key)
      }
      request.caller = key
      if (!key.allowsAddress(request.ip)) throw refusedAddress()
      await countCall(deps, 'token', id, now)
      deps.keyUse.exchanged(key.clientId, request.ip, now)
      const token = await deps.tokens.issue(
        { typ: 'client', sub: id as ClientId, acc: key.scope.accountId, generation },
        deps.ttl_s,
        now,
      )
      reply.header('pragma', 'no-cache')
      const answer = { access_token: token, token_type: 'Bearer', expires_in: deps.ttl_s }
      return sendJson(reply, 200, JSON.stringify(answer))
    },
  })
}
