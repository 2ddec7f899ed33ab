/**
 * The server that SMS Gateway for Android expects behind its setting "API URL" (its own name for this is a private
 * server): `/ingest/smsgate/{token}/device`, `/webhooks`, `/settings` and `/message`. The app has no screen to enter a
 * webhook; it takes its webhooks and settings from that server. So one address, pasted into one field, sets it up.
 *
 * The token in the path identifies the phone, as in the address of reports. While the session of the phone's set-up page is
 * open, `/settings` also answers the signing key. After that it does not, so that an address that leaks later does not reveal
 * the key. This server never asks the app to send a message: the list of messages is empty.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Instant } from '../../../core/clock.ts'
import { wholeAccount } from '../../../core/scope.ts'
import { fingerprint } from '../../../core/seal.ts'
import type { Db } from '../../../postgres/connection/database.ts'
import { markGatewaySetup } from '../../../wallets/pairing/phone-setup-sql.ts'
import { mayUseAddress } from '../../../wallets/phones/ingest-address.ts'
import type { KnownPhone } from '../../../wallets/phones/phone-lookup.ts'
import { sendJson, throttled } from '../../answers.ts'
import { requireHere } from '../../moved-account.ts'
import { smsgate } from '../adapters/smsgate.ts'
import { countedRefusal, take, wrongSignature } from '../phone-route.ts'
import { type IngestDeps, otherApp } from './ingest-api.ts'

export type GatewayDeps = IngestDeps & {
  readonly db: Db
  /** The address of this service as the caller sees it. */
  readonly origin: (request: FastifyRequest) => string
  /** Called at each call of the app during the phone's set-up: screens that show the set-up get a hint. */
  readonly onSetup: (phone: KnownPhone) => void
}

const pingEvery_s = 60

/** `me.capcom.smsgateway/1.68.0` */
const versionIn = (agent: string | undefined): string | undefined =>
  /^me\.capcom\.smsgateway\/(\d{1,4}\.\d{1,4}(?:\.\d{1,4})?)/.exec(agent ?? '')?.[1]

/** From 1.66 on the app knows `app:started`. An older version fails at an unknown event, and then registers none. */
const eventsFor = (version: string | undefined): string[] => {
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number)
  const knowsStart = major > 1 || (major === 1 && minor >= 66)
  return ['sms:received', 'system:ping', ...(knowsStart ? ['app:started'] : [])]
}

type Gateway = { readonly phone: KnownPhone; readonly token: string; readonly now: Instant }

export const smsgateServer = (deps: GatewayDeps) => async (app: FastifyInstance) => {
  const base = `/ingest/${smsgate.name}/:token`

  const gatewayIn = async (request: FastifyRequest): Promise<Gateway> => {
    const now = deps.clock.now()
    const { token } = request.params as { token: string }
    const phone = await deps.knownPhones.byToken(fingerprint(token), now)
    if (phone === undefined) throw await countedRefusal(deps, request, wrongSignature(), now)
    requireHere(request.server, phone.accountId)
    if (!mayUseAddress(phone, smsgate.name)) throw await otherApp(deps, request, phone, smsgate.name, now)
    const verdict = await take(deps, 'device', phone.id, now)
    if (!verdict.allowed) throw throttled(verdict.retryAfterS)
    return { phone, token, now }
  }

  /** Stores that the app has called. `open`: the session of the phone's set-up page is still open. */
  const recordCall = async (
    request: FastifyRequest,
    step: 'registered' | 'configured',
  ): Promise<Gateway & { open: boolean }> => {
    const gateway = await gatewayIn(request)
    const { phone, now } = gateway
    const marked = await markGatewaySetup(deps.db, wholeAccount(phone.accountId), phone.id, step, now)
    await deps.arrive(phone)
    await deps.pulse.seen(phone, false, now).catch(deps.onFault)
    if (marked.length > 0) deps.onSetup(phone)
    return { ...gateway, open: marked.length > 0 }
  }

  const answer = (reply: FastifyReply, value: unknown, status = 200): FastifyReply =>
    sendJson(reply.header('cache-control', 'no-store'), status, JSON.stringify(value))

  app.post(`${base}/device`, async (request, reply) => {
    const { phone } = await recordCall(request, 'registered')
    // The app shows `login`, and sends `token` back in a header that is not read: the address identifies the phone.
    return answer(reply, { id: phone.id, token: 'in-the-address', login: phone.name, password: null }, 201)
  })
  app.patch(`${base}/device`, async (request, reply) => {
    await recordCall(request, 'registered')
    return answer(reply, {})
  })
  app.get(`${base}/device`, async (request, reply) => {
    await gatewayIn(request)
    return answer(reply, { externalIp: request.ip })
  })
  app.get(`${base}/webhooks`, async (request, reply) => {
    const { token } = await gatewayIn(request)
    const url = `${deps.origin(request).replace(/\/+$/, '')}/ingest/${smsgate.name}/${token}`
    const events = eventsFor(versionIn(request.headers['user-agent']))
    return answer(
      reply,
      events.map((event) => ({ id: `sanad-${event.replace(':', '-')}`, url, event })),
    )
  })
  app.get(`${base}/settings`, async (request, reply) => {
    const { phone, open } = await recordCall(request, 'configured')
    const key = open && phone.signingKeySealed !== null ? phone.signingKeySealed : undefined
    return answer(reply, {
      ping: { interval_seconds: pingEvery_s },
      ...(key === undefined ? {} : { webhooks: { signing_key: deps.secrets.unsealSigningKey(phone.id, key) } }),
    })
  })
  app.get(`${base}/message`, async (request, reply) => {
    await gatewayIn(request)
    return answer(reply, [])
  })
  app.patch(`${base}/message`, async (request, reply) => {
    await gatewayIn(request)
    return answer(reply, {})
  })
}
