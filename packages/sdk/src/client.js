/**
 * `Sanad`: the merchant API and the checkout API for one API key. The secret and the token are not fields of the object, so that a
 * log that prints the object does not show them.
 */
import { startCheckout } from './checkout.js'
import { checkoutsOf, linksOf } from './checkouts.js'
import { SanadError } from './errors.js'
import { intentsOf } from './intents.js'
import { sleep as realSleep, send } from './send.js'
import { tokenSource } from './token.js'

/** @import { SanadOptions, Wallet, Wallets, Intents, OrderCheckout, Checkouts, Links } from '../types/sdk.d.ts' */
/** @import { TokenAnswer } from '../types/merchant-api.d.ts' */
/** @import { Received, Transport } from './send.js' */
/**
 * @typedef {(method: 'GET' | 'POST' | 'PATCH', path: string, options?: {
 *   body?: unknown,
 *   headers?: Record<string, string>,
 *   signal?: AbortSignal | undefined,
 *   isRepeatable?: boolean,
 * }) => Promise<Received>} Call
 */

const merchantPath = '/api/v1/merchant'
const checkoutPath = '/api/v1/checkout'

export class Sanad {
  /** @type {Wallets} */
  wallets
  /** @type {Intents} */
  intents
  /** @type {OrderCheckout} */
  checkout
  /** @type {Checkouts} */
  checkouts
  /** @type {Links} */
  links

  /** @param {SanadOptions} options */
  constructor(options) {
    const { clientId, clientSecret, timeout = 30_000, maxRetries = 3, maxRetryWait = 60_000 } = options
    const base = baseOf(options.baseUrl)
    for (const [name, value] of Object.entries({ clientId, clientSecret })) {
      if (typeof value !== 'string' || value === '') throw new TypeError(`${name} is empty: is its variable set?`)
    }
    for (const [name, value] of Object.entries({ timeout, maxRetries, maxRetryWait })) {
      if (!Number.isFinite(value) || value < 0) throw new TypeError(`${name} must be a number, 0 or more.`)
    }
    if (timeout === 0) throw new TypeError('timeout must be a number of milliseconds above 0.')
    /** @type {Transport} */
    const transport = {
      // Looked up at each call: some runtimes refuse a fetch that was taken off its global object.
      fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
      timeout,
      maxRetries,
      maxRetryWait,
      sleep: options.sleep ?? realSleep,
      now: options.now ?? Date.now,
    }
    const key = { 'service-client-id': clientId, 'service-client-secret': clientSecret }
    const buy = async () => {
      const { body } = await send(transport, { method: 'POST', url: `${base}${merchantPath}/token`, headers: key })
      return /** @type {TokenAnswer} */ (body)
    }
    const tokens = tokenSource(buy, transport.now)

    /** @type {(api: string) => Call} */
    const callsTo =
      (api) =>
      async (method, path, { body, headers = {}, signal, isRepeatable = true } = {}) => {
        for (let renewed = false; ; renewed = true) {
          const token = await tokens.get(signal)
          try {
            return await send(transport, {
              method,
              url: `${base}${api}${path}`,
              headers: {
                ...headers,
                authorization: `Bearer ${token}`,
                ...(body === undefined ? {} : { 'content-type': 'application/json' }),
              },
              body: body === undefined ? undefined : JSON.stringify(body),
              signal,
              isRepeatable,
            })
          } catch (fault) {
            if (renewed || !(fault instanceof SanadError) || fault.status !== 401) throw fault
            tokens.forget(token)
          }
        }
      }

    const call = callsTo(merchantPath)
    this.wallets = {
      async list({ includeTest = false, signal } = {}) {
        const { body } = await call('GET', `/wallets/${includeTest ? '?include_test=1' : ''}`, { signal })
        return /** @type {Wallet[]} */ (body)
      },
    }
    this.intents = intentsOf(call, transport)
    this.checkout = { start: (asked) => startCheckout(this.intents, asked) }
    this.checkouts = checkoutsOf(callsTo(checkoutPath))
    this.links = linksOf(callsTo(checkoutPath))
  }
}

/** @param {unknown} baseUrl */
const baseOf = (baseUrl) => {
  if (typeof baseUrl !== 'string' || !/^https?:\/\//.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new TypeError('baseUrl must be an address such as https://pay.example.com.')
  }
  const { origin, pathname, search, hash, username } = new URL(baseUrl)
  if (search !== '' || hash !== '' || username !== '') {
    throw new TypeError('baseUrl must be an address without credentials, a query or a fragment.')
  }
  const path = pathname.replace(/\/+$/, '')
  return `${origin}${path.endsWith(merchantPath) ? path.slice(0, -merchantPath.length) : path}`
}
