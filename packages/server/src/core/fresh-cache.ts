/**
 * A small cache for rows that every request needs and that rarely change (API keys, wallets). It promises that a value it
 * returns was true at most `dead_ms` ago, on every node and without messages between nodes: from `stale_ms` on an entry is
 * read again in the background, and one older than `dead_ms` is never returned. So a busy key never waits for the database,
 * and a revocation takes effect everywhere within `dead_ms`.
 */
import { LRUCache } from 'lru-cache'
import type { Instant } from './clock.ts'

type Entry<V> = { value: V; readAt: Instant; renewing: boolean }

export type FreshCache<K, V> = {
  /** The value, at once if it is fresh enough. Undefined: there is no such row. */
  get(key: K, now: Instant): V | undefined | Promise<V | undefined>
  /** After a change: the next reader asks the database. */
  forget(key: K): void
  /** As `forget`, for every entry whose value fits. Looks at all entries: for rare changes. */
  forgetWhere(fits: (value: V) => boolean): void
  /** As `forget`, for every entry. */
  forgetAll(): void
}

export const freshCache = <K extends string, V extends object>(options: {
  load: (key: K) => Promise<V | undefined>
  max: number
  /** Bounds the memory where values differ in size: the sum of `of` over all entries. A value above `most` is not kept. */
  size?: { readonly most: number; readonly of: (value: V) => number }
  stale_ms?: number
  dead_ms?: number
}): FreshCache<K, V> => {
  const { load, max, size, stale_ms = 600, dead_ms = 1500 } = options
  // Created with the first entry: the cache allocates memory for all its entries, and a command needs none of them.
  let entries: LRUCache<K, Entry<V>> | undefined
  const loading = new Map<K, Promise<V | undefined>>()

  const read = (key: K, now: Instant): Promise<V | undefined> => {
    const underWay = loading.get(key)
    if (underWay !== undefined) return underWay
    // Dated by when the read began: a change made while it ran is not hidden for longer than promised.
    const reading = load(key)
      .then((value) => {
        // A forget() in the meantime removed this read from the map: its value may be from before the change.
        if (loading.get(key) !== reading) return value
        if (value === undefined) entries?.delete(key)
        else {
          entries ??= new LRUCache<K, Entry<V>>({
            max,
            ...(size && { maxSize: size.most, sizeCalculation: ({ value }) => size.of(value) }),
          })
          entries.set(key, { value, readAt: now, renewing: false })
        }
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
      const entry = entries?.get(key)
      if (entry === undefined) return read(key, now)
      const age_ms = now - entry.readAt
      // A clock set back would keep an entry for ever: such an age counts as dead.
      if (age_ms >= dead_ms || age_ms < 0) return read(key, now)
      if (age_ms >= stale_ms && !entry.renewing) {
        entry.renewing = true
        // A failure here fails no request: the entry stays until it is dead, and then the reader gets the error.
        read(key, now).catch(() => {
          entry.renewing = false
        })
      }
      return entry.value
    },
    forget(key) {
      entries?.delete(key)
      loading.delete(key)
    },
    forgetWhere(fits) {
      for (const [key, { value }] of [...(entries?.entries() ?? [])]) if (fits(value)) entries?.delete(key)
      // The value of a read that is under way is not known yet: none of them is kept.
      loading.clear()
    },
    forgetAll() {
      entries?.clear()
      loading.clear()
    },
  }
}
