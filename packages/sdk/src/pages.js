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

/** How many ids are remembered at most, in an order in which rows can move. */
const mostRemembered = 100_000

/**
 * Everything that the filter finds, page after page.
 *
 * In the order of creation (the default) no row is missed and none is repeated, whatever is added or changed meanwhile: each
 * request begins at the time of the last row, not at a page number. In any other order rows are requested by page number, and
 * a row that moves between pages is returned once; one that moves to an earlier page can be missed.
 *
 * @template {{ id: string, created_at: string }} T
 * @param {Call} call
 * @param {string} path
 * @param {Record<string, unknown>} filter
 * @param {{ byTime: boolean, signal: AbortSignal | undefined }} options `byTime`: the list has filters of time.
 * @returns {AsyncGenerator<T, undefined, undefined>}
 */
export async function* everyPage(call, path, filter, { byTime, signal }) {
  const bound = byTime ? timeBound(filter.ordering) : undefined
  const query = new URLSearchParams(queryOf(filter))
  /** @type {Set<string>} */
  let returned = new Set()
  /** The time at which the rows begin, once there is one. */
  let from = ''
  for (let isFirst = true; ; isFirst = false) {
    const page = await pageAt(isFirst)
    if (page === undefined) return
    for (const row of page.results) {
      if (returned.has(row.id)) continue
      if (bound !== undefined && row.created_at !== from) {
        // Only rows of the last time can come again.
        from = row.created_at
        returned = new Set()
      }
      returned.add(row.id)
      yield row
    }
    if (page.next === null) return
    if (bound !== undefined && query.get(bound) !== from) {
      query.set(bound, from)
      query.delete('page')
    } else {
      // More rows of one time than a page has, or another order.
      query.set('page', new URL(page.next).searchParams.get('page') ?? '1')
    }
    if (returned.size > mostRemembered) returned = new Set([...returned].slice(-mostRemembered / 2))
  }

  /**
   * Undefined: there is no such page any more.
   *
   * @param {boolean} isFirst
   * @returns {Promise<Page<T> | undefined>}
   */
  async function pageAt(isFirst) {
    try {
      const { body } = await call('GET', `${path}${query.size === 0 ? '' : `?${query}`}`, { signal })
      return /** @type {Page<T>} */ (body)
    } catch (fault) {
      // There are fewer rows than before: the last page no longer exists.
      if (!isFirst && fault instanceof SanadError && fault.status === 404) return undefined
      throw fault
    }
  }
}

const sortable = ['created_at', 'verified_at', 'payable_amount', 'amount', 'status']

/**
 * The filter that continues a list in the order of creation; undefined in another order. As in the service, names that it
 * does not know are ignored.
 *
 * @param {unknown} ordering
 */
const timeBound = (ordering) => {
  const names = String(ordering ?? '').split(',')
  const first = names.map((name) => name.trim()).find((name) => sortable.includes(name.replace(/^-/, '')))
  if (first === undefined || first === '-created_at') return 'created_before'
  return first === 'created_at' ? 'created_after' : undefined
}
