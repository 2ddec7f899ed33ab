/**
 * The HTTP server as a function that a test can call: it registers the APIs under their paths and opens no port. Invalid
 * input of any kind is answered in the one format of errors. A fault is answered with a 500 or 503 without internal
 * facts, which are logged.
 */
import type { Socket } from 'node:net'
import fastify, { type FastifyError, type FastifyInstance, type FastifyRequest } from 'fastify'
import type { CallLog } from '../../calls/call-log.ts'
import type { Clock } from '../../core/clock.ts'
import { minute_ms } from '../../core/duration.ts'
import type { Tracer } from '../../core/tracing/trace.ts'
import type { ClockGuard } from '../../postgres/clock/clock-guard.ts'
import { isFrozen, isTimeout, isUnavailable } from '../../postgres/connection/unavailable.ts'
import type { FrozenAccounts } from '../../postgres/tenancy/frozen-accounts.ts'
import {
  accountFrozen,
  notFound,
  Problem,
  problemText,
  sendProblem,
  serverError,
  tooLarge,
  unavailable,
} from '../answers.ts'
import { payBase } from '../checkout/checkout-answer.ts'
import { type CheckoutDeps, checkoutApi, checkoutBase } from '../checkout/checkout-api.ts'
import { type DashboardDeps, dashboardApi, dashboardBase } from '../dashboard/api/dashboard-api.ts'
import { type DeveloperDeps, developerApi, developerBase } from '../developer/developer-api.ts'
import { type DeviceDeps, deviceApi, deviceBase } from '../device/device-api.ts'
import { heartbeatApi } from '../device/ingest/heartbeat-api.ts'
import { type IngestDeps, ingestApi } from '../device/ingest/ingest-api.ts'
import { type GatewayDeps, smsgateServer } from '../device/ingest/smsgate-server.ts'
import type { ForwardStamps } from '../forward/forward-stamp.ts'
import { forwardedHeader } from '../forward/forwarded-headers.ts'
import { type Forwarder, forwardFault } from '../forward/forwarder.ts'
import { type Health, health } from '../health.ts'
import { brokenPathHint } from '../hints/path-hint.ts'
import type { LoadMeter } from '../load-meter.ts'
import { type MerchantDeps, merchantApi, merchantBase } from '../merchant/merchant-api.ts'
import { METHODS } from '../methods.ts'
import type { Metrics } from '../metrics.ts'
import type { PairDeps } from '../pair/pair-calls.ts'
import { pairPages } from '../pair/pair-page.ts'
import { type PayDeps, payPages, sendUnknown } from '../pay/pay-routes.ts'
import { requestIdFor } from '../request-id.ts'
import { authenticateKey } from '../routes/authenticate-key.ts'
import { type VoucherDeps, voucherBase, voucherPages } from '../voucher/voucher-routes.ts'
import { type WellKnownDeps, wellKnown } from '../well-known.ts'
import { refuseAtWrongTime } from '../wrong-time.ts'
import { admission } from './admission.ts'
import { hintFor } from './explain.ts'
import { followCalls, reportAnswers } from './follow-calls.ts'
import { recordCalls, recordUnknownPaths } from './record-calls.ts'
import { refuseOverload } from './refuse-overload.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Accounts that are not used here. Undefined: none ever is. */
    frozen: FrozenAccounts | undefined
  }
  interface FastifyRequest {
    /** The Content-Type as it was sent. */
    sentType: string | undefined
    /** Whether the load meter counts the request. */
    counted: boolean
  }
}

export type AppLog = {
  info(facts: object, text: string): void
  error(facts: object, text: string): void
}

export type AppOptions = {
  readonly log: AppLog
  readonly clock: Clock
  /** How many proxies are in front of the service. */
  readonly trustProxy: number
  /** The service is only reached by https: answers tell browsers so (HSTS). */
  readonly onlyTls?: boolean
  readonly merchant: MerchantDeps
  /** Left out: no checkouts. */
  readonly checkout?: CheckoutDeps
  readonly pay?: PayDeps
  /** Left out: no public vouchers. */
  readonly voucher?: VoucherDeps
  /** Left out: no API for developers' tools. */
  readonly developer?: DeveloperDeps
  /** Left out: calls are not recorded. */
  readonly calls?: CallLog
  /** Left out: no phone API. */
  readonly device?: DeviceDeps & IngestDeps & GatewayDeps
  /** Left out: no set-up page for phones. */
  readonly pair?: PairDeps
  /** Left out: no dashboard. */
  readonly dashboard?: DashboardDeps
  readonly health: Health
  /** Left out: no account is ever frozen. */
  readonly frozen?: FrozenAccounts
  /** Left out: calls of accounts that have moved are refused. */
  readonly forwarder?: Forwarder
  /** Left out: no other cell is believed whose call it forwards. */
  readonly stamps?: ForwardStamps
  /** Left out: no files for search engines and finders of holes. */
  readonly wellKnown?: WellKnownDeps
  /** Left out: the clock is right. */
  readonly clockGuard?: ClockGuard
  readonly metrics: Metrics
  /** Left out: no traces. */
  readonly tracer?: Tracer
  /** Left out: the load is not measured. */
  readonly load?: LoadMeter
  /** Registers further pages: the API reference, the dashboard. */
  readonly more?: (app: FastifyInstance) => Promise<void>
}

