/**
 * `@sanad/sdk/testing`: Sanad in memory, for a shop's own tests. It follows the contract of the merchant API and of the
 * checkout API, signs webhooks, and the test moves its time. It has no rate limits, no quota, no dashboard and no hints
 * (`X-Service-Hint`, `X-Service-Ignored`); `fail` makes it fail. The tests of the SDK run the same stories against it and
 * against the service, and compare the answers.
 */
import { answer, invalid, Keys, keyHeader, keyReused, notAllowed, notFound, refused } from './testing/answers.js'
import { readAttach, readCreate } from './testing/bodies.js'
import { checkoutPath, checkoutRoutes } from './testing/checkout-routes.js'
import { Checkouts } from './testing/checkouts.js'
import { usualCurrency } from './testing/currency.js'
import { Ledger, minorOf } from './testing/ledger.js'
import { listPage } from './testing/list.js'
import { sign } from './verify-webhook.js'

/** @import { createFakeSanad as CreateFakeSanad, FakeFault, FakeWallet, FakeWebhook } from '../types/testing.d.ts' */
/** @import { FetchLike, WebhookEvent } from '../types/sdk.d.ts' */

const origin = 'https://sanad.test'
const basePath = '/api/v1/merchant'
const token_ms = 3_600_000
const mostBody_bytes = 1024 * 1024

const provider = {
  id: '5a4ad000-0000-4000-8000-00000000000a',
  name: 'example',
  display_name: 'Example wallet',
  theme_color: '#336699',
  logo_url: '',
  provider_status: /** @type {const} */ ('ACTIVE'),
}

/** @type {(n: number, name: string, isTest?: boolean) => FakeWallet} */
const wallet = (n, name, isTest = false) => ({
  id: `5a4ad000-0000-4000-8000-00000000000${n}`,
  name,
  account_number: `77100000${n}`,
  sender_name: 'Example',
  currency: usualCurrency,
  provider,
  is_test: isTest,
})

const challenge = 'Bearer realm="api"'
/** @param {string} more */
const wrongKey = (more) =>
  refused(401, 'authentication_failed', 'Incorrect authentication credentials.', {
    'www-authenticate': `${challenge}${more}`,
  })
const noKey = () =>
  refused(401, 'not_authenticated', 'Authentication credentials were not provided.', { 'www-authenticate': challenge })

const refusalSentences = {
  intent_not_pending: 'A reference can be attached only while the intent is PENDING.',
  reference_already_used: 'Another payment of this wallet already has this reference.',
  reference_limit: 'An intent takes at most 20 different references.',
}

