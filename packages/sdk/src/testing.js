/**
 * `@sanad/sdk/testing`: Sanad in memory, for a shop's own tests. It follows the contract of the merchant API and of the
 * checkout API, signs webhooks, and the test moves its time. It has no rate limits, no quota, no dashboard and no hints
 * (`X-Service-Hint`, `X-Service-Ignored`); `fail` makes it fail. The tests of the SDK run the same stories against it and
 * against the service, and compare the answers.
 */
import { answer, failed, notFound, refused } from './testing/answers.js'
import { checkoutCalls } from './testing/checkout-calls.js'
import { Checkouts } from './testing/checkouts.js'
import { calls as described, limits, usualCurrency } from './testing/described.js'
import { Ledger, minorOf } from './testing/ledger.js'
import { merchantCalls } from './testing/merchant-calls.js'
import { sign } from './verify-webhook.js'

/** @import { createFakeSanad as CreateFakeSanad, FakeFault, FakeWallet, FakeWebhook } from '../types/testing.d.ts' */
/** @import { FetchLike, WebhookEvent } from '../types/sdk.d.ts' */
/** @import { FakeRequest } from './testing/answers.js' */
/** @import { Call } from './testing/read-body.js' */
/** @typedef {keyof typeof described} CallName */

const origin = 'https://sanad.test'
const token_ms = 3_600_000

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

/** How the service fails for a moment, in fewer words. @type {Record<number, { code: string, detail: string }>} */
const faultSentences = {
  429: { code: 'throttled', detail: 'Request was throttled.' },
  503: { code: 'unavailable', detail: 'The service cannot answer now.' },
}

const challenge = 'Bearer realm="api"'
/** @param {string} more */
const wrongKey = (more) => refused(401, 'authentication_failed', {}, { 'www-authenticate': `${challenge}${more}` })
const noKey = () => refused(401, 'not_authenticated', {}, { 'www-authenticate': challenge })

const routes = Object.entries(described).map(([name, call]) => ({
  name: /** @type {CallName} */ (name),
  call: /** @type {Call} */ (call),
  pattern: new RegExp(`^${call.path.replace('{id}', '([^/]+)')}$`),
}))

/** @type {(found: typeof routes, method: string) => Response} */
const notAllowed = (found, method) => {
  const methods = found.map(({ call }) => call.method).toSorted()
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ')
  return refused(405, 'method_not_allowed', { method }, { allow })
}

/** The body of a request, or the answer that refuses it. @type {(type: string, text: string) => { body: unknown } | Response} */
const parseBody = (type, text) => {
  if (text === '') return { body: {} }
  if (!type.startsWith('application/json')) return refused(415, 'unsupported_media_type', { type })
  if (new TextEncoder().encode(text).length > limits.body_bytes) return refused(413, 'request_too_large')
  try {
    return { body: JSON.parse(text) }
  } catch {
    return failed(400, { code: 'parse_error', detail: 'JSON parse error', attr: null })
  }
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
  const checkouts = new Checkouts(ledger, origin)
  /** @type {FakeFault[]} */
  const faults = []
  /** @type {{ method: string, path: string, status: number | null }[]} */
  const calls = []
  let takenEvents = 0

  /** @param {FakeRequest} request */
  const createToken = ({ headers }) => {
    const [id, secret] = [headers['service-client-id'], headers['service-client-secret']]
    if (!id || !secret) return noKey()
    if (id.toLowerCase() !== clientId.toLowerCase() || secret !== clientSecret) return wrongKey('')
    const token = `fake.${crypto.randomUUID()}`
    tokens.set(token, now() + token_ms)
    const headersOut = { 'cache-control': 'no-store', pragma: 'no-cache' }
    return answer(200, { access_token: token, token_type: 'Bearer', expires_in: token_ms / 1000 }, headersOut)
  }

  /** @type {Record<CallName, (request: FakeRequest) => Response>} */
  const handlers = { createToken, ...merchantCalls({ ledger, origin }), ...checkoutCalls({ checkouts, origin }) }

  /** @param {Record<string, string>} headers */
  const tokenFault = (headers) => {
    const bearer = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1]
    if (bearer === undefined) return noKey()
    return now() < (tokens.get(bearer) ?? 0) ? undefined : wrongKey(', error="invalid_token"')
  }

  /** @type {(method: string, url: URL, headers: Record<string, string>, text: string) => Response} */
  const route = (method, url, headers, text) => {
    checkouts.sweep()
    const path = `${url.pathname.replace(/\/+$/, '')}/`
    const found = routes.filter(({ pattern }) => pattern.test(path))
    const [first] = found
    if (first === undefined) return notFound()
    const isOpen = first.call.access === 'open'
    const fault = isOpen ? undefined : tokenFault(headers)
    if (fault !== undefined) return fault
    const parsed = isOpen ? { body: {} } : parseBody(headers['content-type'] ?? '', text)
    if (parsed instanceof Response) return parsed
    const one = found.find(({ call }) => call.method === method)
    if (one === undefined) return notAllowed(found, method)
    const id = one.pattern.exec(path)?.[1]?.toLowerCase() ?? ''
    return handlers[one.name]({ id, query: url.searchParams, headers, body: parsed.body })
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
      if (fault.status === 500) return refused(500, 'error', {}, more)
      const detail = faultSentences[fault.status]
      if (detail !== undefined) return failed(fault.status, { ...detail, attr: null }, more)
      return new Response('<html>A proxy</html>', { status: fault.status, headers: more })
    }
    const lowerCaseHeaders = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
    )
    const response = route(method, url, lowerCaseHeaders, body ?? '')
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