/** A year. Without subdomains, which may belong to others. */
const hstsHeader = 'max-age=31536000'

/** The number of Host headers. Node keeps the first of several without an error. */
const countHosts = (rawHeaders: readonly string[]): number => {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts
}

export const mostBody_bytes = 1024 * 1024

export const buildApp = async (options: AppOptions): Promise<FastifyInstance> => {
  const { log, metrics, load } = options
  const app = fastify({
    logger: false,
    // Hops are counted from this server: addresses further left in the header come from the client and are not trusted.
    trustProxy: options.trustProxy === 0 ? false : (_address: string, hop: number) => hop < options.trustProxy,
    bodyLimit: mostBody_bytes,
    exposeHeadRoutes: false,
    // A client must send its whole request within this time: a client that sends a byte a second cannot hold a connection.
    requestTimeout: 30_000,
    connectionTimeout: minute_ms,
    keepAliveTimeout: 75_000,
    // A request without Host is refused below: Node would answer without a body.
    http: { headersTimeout: 15_000, connectionsCheckingInterval: 2_000, requireHostHeader: false },
    maxRequestsPerSocket: 0,
    // A request that arrives while the node stops is answered normally (drain.ts), not with Fastify’s own 503.
    return503OnClosing: false,
    // As long as a path can be: the handler refuses a malformed id, after the caller is authenticated.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16 * 1024 },
    genReqId: ({ headers }) => requestIdFor(headers['x-request-id']),
    clientErrorHandler: answerBrokenRequest,
    frameworkErrors: (_fault, request, reply) => {
      if (request.url.startsWith(`${payBase}/`) || request.url.startsWith(`${voucherBase}/`))
        sendUnknown(request as never, reply as never)
      else {
        if (request.url.startsWith('/api/')) request.hint = brokenPathHint
        sendProblem(reply.header('cache-control', 'no-store') as never, notFound())
      }
    },
  })
  for (const method of METHODS) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true })

  // Every body is received as bytes, whatever its type: the handler reads it, after the caller is authenticated. The sent
  // type is stored and replaced, because Fastify itself would refuse some types.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  )
  app.decorateRequest('sentType', undefined)
  app.decorateRequest('counted', false)
  app.decorateRequest('caller', undefined)
  app.decorateRequest('problem', undefined)
  app.decorateRequest('ignored', undefined)
  app.decorateRequest('hint', undefined)
  app.decorateRequest('parsed', undefined)
  app.decorate('frozen', options.frozen)
  app.decorate('forwarder', options.forwarder)
  app.decorateRequest('forwardedTo', undefined)
  followCalls(app, options.tracer)
  app.addHook('onRequest', (request, reply, done) => {
    const stamp = request.headers[forwardedHeader]
    if (typeof stamp === 'string') useStamp(request, stamp, options)
    request.sentType = request.headers['content-type']
    if (request.sentType !== undefined || hasBody(request)) request.headers['content-type'] = 'application/octet-stream'
    if (load !== undefined && request.routeOptions.url?.endsWith('/stream/') !== true) {
      request.counted = true
      load.began()
    }
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    // Answers of the APIs hold money, names and secrets, and none may be answered from a cache. Errors too: a 404 may be cached.
    // By the route too: a path can be written in other ways (`/%61pi/`, `http://host/api/`).
    const isOfApi = [request.url, request.routeOptions.url].some((path) => path?.startsWith('/api/'))
    if (isOfApi) reply.header('cache-control', 'no-store')
    if (options.onlyTls) reply.header('strict-transport-security', hstsHeader)
    const hosts = countHosts(request.raw.rawHeaders)
    if (hosts === 0 && request.raw.httpVersion === '1.1')
      return done(brokenRequest(400, 'The request has no Host header.'))
    // A proxy before the service may have used another one of them.
    if (hosts > 1) return done(brokenRequest(400, 'The request has more than one Host header.'))
    // An unknown path is answered with 404 at once: its body is not read, however large it is.
    done(request.is404 ? notFound() : undefined)
  })

  // An expectation other than 100-continue is ignored; Node would answer 417 without a body.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))

  app.addHook('onResponse', (request, _reply, done) => {
    if (request.counted) load!.ended()
    done()
  })
  reportAnswers(app, log, metrics)

  answerFaults(app, log)
  const { calls, clock, merchant } = options
  if (calls !== undefined)
    recordUnknownPaths(
      app,
      { calls, clock },
      (authorization, now) => authenticateKey(authorization, merchant.tokens, merchant.keys, now),
      (url) => !url.startsWith(`${developerBase}/`),
    )
  await registerApis(app, options)
  return app
}

