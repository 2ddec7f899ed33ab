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

/** How many ids are remembered at most. */
const mostRemembered = 100_000

/**
 * A row gets its time when the service begins to write it, and can be read when that is done: a little later, when it had to wait for a
 * lock. So it can appear before rows that were read already, and each request in ascending order begins this much earlier than the last
 * row. Lock waits of the service end after 10 s at most.
 */
const lateness_ms = 10_000

/**
 * Everything that the filter finds, page after page.
 *
 * In the order of creation each request begins at the time of the last row, not at a page number. So a row that could be read when the
 * list began, and that stays in the filter, is returned, and none is returned twice, whatever is added or changed meanwhile. Of the rows
 * that are added meanwhile, ascending order (`created_at`) returns those that can be read within 10 s after their `created_at` and before
 * the last request; such a row may come after newer ones. With a filter that rows can leave (`status`, `reference`, `search`) it can be
 * missed if more rows than a page were created in those 10 s. Descending order (the default) returns no row that is newer than what was read
 * already. In any other order rows are requested by page number, and a row that moves between pages is returned once; one that moves to
 * an earlier page can be missed.
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
  /** The bound that the caller set: rows beyond it are not wanted. */
  const ownBound = bound === undefined ? null : query.get(bound)
  /** Whether a row can leave the filter while the list is read. */
  const canLeave = ['status', 'reference', 'search'].some((name) => query.has(name))
  /** The ids that can come again, with their times and the pass that read them last. @type {Map<string, { at: number, pass: number }>} */
  const returned = new Map()
  /** The time of the first row, and of the row that is furthest in the order. @type {{ first: number, last: number, text: string } | undefined} */
  let reached
  /** The requests of one pass have the same bound, and pages that follow each other. */
  let pass = 1
  for (let isFirst = true; ; isFirst = false) {
    const page = await pageAt(isFirst)
    if (page === undefined) return
    const earlier = reached?.last
    let hasMoved = false
    for (const row of page.results) {
      const at = Date.parse(row.created_at)
      const known = returned.get(row.id)
      returned.set(row.id, { at, pass })
      hasMoved ||= known?.pass === pass
      if (known !== undefined) continue
      if (reached === undefined) reached = { first: at, last: at, text: row.created_at }
      // A row that appears late does not lead back.
      else if (bound === 'created_after' ? at > reached.last : at < reached.last)
        reached = { ...reached, last: at, text: row.created_at }
      yield row
    }
    const [next] = boundsAfter(reached?.last !== earlier).filter(
      (one) => bound !== undefined && one !== query.get(bound),
    )
    if (bound !== undefined && hasMoved) {
      // A row of an earlier page has moved to this one: another has appeared before it.
      query.delete('page')
      pass++
    } else if (page.next === null) {
      return
    } else if (bound !== undefined && next !== undefined) {
      if (next === null) query.delete(bound)
      else query.set(bound, next)
      query.delete('page')
      pass++
    } else {
      // More rows of one bound than a page has, or another order.
      query.set('page', new URL(page.next).searchParams.get('page') ?? '1')
    }
    forget()
  }

  /**
   * The bounds with which the list can continue, the best first. Rows that leave the filter move others to an earlier page: where that can
   * be, pages are not counted, but the list goes on exactly at the last row. Of the last 10 s only the first page is read again then.
   *
   * @param {boolean} hasAdvanced
   * @returns {(string | null)[]}
   */
  function boundsAfter(hasAdvanced) {
    if (reached === undefined) return []
    const { first, last, text } = reached
    if (bound === 'created_before') return [text]
    const from = last - lateness_ms
    const earlier = from <= first ? ownBound : new Date(from).toISOString()
    return [...(hasAdvanced ? [earlier] : []), ...(canLeave ? [text] : [])]
  }

  /** Forgets ids that no later request returns: those before every later bound, and in another order the earliest if there are too many. */
  function forget() {
    const from = bound === undefined ? null : query.get(bound)
    if (from !== null && from !== ownBound && reached !== undefined) {
      const { first, last } = reached
      const earliest = Math.min(Date.parse(from), last - lateness_ms)
      const isOver = (/** @type {number} */ at) =>
        bound === 'created_after' ? last - lateness_ms > first && at < earliest : at > last
      for (const [id, { at }] of returned) if (isOver(at)) returned.delete(id)
    }
    if (returned.size <= mostRemembered) return
    for (const id of [...returned.keys()].slice(0, -mostRemembered / 2)) returned.delete(id)
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
