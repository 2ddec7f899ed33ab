/**
 * Calls the developer API, or another one, with the SDK's own client. A failure that may pass is `Unreachable`; every other failure is a
 * `CommandError` with a sentence for the developer.
 */
import { openCalls } from '../calls.js'
import { SanadConnectionError, SanadError } from '../errors.js'
import { CommandError } from './command-error.js'

/** @import { Option, Options } from './options.js' */
/** @typedef {{ origin: string, request: (method: 'GET' | 'POST', path: string, options?: { body?: unknown, signal?: AbortSignal, api?: string }) => Promise<unknown> }} ServiceClient */

/** The service cannot be reached, or cannot answer now: worth trying again. */
export class Unreachable extends Error {}

/** The variables have the same names as in the SDK's examples. @type {readonly Option[]} */
export const serviceOptions = [
  { name: 'url', value: '<url>', help: 'the service; left out, the one on this machine', env: 'SANAD_URL' },
  { name: 'client-id', value: '<id>', help: 'the API key', env: 'SANAD_CLIENT_ID' },
  { name: 'client-secret', value: '<secret>', help: 'its secret', env: 'SANAD_CLIENT_SECRET' },
]

const developerApi = '/api/v1/developer'
const localUrl = 'http://127.0.0.1:8080'

/**
 * @param {Options} options
 * @param {(() => Promise<string> | string) | undefined} defaultUrl
 * @returns {Promise<ServiceClient>}
 */
export const serviceClient = async (options, defaultUrl) => {
  const { url = (await defaultUrl?.()) ?? localUrl, 'client-id': clientId, 'client-secret': clientSecret } = options
  if (!clientId || !clientSecret)
    throw new CommandError(
      'An API key is needed: give --client-id and --client-secret, or set SANAD_CLIENT_ID and SANAD_CLIENT_SECRET.',
    )
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CommandError(`${url} is no address of a service. Example: --url https://pay.example.com`)
  const { origin } = new URL(url)
  // One retry, and only after a 429 (`isRepeatable: false`). A lost connection is not retried here: followFeed reports it at once.
  const callsOf = openCalls({ baseUrl: origin, clientId, clientSecret, maxRetries: 1 })
  return {
    origin,
    request: async (method, path, { body, signal, api = developerApi } = {}) => {
      try {
        return (await callsOf(api)(method, path, { body, signal, isRepeatable: false })).body
      } catch (fault) {
        throw explain(fault, origin)
      }
    },
  }
}

/** @param {unknown} fault @param {string} origin */
const explain = (fault, origin) => {
  if (fault instanceof SanadConnectionError) {
    const { status, cause } = fault
    const reason = /** @type {{ cause?: { code?: string } } | undefined} */ (cause)?.cause?.code ?? fault.message
    if (fault.reason !== 'not_sanad') return new Unreachable(`${origin} cannot be reached: ${reason}`, { cause: fault })
    if (status !== null && status >= 500) return new Unreachable(`The service answered ${status}.`, { cause: fault })
    return new CommandError(`What answers at ${origin} is not Sanad (${status}): check SANAD_URL.`)
  }
  if (!(fault instanceof SanadError)) return fault
  const { status, errors, hint } = fault
  const more = hint === null ? '' : ` ${hint}`
  if (status >= 500 || status === 429) return new Unreachable(`The service answered ${status}.`, { cause: fault })
  if (status === 401)
    return new CommandError(
      `The service at ${origin} does not accept this client id and secret (401). Check SANAD_CLIENT_ID and SANAD_CLIENT_SECRET, or create a key in the dashboard under API keys.${more}`,
    )
  if (status === 404)
    return new CommandError(`The service at ${origin} has no API for developers: it is of an earlier version.`)
  return new CommandError(`The service refused it (${status}): ${errors.map(({ detail }) => detail).join(' ')}${more}`)
}

/** For a command that calls once: if the service is `Unreachable`, the command ends with a sentence. @param {Promise<unknown>} answer */
export const withoutRetry = (answer) =>
  answer.catch((fault) => {
    throw fault instanceof Unreachable ? new CommandError(fault.message) : fault
  })
