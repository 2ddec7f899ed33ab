/**
 * The last use of each key and its calls of the day, without slowing requests down: a request counts in memory, and the counts are
 * written together: about a second after the first use of a key, and then once a minute. So what is stored may be a minute old; a key
 * that is exchanged for a token is written within a second. A killed node loses the counts of its last minute. Users see them;
 * nothing else depends on them.
 */
import type { Instant } from '../../core/clock.ts'
import { minute_ms } from '../../core/duration.ts'
import type { ClientId } from '../../core/ids.ts'
import { outsideCalls } from '../../core/tracing/call-context.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { markKeysUsed } from './account-keys-sql.ts'

const soon_ms = 1_000
/** More keys than these are written at once, so that the counts have a bound. */
const mostCounted = 10_000

export type KeyUse = {
  /** A request was made with the key. */
  used(id: ClientId, address: string, now: Instant): void
  /** The key was exchanged for a token. */
  exchanged(id: ClientId, address: string, now: Instant): void
  /** Writes the counts so far. */
  flush(): Promise<void>
  /** Stops the timer and writes the counts. */
  close(): Promise<void>
}

type Uses = { last: Instant; address: string; count: number }

export const keyUse = (db: Db, zone: string, onFault: (fault: unknown) => void): KeyUse => {
  let counted = new Map<ClientId, Uses>()
  /** When each key was last written, so that a busy key is written once a minute. */
  let written = new Map<ClientId, Instant>()
  let timer: { readonly handle: NodeJS.Timeout; readonly soon: boolean } | undefined
  let closed = false

  const flush = async (): Promise<void> => {
    clearTimeout(timer?.handle)
    timer = undefined
    if (counted.size === 0) return
    const uses = [...counted]
      .map(([clientId, { last, address, count }]) => ({ clientId, last, address, count }))
      .sort((one, other) => (one.clientId < other.clientId ? -1 : 1))
    counted = new Map()
    if (written.size > mostCounted) written = new Map()
    for (const { clientId, last } of uses) written.set(clientId, last)
    try {
      await markKeysUsed(db, uses, zone)
    } catch (fault) {
      // So that the next request writes the key again soon.
      for (const { clientId } of uses) written.delete(clientId)
      onFault(fault)
    }
  }

  /** The timer is set during a request, and what it writes belongs to none. */
  const flushCounted = outsideCalls(() => void flush())

  const writeLater = (soon: boolean): void => {
    if (closed || (timer !== undefined && (timer.soon || !soon))) return
    clearTimeout(timer?.handle)
    const handle = setTimeout(flushCounted, soon ? soon_ms : minute_ms)
    handle.unref()
    timer = { handle, soon }
  }

  const count = (id: ClientId, address: string, now: Instant, soon: boolean): void => {
    const uses = counted.get(id)
    if (uses === undefined) counted.set(id, { last: now, address, count: 1 })
    else {
      uses.last = now
      uses.address = address
      uses.count++
    }
    writeLater(soon || counted.size > mostCounted)
  }

  return {
    used(id, address, now) {
      const last = written.get(id)
      // A key must be written even if the clock was set back.
      count(id, address, now, last === undefined || now < last || now - last >= minute_ms)
    },
    exchanged: (id, address, now) => count(id, address, now, true),
    flush,
    close() {
      closed = true
      return flush()
    },
  }
}
