/**
 * `POST /ingest/{adapter}/{token}`: the API for existing forwarding apps. The token identifies the phone, and belongs to one app
 * (ingest-address.ts); if the app can sign and the phone has a signing key, the body must be signed as well. An authenticated app
 * gets 200 whatever the message is, because some apps delete a message at the first 4xx. A temporary failure is answered with 503,
 * so that the app tries again.
 */
import { forwardMessage } from '@sanad/contract/device/operations'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Instant } from '../../../core/clock.ts'
import { fingerprint } from '../../../core/seal.ts'
import type { Zone } from '../../../core/zone.ts'
import type { RecordAlerts } from '../../../matching/report/record-alerts.ts'
import type { FirstArrival } from '../../../wallets/phones/first-arrival.ts'
import type { Heartbeats } from '../../../wallets/phones/heartbeat.ts'
import { type IngestAddress, mayUseAddress } from '../../../wallets/phones/ingest-address.ts'
import type { KnownPhone, PhoneLookup } from '../../../wallets/phones/phone-lookup.ts'
import type { PhoneSecrets } from '../../../wallets/phones/phone-secrets.ts'
import { notFound, Problem } from '../../answers.ts'
import { requireNotMoved } from '../../moved-account.ts'
import { lastValues } from '../../query/parameters.ts'
import { type Api, addRoutes } from '../../routes/add-routes.ts'
import type { OpenCall } from '../../routes/route.ts'
import type { Adapter } from '../adapters/adapter.ts'
import { smsForwarder } from '../adapters/sms-forwarder.ts'
import { smsToUrl } from '../adapters/sms-to-url.ts'
import { smsgate } from '../adapters/smsgate.ts'
import { text } from '../adapters/text.ts'
import { bytesOf, countedRefusal, type PhoneRouteDeps, take, wrongSignature } from '../phone-route.ts'
import { isValidSignature } from '../signature.ts'

export type IngestDeps = PhoneRouteDeps & {
  readonly zone: Zone
  readonly secrets: PhoneSecrets
  readonly knownPhones: PhoneLookup
  readonly address: IngestAddress
  readonly arrive: FirstArrival
  readonly pulse: Heartbeats
  readonly record: RecordAlerts
}

const adapters: ReadonlyMap<string, Adapter> = new Map(
  [smsToUrl, smsgate, smsForwarder, text].map((adapter) => [adapter.name, adapter]),
)

/** The phone to which the token belongs, and the app that calls. */
type TokenHolder = { readonly adapter: Adapter; readonly phone: KnownPhone }

/** `trusted`: the message has a valid signature. */
type IngestCall = OpenCall & TokenHolder & { readonly trusted: boolean }

export const ingestApi = (deps: IngestDeps) => async (app: FastifyInstance) => {
  const run = (call: IngestCall) => orTryAgain(deps, () => takeMessage(deps, call))
  addRoutes(app, steps(deps), [{ operation: forwardMessage, run }])
}

const steps = (deps: IngestDeps): Api<IngestCall> => {
  const holders = new WeakMap<FastifyRequest, TokenHolder>()
  return {
    clock: deps.clock,
    configOf: () => ({}),
    beforeBody: (request, now) =>
      orTryAgain(deps, async () => {
        holders.set(request, await holderOf(deps, request, now))
      }),
    authenticate: (request, _, now) =>
      orTryAgain(deps, async () => {
        const { adapter, phone } = holders.get(request)!
        const trusted = await isSigned(deps, request, { adapter, phone }, now)
        if (!mayUseAddress(phone, adapter.name, trusted) || !(await deps.address.bind(phone, adapter.name)))
          throw await otherApp(deps, request, phone, adapter.name, now)
        return { adapter, phone, trusted, now, zone: () => deps.zone }
      }),
    count: ({ phone }, _request, _operation, now) =>
      orTryAgain(deps, async () => {
        const verdict = await take(deps, 'device', phone.id, now)
        if (!verdict.allowed) throw tryAgain(verdict.retryAfterS)
      }),
    permit: (caller) => caller,
  }
}

const holderOf = async (deps: IngestDeps, request: FastifyRequest, now: Instant): Promise<TokenHolder> => {
  const { adapter: name, token } = request.params as { adapter: string; token: string }
  const adapter = adapters.get(name)
  if (adapter === undefined) throw notFound()
  const phone = await deps.knownPhones.byToken(fingerprint(token), now)
  if (phone === undefined) throw await countedRefusal(deps, request, wrongSignature(), now)
  requireNotMoved(request.server, phone.accountId)
  if (!mayUseAddress(phone, name)) throw await otherApp(deps, request, phone, name, now)
  return { adapter, phone }
}

/** Whether the report has a valid signature. A wrong signature is refused. */
const isSigned = async (
  deps: IngestDeps,
  request: FastifyRequest,
  { adapter, phone }: TokenHolder,
  now: Instant,
): Promise<boolean> => {
  if (adapter.signature === undefined || phone.signingKeySealed === null) return false
  const key = deps.secrets.unsealSigningKey(phone.id, phone.signingKeySealed)
  const { over, hex } = adapter.signature(bytesOf(request), request.headers)
  if (!isValidSignature(key, over, hex)) throw await countedRefusal(deps, request, wrongSignature(), now)
  return true
}

const takeMessage = async (deps: IngestDeps, call: IngestCall): Promise<{ ok: boolean }> => {
  const { adapter, phone, trusted, request, now } = call
  await deps.arrive(phone)
  const query = lastValues(request.raw.url ?? '')
  const sent = { bytes: bytesOf(request), type: request.sentType ?? '', query, zone: deps.zone, now }
  const { reports, health, isPing } = adapter.read(sent)
  if (reports.length > 0) {
    const from = { accountId: phone.accountId, phoneId: phone.id, adapter: adapter.name, trusted }
    await deps.record(from, reports, now)
  }
  if (health !== undefined) await deps.pulse.beat(phone, health, isPing ? 'ping' : 'facts', now).catch(deps.onFault)
  await deps.pulse.seen(phone, reports.length > 0, now).catch(deps.onFault)
  return { ok: true }
}

/** An app that may not use this address: answered like a wrong token, and shown on the phone's page. */
export const otherApp = async (
  deps: IngestDeps,
  request: FastifyRequest,
  phone: KnownPhone,
  adapter: string,
  now: Instant,
): Promise<Problem> => {
  const problem = await countedRefusal(deps, request, wrongSignature(), now)
  if (problem.status === 401) await deps.address.refused(phone, adapter, now).catch(deps.onFault)
  return problem
}

const tryAgain = (after_s: number): Problem =>
  new Problem(
    503,
    'server_error',
    [{ code: 'unavailable', detail: 'The message could not be taken now. Send it again.', attr: null }],
    { 'retry-after': String(after_s) },
  )

/** Answers a fault of the service with 503: the app keeps the message and sends it again. */
const orTryAgain = async <T>(deps: PhoneRouteDeps, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (fault) {
    if (fault instanceof Problem) throw fault
    deps.onFault(fault)
    throw tryAgain(5)
  }
}