/** The caller of a call that another cell forwards has the address that this cell says, whatever proxies are between the two. */
const useStamp = (
  request: FastifyRequest,
  stamp: string,
  { stamps, clock }: Pick<AppOptions, 'stamps' | 'clock'>,
): void => {
  const said = stamps?.read(stamp, clock.now())
  if (said !== undefined) Object.defineProperty(request, 'ip', { value: said.address })
}

/** An unknown path is answered with 404; a fault with a 5xx without internal facts, which are logged. */
const answerFaults = (app: FastifyInstance, log: AppLog): void => {
  app.setNotFoundHandler((_request, reply) => sendProblem(reply.header('cache-control', 'no-store'), notFound()))
  app.setErrorHandler(async (thrown: FastifyError | Problem, request, reply) => {
    const fault = (await forwardFault(thrown, request, reply)) as typeof thrown | undefined
    if (fault === undefined) return reply
    const explained = (problem: Problem) => {
      request.hint = hintFor(request, problem) ?? request.hint
      return sendProblem(reply.header('cache-control', 'no-store'), problem)
    }
    if (fault instanceof Problem) return explained(fault)
    if (isFrozen(fault)) return explained(accountFrozen())
    if (fault.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return explained(tooLarge())
    if (fault.statusCode !== undefined && fault.statusCode >= 400 && fault.statusCode < 500)
      return sendProblem(reply, brokenRequest(fault.statusCode, fault.message))
    const account = request.context?.accountId
    log.error({ req: request.id, ...(account && { account }), err: fault }, 'a request failed')
    return sendProblem(reply, isUnavailable(fault) || isTimeout(fault) ? unavailable() : serverError())
  })
}

/** Each API and page under its path; those that the options leave out are not registered. */
const registerApis = async (app: FastifyInstance, options: AppOptions): Promise<void> => {
  await app.register(health(options.health))
  if (options.wellKnown !== undefined) await app.register(wellKnown(options.wellKnown))
  const { calls, clockGuard } = options
  type Api = (scope: FastifyInstance) => Promise<void>
  /** Registers what depends on the time: tokens, signatures, windows, limits. */
  const register = async (api: Api, prefix = ''): Promise<void> => {
    await app.register(
      async (scope) => {
        if (clockGuard !== undefined) refuseAtWrongTime(scope, clockGuard)
        await api(scope)
      },
      { prefix },
    )
  }
  const gate = admission()
  /** What servers, phones and buyers call. The dashboard is not counted: its calls are few, and some of them take seconds. */
  const admitted = (api: Api): Api => {
    return async (scope) => {
      refuseOverload(scope, gate, options.clock)
      await api(scope)
    }
  }
  const recorded = (api: Api): Api => {
    return async (scope) => {
      if (calls !== undefined) recordCalls(scope, { calls, clock: options.clock })
      await api(scope)
    }
  }
  await register(admitted(recorded(merchantApi(options.merchant))), merchantBase)
  if (options.checkout !== undefined) await register(admitted(recorded(checkoutApi(options.checkout))), checkoutBase)
  // Calls of this API are not recorded: a tool that follows the log would fill it.
  if (options.developer !== undefined) await register(developerApi(options.developer), developerBase)
  if (options.pay !== undefined) await register(admitted(payPages(options.pay)), payBase)
  if (options.voucher !== undefined) await register(voucherPages(options.voucher), voucherBase)
  if (options.device !== undefined) {
    await register(admitted(deviceApi(options.device)), deviceBase)
    await register(admitted(ingestApi(options.device)))
    await register(admitted(heartbeatApi(options.device)))
    await register(admitted(smsgateServer(options.device)))
  }
  if (options.pair !== undefined) await register(pairPages(options.pair))
  if (options.dashboard !== undefined) await register(dashboardApi(options.dashboard), dashboardBase)
  if (options.more !== undefined) await options.more(app)
}

const hasBody = (request: FastifyRequest): boolean =>
  request.headers['transfer-encoding'] !== undefined || (request.headers['content-length'] ?? '0') !== '0'

const brokenRequest = (status: number, detail: string): Problem =>
  new Problem(status, 'client_error', [{ code: 'parse_error', detail, attr: null }])

const brokenTexts: Readonly<Record<string, readonly [status: number, reason: string, detail: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'Request Header Fields Too Large', 'The request headers are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'Request Timeout', 'The request was not received whole in time.'],
}

/**
 * Bytes that are not HTTP, or that came too slowly, never become a request. They are answered here, and the connection is
 * closed.
 */
const answerBrokenRequest = (fault: NodeJS.ErrnoException, socket: Socket): void => {
  if (fault.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, reason, detail] = brokenTexts[fault.code ?? ''] ?? [
    400,
    'Bad Request',
    'The request is not valid HTTP.',
  ]
  const body = problemText(brokenRequest(status, detail))
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n` +
      `X-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  )
}
