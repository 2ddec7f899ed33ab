/**
 * Follows a list of the developer API: fetches new rows about once a second, and passes each on once, in order. When the
 * connection breaks it tries again, with delays that grow to half a minute, and continues from the same position: rows of
 * the time between are not lost.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { seenIds } from './seen-ids.js'
import { Unreachable } from './service-client.js'

/** @import { ServiceClient } from './service-client.js' */

const every_ms = 1_000
const slowest_ms = 30_000
const pageSize = 100

/**
 * `onFirst` gets the rows from before the call, at most `first`; `tell` reports that the connection is lost or is back.
 *
 * @template {{ id: string }} Row
 * @param {{ client: ServiceClient, path: string, query?: Record<string, string>, first?: number,
 *   onFirst?: (rows: Row[]) => void, onRow: (row: Row) => Promise<void> | void,
 *   tell: (text: string) => void, stopped: AbortSignal }} options
 */
export const followFeed = async (options) => {
  const { client, path, query = {}, onRow, tell, stopped } = options
  const isKnown = seenIds()
  /** @type {string | undefined} */
  let after
  let wait_ms = every_ms
  let isBroken = false
  while (!stopped.aborted) {
    let hasMore = false
    try {
      const size = after === undefined ? (options.first ?? pageSize) : pageSize
      const parameters = new URLSearchParams({ ...query, page_size: String(size), ...(after && { after }) })
      const answer = await client.request('GET', `${path}?${parameters}`, { signal: stopped })
      const page = /** @type {{ next: string, results: Row[] }} */ (answer)
      if (isBroken) tell(`${client.origin} answers again.`)
      isBroken = false
      wait_ms = every_ms
      const newRows = page.results.filter(({ id }) => !isKnown(id))
      if (after === undefined) options.onFirst?.(newRows)
      else
        for (const row of newRows) {
          if (stopped.aborted) return
          await onRow(row)
        }
      // In a burst the position stays behind a full page for some seconds: the page is then fetched again after a delay.
      hasMore = after !== undefined && page.results.length === pageSize && newRows.length > 0
      after = page.next
    } catch (fault) {
      if (stopped.aborted) return
      if (!(fault instanceof Unreachable)) throw fault
      if (!isBroken) tell(`${fault.message} It is tried again; nothing is lost.`)
      isBroken = true
      wait_ms = Math.min(slowest_ms, wait_ms * 2)
    }
    if (!hasMore) await delay(wait_ms, undefined, { signal: stopped }).catch(() => {})
  }
}

/** Aborts when the user stops the command. */
export const untilStopped = () => {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => controller.abort())
  return controller.signal
}
