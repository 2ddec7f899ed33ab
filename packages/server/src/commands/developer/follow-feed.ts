/**
 * Follows a list of the developer API: asks about once a second for what is new, and hands each row on once, in its order. When the
 * line breaks it tries again, ever more rarely up to half a minute, and goes on where it was: what happened meanwhile is not lost.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { type ServiceClient, Unreachable } from './service-client.ts'

type Feed<Row> = { readonly next: string; readonly results: readonly Row[] }

const mostRemembered = 10_000
const every_ms = 1_000
const slowest_ms = 30_000
const pageSize = 100

export const followFeed = async <Row extends { readonly id: string }>(options: {
  readonly client: ServiceClient
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  /** The rows that were there before; left out: they are passed over. */
  readonly onFirst?: (rows: readonly Row[]) => void
  readonly first?: number
  readonly onRow: (row: Row) => Promise<void> | void
  /** Reports that the connection is lost, and that it is back. */
  readonly tell: (text: string) => void
  readonly stopped: AbortSignal
}): Promise<void> => {
  const { client, path, query = {}, onRow, tell, stopped } = options
  const seen = new Set<string>()
  const remember = (id: string): boolean => {
    if (seen.has(id)) return false
    seen.add(id)
    if (seen.size > mostRemembered) for (const oldest of seen.values().take(1)) seen.delete(oldest)
    return true
  }
  let after: string | undefined
  let wait_ms = every_ms
  let broken = false
  while (!stopped.aborted) {
    let full = false
    try {
      const size = after === undefined ? (options.first ?? pageSize) : pageSize
      const parameters = new URLSearchParams({ ...query, page_size: String(size), ...(after && { after }) })
      const page = (await client.ask('GET', `${path}?${parameters}`)) as Feed<Row>
      if (broken) tell(`${client.origin} answers again.`)
      broken = false
      wait_ms = every_ms
      const fresh = page.results.filter(({ id }) => remember(id))
      if (after === undefined) options.onFirst?.(fresh)
      else
        for (const row of fresh) {
          if (stopped.aborted) return
          await onRow(row)
        }
      full = after !== undefined && page.results.length === pageSize
      after = page.next
    } catch (fault) {
      if (!(fault instanceof Unreachable)) throw fault
      if (!broken) tell(`${fault.message} It is tried again; nothing is lost.`)
      broken = true
      wait_ms = Math.min(slowest_ms, wait_ms * 2)
    }
    if (!full) await delay(wait_ms, undefined, { signal: stopped }).catch(() => {})
  }
}

/** Aborts when the user stops the command. */
export const untilStopped = (): AbortSignal => {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}
