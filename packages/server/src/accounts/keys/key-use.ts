/**
 * When each key was last used, without slowing requests down: a request marks the key in memory, and the marks are
 * written together about a second later. A busy key costs each node one write a minute, so the stored time may be a minute old;
 * a key that is exchanged for a token is always marked. A killed node loses the marks of its last second. Users see the
 * time; nothing else depends on it.
 */
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../core/clock.ts'
import { minute_ms } from '../../core/duration.ts'
import type { ClientId } from '../../core/ids.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { markKeysUsed } from './account-keys-sql.ts'

const usedEvery_ms = minute_ms
const batch_ms = 1_000

export type KeyUse = {
  /** A request was made with the key. */
  used(id: ClientId, now: Instant): void
  /** The key was exchanged for a token. */
  exchanged(id: ClientId, now: Instant): void
  /** Writes the marks so far. */
  flush(): Promise<void>
  /** Stops the timer and writes the marks. */
  close(): Promise<void>
}

export const keyUse = (db: Db, onFault: (fault: unknown) => void): KeyUse => {
  const marked = new LRUCache<ClientId, Instant>({ max: 10_000 })
  let waiting = new Map<ClientId, Instant>()
  let timer: NodeJS.Timeout | undefined
  let closed = false

  const flush = async (): Promise<void> => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.size === 0) return
    const uses = [...waiting].sort(([one], [other]) => (one < other ? -1 : 1))
    waiting = new Map()
    try {
      await markKeysUsed(db, uses)
    } catch (fault) {
      // So that the next request marks the key again.
      for (const [id] of uses) marked.delete(id)
      onFault(fault)
    }
  }

  const mark = (id: ClientId, now: Instant): void => {
    marked.set(id, now)
    waiting.set(id, now)
    if (timer !== undefined || closed) return
    timer = setTimeout(() => void flush(), batch_ms)
    timer.unref()
  }

  return {
    used(id, now) {
      const last = marked.get(id)
      // A key must be marked even if the clock was set back.
      if (last === undefined || now < last || now - last >= usedEvery_ms) mark(id, now)
    },
    exchanged: mark,
    flush,
    close() {
      closed = true
      return flush()
    },
  }
}
