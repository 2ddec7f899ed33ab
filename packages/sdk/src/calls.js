/**
 * Authenticated calls to the APIs of a service with one API key. The token is requested once for all calls, and renewed
 * once when it is refused. Secret and token are not fields of an object, so a log that prints the client does not show
 * them.
 */
import { SanadError } from './errors.js'
import { sleep as realSleep, send } from './send.js'
import { tokenSource } from './token.js'

/** @import { SanadOptions } from '../types/sdk.d.ts' */
/** @import { TokenAnswer } from '../types/merchant-api.d.ts' */
/** @import { Received, Transport } from './send.js' */
/**
 * @typedef {(method: 'GET' | 'POST' | 'PATCH', path: string, options?: {
 *   body?: unknown,
 *   headers?: Record<string, string>,
 *   signal?: AbortSignal | undefined,
 *   isRepeatable?: boolean,
 *   advice?: string | undefined,
 * }) => Promise<Received>} Call `advice`: for the error of a call that may have been processed all the same.
 */

export const merchantPath = '/api/v1/merchant'

/**
 * @param {SanadOptions} options
 * @returns {(api: string) => Call} `api` is the path of an API, such as `/api/v1/merchant`.
 */
export const openCalls = (options) => {
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
  const keyHeaders = { 'service-client-id': clientId, 'service-client-secret': clientSecret }
  const requestToken = async () => {
    const { body } = await send(transport, { method: 'POST', url: `${base}${merchantPath}/token`, headers: keyHeaders })
    return /** @type {TokenAnswer} */ (body)
  }
  const tokens = tokenSource(requestToken, transport.now)

  return (api) =>
    async (method, path, { body, headers = {}, signal, isRepeatable = true, advice } = {}) => {
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
            advice,
          })
        } catch (fault) {
          if (renewed || !(fault instanceof SanadError) || fault.status !== 401) throw fault
          tokens.forget(token)
        }
      }
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
