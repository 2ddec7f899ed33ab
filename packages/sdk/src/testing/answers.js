/** The answers of the fake, in the form of the service, and its idempotency keys. */

/** @import { Entry } from './bodies.js' */

export const keyHeader = 'SERVICE-IDEMPOTENCY-KEY'
const keyKept_ms = 24 * 3_600_000

/** @type {(status: number, body: unknown, headers?: Record<string, string>) => Response} */
export const answer = (status, body, headers = {}) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })

/** @type {(errors: readonly Entry[]) => Response} */
export const invalid = (errors) => answer(400, { type: 'validation_error', errors })

/** @type {(status: number, code: string, detail: string, headers?: Record<string, string>) => Response} */
export const refused = (status, code, detail, headers) =>
  answer(
    status,
    { type: status < 500 ? 'client_error' : 'server_error', errors: [{ code, detail, attr: null }] },
    headers,
  )

export const notFound = (detail = 'Not found.') => refused(404, 'not_found', detail)

/** @type {(methods: readonly string[], method: string) => Response} */
export const notAllowed = (methods, method) =>
  refused(405, 'method_not_allowed', `Method "${method}" not allowed.`, { allow: methods.join(', ') })

/** @type {(value: unknown) => string} */
const canonical = (value) =>
  JSON.stringify(value, (_name, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

/** @typedef {{ canonicalBody: string, text: string, location: string, at: number }} StoredAnswer */

/** The answers of creates by their keys. Intents and checkouts have keys of their own. */
export class Keys {
  /** @type {Map<string, StoredAnswer>} */
  #stored = new Map()

  /**
   * What is wrong with the key itself.
   *
   * @param {string} key
   * @returns {Entry[]}
   */
  errors(key) {
    if (key.length <= 128) return []
    return [{ code: 'max_length', detail: 'Ensure this field has no more than 128 characters.', attr: keyHeader }]
  }

  /**
   * The stored answer of the key, if the body is the same; `'other'`: the key was used with another body.
   *
   * @type {(key: string, body: unknown, now: number) => Response | 'other' | undefined}
   */
  replay(key, body, now) {
    const stored = this.#stored.get(key)
    if (key === '' || stored === undefined || now >= stored.at + keyKept_ms) return undefined
    if (stored.canonicalBody !== canonical(body)) return 'other'
    return answer(201, stored.text, { location: stored.location, 'idempotent-replayed': 'true' })
  }

  /** @type {(key: string, body: unknown, created: { text: string, location: string }, now: number) => void} */
  store(key, body, created, now) {
    if (key !== '') this.#stored.set(key, { canonicalBody: canonical(body), ...created, at: now })
  }
}

export const keyReused = () =>
  invalid([
    { code: 'idempotency_key_reused', detail: 'This key was already used with another request body.', attr: keyHeader },
  ])