/** @type {typeof CreateFakeSanad} */
export const createFakeSanad = (options = {}) => {
  let at = options.now ?? Date.now()
  /** Whole milliseconds, as the service has them: a wait before a retry has a fraction. */
  const now = () => Math.floor(at)
  /** @param {number} ms */
  const advance = (ms) => {
    if (!Number.isFinite(ms)) throw new TypeError('advance takes a number of milliseconds.')
    at += ms
  }
  if (!Number.isFinite(at) || at < 0)
    throw new TypeError('now must be a time in milliseconds, as Date.now() returns it.')
  const clientId = options.clientId ?? 'fa'.repeat(16)
  const clientSecret = options.clientSecret ?? 'fake-client-secret'
  const signingSecret = options.signingSecret ?? 'fake-signing-secret'
  const wallets = options.wallets ?? [
    wallet(1, 'Main wallet'),
    wallet(2, 'Second wallet'),
    wallet(3, 'Test wallet', true),
  ]
  const device = options.device ?? { id: '5a4ad000-0000-4000-8000-00000000000b', name: 'Shop phone' }
  const ledger = new Ledger(wallets, device, now, options.offset_min ?? 180, options.endEvents ?? false)
  /** @type {Map<string, number>} */
  const tokens = new Map()
  const keys = new Keys()
  const checkouts = new Checkouts(ledger, origin)
  const routeCheckouts = checkoutRoutes({ checkouts, wallets, origin, now })
  /** @type {FakeFault[]} */
  const faults = []
  /** @type {{ method: string, path: string, status: number | null }[]} */
  const calls = []
  let takenEvents = 0

  /** @param {Record<string, string>} headers */
  const issueToken = (headers) => {
    const [id, secret] = [headers['service-client-id'], headers['service-client-secret']]
    if (!id || !secret) return noKey()
    if (id.toLowerCase() !== clientId.toLowerCase() || secret !== clientSecret) return wrongKey('')
    const token = `fake.${crypto.randomUUID()}`
    tokens.set(token, now() + token_ms)
    const headersOut = { 'cache-control': 'no-store', pragma: 'no-cache' }
    return answer(200, { access_token: token, token_type: 'Bearer', expires_in: token_ms / 1000 }, headersOut)
  }

  /** @type {(headers: Record<string, string>, body: unknown) => Response} */
  const create = (headers, body) => {
    const key = headers[keyHeader.toLowerCase()] ?? ''
    const reading = readCreate(body)
    const chosen = reading.wallet === undefined ? undefined : ledger.wallet(reading.wallet)
    const keyErrors = keys.errors(key)
    const unknown = {
      code: 'does_not_exist',
      detail: `Invalid pk "${reading.wallet}" - object does not exist.`,
      attr: 'wallet',
    }
    const isUnknown = reading.wallet !== undefined && (chosen === undefined || chosen.state === 'closed')
    const bodyErrors = reading.isWholeOrder && (isUnknown || keyErrors.length > 0) ? [] : reading.errors
    const errors = [...(isUnknown ? [unknown] : []), ...bodyErrors, ...keyErrors]

    const replay = keys.replay(key, body, now())
    if (replay instanceof Response) return replay
    if (errors.length > 0) return invalid(errors)
    if (chosen?.state === 'off') {
      const detail = 'This wallet is not set up for payment monitoring, or its device is off.'
      return invalid([{ code: 'wallet_not_monitored', detail, attr: 'wallet' }])
    }
    if (replay !== undefined) return keyReused()
    const intent = ledger.create(/** @type {import('./testing/bodies.js').Draft} */ (reading.draft))
    const location = `${origin}${basePath}/intents/${intent.id}/`
    const text = JSON.stringify(intent)
    keys.store(key, body, { text, location }, now())
    return answer(201, text, { location })
  }

  /** @type {(id: string, body: unknown) => Response} */
  const attach = (id, body) => {
    const row = ledger.find(id)
    if (row === undefined) return notFound()
    const { reference, errors } = readAttach(body)
    if (errors.length > 0 || reference === undefined) return invalid(errors)
    const refusal = ledger.attach(row, reference)
    if (refusal !== undefined) return invalid([{ code: refusal, detail: refusalSentences[refusal], attr: 'reference' }])
    return answer(200, row.intent)
  }

  /** @param {URL} url */
  const list = (url) => {
    const found = listPage(ledger.all(), url.searchParams, `${origin}${basePath}/intents/`)
    if (found === undefined) return notFound('Invalid page.')
    return 'errors' in found ? invalid(found.errors) : answer(200, found.page)
  }

  /** @type {(method: string, url: URL, headers: Record<string, string>, text: string | undefined) => Response} */
  const route = (method, url, headers, text) => {
    checkouts.sweep()
    const isCheckout = url.pathname.startsWith(`${checkoutPath}/`)
    if (!isCheckout && !url.pathname.startsWith(`${basePath}/`)) return notFound()
    const path = `${url.pathname.slice((isCheckout ? checkoutPath : basePath).length).replace(/\/+$/, '')}/`
    if (path === '/token/' && !isCheckout)
      return method === 'POST' ? issueToken(headers) : notAllowed(['POST', 'OPTIONS'], method)
    const id = /^\/intents\/([^/]+)\/$/.exec(path)?.[1]?.toLowerCase()
    const isKnown = isCheckout
      ? routeCheckouts.knows(path)
      : path === '/wallets/' || path === '/intents/' || id !== undefined
    if (!isKnown) return notFound()

    const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
    if (bearer === undefined) return noKey()
    if (now() >= (tokens.get(bearer) ?? 0)) return wrongKey(', error="invalid_token"')

    /** @type {unknown} */
    let body
    if (text !== undefined && text !== '') {
      const type = headers['content-type'] ?? ''
      if (!type.startsWith('application/json'))
        return refused(415, 'unsupported_media_type', `Unsupported media type "${type}" in request.`)
      if (new TextEncoder().encode(text).length > mostBody_bytes)
        return refused(413, 'request_too_large', 'The request body is larger than 1 MiB.')
      try {
        body = JSON.parse(text)
      } catch {
        return refused(400, 'parse_error', 'JSON parse error')
      }
    } else body = {}

    if (isCheckout) return routeCheckouts.answer(method, path, { url, headers, body })
    if (path === '/wallets/') {
      if (method !== 'GET') return notAllowed(['GET', 'HEAD', 'OPTIONS'], method)
      const withTest = url.searchParams.get('include_test') === '1'
      const offered = wallets.filter(({ state, is_test }) => state === undefined && (withTest || !is_test))
      const sorted = offered.toSorted((a, b) => (a.name < b.name ? -1 : 1))
      return answer(
        200,
        sorted.map(({ state: _, sim_slot: __, ...answered }) => answered),
      )
    }
    if (id === undefined) {
      if (method === 'POST') return create(headers, body)
      return method === 'GET' ? list(url) : notAllowed(['GET', 'POST', 'HEAD', 'OPTIONS'], method)
    }
    if (method === 'PATCH') return attach(id, body)
    if (method !== 'GET') return notAllowed(['GET', 'PATCH', 'HEAD', 'OPTIONS'], method)
    const row = ledger.find(id)
    return row === undefined ? notFound() : answer(200, row.intent)
  }

  /** @type {FetchLike} */
  const fetch = async (address, { method, headers, body, signal }) => {
    signal.throwIfAborted()
    const url = new URL(address)
    const call = {
      method,
      path: url.pathname.replace(/^\/api\/v1\/(merchant|checkout)/, '') + url.search,
      status: /** @type {number | null} */ (null),
    }
    calls.push(call)
    const index = faults.findIndex(
      (one) => (one.on === undefined || call.path.startsWith(one.on)) && (one.method ?? method) === method,
    )
    const fault = index < 0 ? undefined : faults.splice(index, 1)[0]
    if (fault?.lose === 'request') throw new TypeError('fetch failed')
    if (fault?.status !== undefined) {
      call.status = fault.status
      /** @type {Record<string, string>} */
      const more = fault.retryAfter === undefined ? {} : { 'retry-after': String(fault.retryAfter) }
      if (fault.status === 429) return refused(429, 'throttled', 'Request was throttled.', more)
      if (fault.status === 503) return refused(503, 'unavailable', 'The service cannot answer now.', more)
      if (fault.status === 500) return refused(500, 'error', 'Server Error (500)', more)
      return new Response('<html>A proxy</html>', { status: fault.status, headers: more })
    }
    const lowerCaseHeaders = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    )
    const response = route(method, url, lowerCaseHeaders, body)
    // The work is done; only the answer is lost.
    if (fault?.lose === 'answer') throw new TypeError('fetch failed')
    call.status = response.status
    return response
  }

  /** Whether it is of the test wallet. `payment.verified` does not say it itself. @param {WebhookEvent} event */
  const isTestEvent = (event) =>
    event.event === 'payment.verified'
      ? ledger.find(event.intent_id)?.intent.wallet.is_test === true
      : 'is_test' in event && event.is_test === true

  /** @type {(event: WebhookEvent) => Promise<FakeWebhook>} */
  const signEvent = async (event) => {
    const body = JSON.stringify(event)
    const t = String(Math.floor(now() / 1000))
    const mac = await sign(signingSecret, t, new TextEncoder().encode(body))
    const hex = Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('')
    const headers = {
      'content-type': 'application/json',
      'x-service-signature': `t=${t},v1=${hex}`,
      'x-service-event-id': ledger.newId(),
      'x-service-delivery-id': ledger.newId(),
      'x-service-attempt': '1',
      ...(isTestEvent(event) && { 'x-service-test': 'true' }),
    }
    return {
      event,
      body,
      headers,
      request: () => new Request('https://shop.test/webhooks', { method: 'POST', headers, body }),
    }
  }

  return {
    options: {
      baseUrl: origin,
      clientId,
      clientSecret,
      fetch,
      now,
      sleep: async (ms, signal) => {
        signal?.throwIfAborted()
        advance(ms)
      },
    },
    signingSecret,
    wallets,
    calls,
    now,
    advance,
    pay(payment) {
      if ('checkout' in payment) return checkouts.pay(payment.checkout, payment)
      if ('link' in payment) return void checkouts.payLink(payment.link, payment)
      const { wallet: to, amount, reference } = payment
      if (ledger.wallet(to) === undefined) throw new Error(`There is no wallet ${to}.`)
      ledger.pay({ wallet: to, amount: minorOf(amount), reference })
    },
    book: (id, reference) => ledger.book(id, reference),
    cancel: (id) => ledger.cancel(id),
    revokeTokens: () => tokens.clear(),
    fail(fault) {
      for (let n = 0; n < (fault.times ?? 1); n++) faults.push(fault)
    },
    async webhooks() {
      // Intents and checkouts that have expired meanwhile get their events first.
      ledger.all()
      checkouts.sweep()
      const newEvents = ledger.events.slice(takenEvents)
      takenEvents = ledger.events.length
      return Promise.all(newEvents.map(signEvent))
    },
    sign: signEvent,
  }
}
