/**
 * Follows a list of the developer API: asks about once a second for what is new, and hands each row on once, in its order. When the
 * line breaks it tries again, ever more rarely up to half a minute, and goes on where it was: what happened meanwhile is not lost.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { remembering } from './remembering.js'
import { Unreachable } from './service-client.js'

/** @import { ServiceClient } from './service-client.js' */

const every_ms = 1_000
const slowest_ms = 30_000
const pageSize = 100

/**
 * `onFirst` gets the rows that were there before, as many as `first`; `tell` reports that the connection is lost and that it is back.
 *
 * @template {{ id: string }} Row
 * @param {{ client: ServiceClient, path: string, query?: Record<string, string>, first?: number,
 *   onFirst?: (rows: Row[]) => void, onRow: (row: Row) => Promise<void> | void,
 *   tell: (text: string) => void, stopped: AbortSignal }} options
 */
export const followFeed = async (options) => {
  const { client, path, query = {}, onRow, tell, stopped } = options
  const isKnown = remembering()
  /** @type {string | undefined} */
  let after
  let wait_ms = every_ms
  let broken = false
  while (!stopped.aborted) {
    let full = false
    try {
      const size = after === undefined ? (options.first ?? pageSize) : pageSize
      const parameters = new URLSearchParams({ ...query, page_size: String(size), ...(after && { after }) })
      const asked = client.ask('GET', `${path}?${parameters}`, { signal: stopped })
      const page = /** @type {{ next: string, results: Row[] }} */ (await asked)
      if (broken) tell(`${client.origin} answers again.`)
      broken = false
      wait_ms = every_ms
      const fresh = page.results.filter(({ id }) => !isKnown(id))
      if (after === undefined) options.onFirst?.(fresh)
      else
        for (const row of fresh) {
          if (stopped.aborted) return
          await onRow(row)
        }
      full = after !== undefined && page.results.length === pageSize
      after = page.next
    } catch (fault) {
      if (stopped.aborted) return
      if (!(fault instanceof Unreachable)) throw fault
      if (!broken) tell(`${fault.message} It is tried again; nothing is lost.`)
      broken = true
      wait_ms = Math.min(slowest_ms, wait_ms * 2)
    }
    if (!full) await delay(wait_ms, undefined, { signal: stopped }).catch(() => {})
  }
}

/** Aborts when the user stops the command. */
export const untilStopped = () => {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => controller.abort())
  return controller.signal
}
