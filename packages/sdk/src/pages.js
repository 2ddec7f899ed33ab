/** Lists of the API: the query string for a filter, and an iterator over all pages. */
import { SanadError } from './errors.js'

/** @import { Call } from './calls.js' */
/**
 * @template T
 * @typedef {{ count: number, next: string | null, previous: string | null, results: T[] }} Page
 */

/** @param {Record<string, unknown>} filter */
export const queryOf = (filter) => {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filter)) {
    if (value === undefined) continue
    const text = value instanceof Date ? value.toISOString() : Array.isArray(value) ? value.join(',') : String(value)
    query.set(name, text)
  }
  return query.size === 0 ? '' : `?${query}`
}

/**
 * Everything that the filter finds, page after page.
 *
 * @template {{ id: string }} T
 * @param {Call} call
 * @param {string} path
 * @param {Record<string, unknown>} filter
 * @param {AbortSignal | undefined} signal
 * @returns {AsyncGenerator<T, undefined, undefined>}
 */
export async function* everyPage(call, path, filter, signal) {
  let query = queryOf(filter)
  /** @type {ReadonlySet<string>} */
  let previousIds = new Set()
  for (;;) {
    const { results, next } = await pageAt(query)
    // A new row pushes others to the next page: those are not returned twice.
    for (const row of results) if (!previousIds.has(row.id)) yield row
    if (next === null) return
    previousIds = new Set(results.map(({ id }) => id))
    // Only its query: the token is sent to no other address than baseUrl.
    query = new URL(next).search
  }

  /**
   * @param {string} from
   * @returns {Promise<Pick<Page<T>, 'results' | 'next'>>}
   */
  async function pageAt(from) {
    try {
      return /** @type {Page<T>} */ ((await call('GET', `${path}${from}`, { signal })).body)
    } catch (fault) {
      // There are fewer rows than before: the last page no longer exists.
      const isGone = previousIds.size > 0 && fault instanceof SanadError && fault.status === 404
      if (isGone) return { results: [], next: null }
      throw fault
    }
  }
}
