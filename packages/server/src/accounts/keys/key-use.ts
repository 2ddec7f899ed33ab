/**
 * When each key was last used, written down beside the calls and never in their way: a call leaves a mark in memory, and
 * what was marked is written together about a second later. A key that is busy all day costs one write a minute and node;
 * a key that buys a token is written at once. What was not yet written when a node is killed is lost, which is a minute at
 * most: it is told to people, and nothing is decided by it.
 */
import { LRUCache } from 'lru-cache'
import type { Instant } from '../../core/clock.ts'
import type { ClientId } from '../../core/ids.ts'
import type { Db } from '../../postgres/connection/database.ts'
import { markUsed } from './account-keys-sql.ts'

const usedEvery_ms = 60_000
const gathered_ms = 1_000

export type KeyUse = {
  /** A call was made with it. */
  called(id: ClientId, now: Instant): void
  /** It bought a token. */
  bought(id: ClientId, now: Instant): void
  /** Writes down what was marked so far. */
  flush(): Promise<void>
  /** No more timers; what was marked is written. */
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
      await markUsed(db, uses)
    } catch (fault) {
      // The next call marks it again.
      for (const [id] of uses) marked.delete(id)
      onFault(fault)
    }
  }

  const mark = (id: ClientId, now: Instant): void => {
    marked.set(id, now)
    waiting.set(id, now)
    if (timer !== undefined || closed) return
    timer = setTimeout(() => void flush(), gathered_ms)
    timer.unref()
  }

  return {
    called(id, now) {
      const last = marked.get(id)
      // A clock set back would keep a key unused: such an age counts as long ago.
      if (last === undefined || now < last || now - last >= usedEvery_ms) mark(id, now)
    },
    bought: mark,
    flush,
    close() {
      closed = true
      return flush()
    },
  }
}
