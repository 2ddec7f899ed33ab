/** The answers of the fake, in the form and the words of the service, and its idempotency keys. */
import { keyHeader, limits, sentences } from './described.js'

/** @typedef {{ code: string, detail: string, attr: string | null }} Entry */
/** @typedef {keyof typeof sentences} Sentence */
/** @typedef {Record<string, unknown>} Facts */
/** @typedef {{ id: string, query: URLSearchParams, headers: Record<string, string>, body: unknown }} FakeRequest */

/** @type {(attr: string | null, name: Sentence, facts?: Facts) => Entry} */
export const errorOf = (attr, name, facts = {}) => {
  const [code, detail] = sentences[name]
  return { code, detail: detail.replace(/\{(\w+)\}/g, (_, fact) => String(facts[fact])), attr }
}

/** @type {(status: number, body: unknown, headers?: Record<string, string>) => Response} */
export const answer = (status, body, headers = {}) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })

/** @type {(errors: readonly Entry[]) => Response} */
export const invalid = (errors) => answer(400, { type: 'validation_error', errors })

/** @type {(status: number, error: Entry, headers?: Record<string, string>) => Response} */
export const failed = (status, error, headers) =>
  answer(status, { type: status < 500 ? 'client_error' : 'server_error', errors: [error] }, headers)

/** @type {(status: number, name: Sentence, facts?: Facts, headers?: Record<string, string>) => Response} */
export const refused = (status, name, facts, headers) => failed(status, errorOf(null, name, facts), headers)

export const notFound = () => refused(404, 'not_found')

/** @type {(value: unknown) => string} */
const canonical = (value) =>
  JSON.stringify(value, (_name, part) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

/** @param {FakeRequest} request */
const keyOf = ({ headers }) => headers[keyHeader.toLowerCase()] ?? ''

/** The answers of creates by their keys. Intents and checkouts have keys of their own. */
export class Keys {
  /** @type {Map<string, { canonicalBody: string, text: string, location: string, at: number }>} */
  #stored = new Map()

  /** @param {() => number} now */
  constructor(now) {
    this.now = now
  }

  /**
   * What is wrong with the key itself.
   *
   * @param {FakeRequest} request
   * @returns {Entry[]}
   */
  errors(request) {
    return keyOf(request).length <= limits.key ? [] : [errorOf(keyHeader, 'too_long', { max: limits.key })]
  }

  /**
   * The stored answer of the key; or else the errors of the request, or what `make` creates.
   *
   * @type {(request: FakeRequest, errors: Entry[], make: () => { shown: object, location: string }) => Response}
   */
  answer(request, errors, make) {
    const [key, canonicalBody] = [keyOf(request), canonical(request.body)]
    const stored = this.#stored.get(key)
    const used = stored !== undefined && this.now() < stored.at + limits.keyLife_ms ? stored : undefined
    if (used?.canonicalBody === canonicalBody)
      return answer(201, used.text, { location: used.location, 'idempotent-replayed': 'true' })
    if (errors.length > 0) return invalid(errors)
    if (used !== undefined) return invalid([errorOf(keyHeader, 'idempotency_key_reused')])
    const { shown, location } = make()
    const text = JSON.stringify(shown)
    if (key !== '') this.#stored.set(key, { canonicalBody, text, location, at: this.now() })
    return answer(201, text, { location })
  }
}
