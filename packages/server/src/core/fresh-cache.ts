/**
 * A small cache for rows that every request needs and that rarely change (credentials, wallets). It promises that what
 * it answers was true at most `dead_ms` ago, on every node and without any message between nodes: an entry is read
 * again in the background from `stale_ms` on, and nobody is answered from one older than `dead_ms`. So a busy key never
 * waits for the database, and a revocation is known everywhere within `dead_ms`.
 */
import { LRUCache } from 'lru-cache'
import type { Instant } from './clock.ts'

type Entry<V> = { value: V; readAt: Instant; renewing: boolean }

export type FreshCache<K, V> = {
  /** The value, at once when it is fresh enough. Undefined: there is no such thing. */
  get(key: K, now: Instant): V | undefined | Promise<V | undefined>
  /** After a change made here: the next reader asks the database. */
  forget(key: K): void
}

export const freshCache = <K extends string, V extends object>(options: {
  load: (key: K) => Promise<V | undefined>
  max: number
  stale_ms?: number
  dead_ms?: number
}): FreshCache<K, V> => {
  const { load, max, stale_ms = 600, dead_ms = 1500 } = options
  const entries = new LRUCache<K, Entry<V>>({ max })
  const loading = new Map<K, Promise<V | undefined>>()

  const read = (key: K, now: Instant): Promise<V | undefined> => {
    const under = loading.get(key)
    if (under !== undefined) return under
    // Dated by when the reading began: what changed while it ran is not hidden for longer than promised.
    const reading = load(key)
      .then((value) => {
        // A forget() in the meantime took this reading out of the map: its answer may be from before the change.
        if (loading.get(key) !== reading) return value
        if (value === undefined) entries.delete(key)
        else entries.set(key, { value, readAt: now, renewing: false })
        return value
      })
      .finally(() => {
        if (loading.get(key) === reading) loading.delete(key)
      })
    loading.set(key, reading)
    return reading
  }

  return {
    get(key, now) {
      const entry = entries.get(key)
      if (entry === undefined) return read(key, now)
      const age_ms = now - entry.readAt
      // A clock set back would keep an entry for ever: such an age counts as dead.
      if (age_ms >= dead_ms || age_ms < 0) return read(key, now)
      if (age_ms >= stale_ms && !entry.renewing) {
        entry.renewing = true
        // A fault here is not an answer's fault: the entry stays until it is dead, then the reader meets the fault.
        read(key, now).catch(() => {
          entry.renewing = false
        })
      }
      return entry.value
    },
    forget(key) {
      entries.delete(key)
      loading.delete(key)
    },
  }
}
