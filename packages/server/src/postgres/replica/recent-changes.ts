/**
 * Which accounts changed a short time ago, by the hints of all nodes: what is read of them must have the change. `all`: hints may have
 * been lost, or a change was of every account.
 */

export type RecentChanges = {
  /** Key undefined: of every one. */
  changed(key: string | undefined, now_ms: number): void
  isRecent(key: string, now_ms: number): boolean
}

/** At this many keys, old ones are removed. */
const sweepAt = 10_000

export const recentChanges = (kept_ms: number): RecentChanges => {
  const changedAt = new Map<string, number>()
  let allChangedAt = Number.NEGATIVE_INFINITY
  let nextSweep = sweepAt
  const isFresh = (at_ms: number, now_ms: number): boolean => now_ms - at_ms <= kept_ms
  return {
    changed(key, now_ms) {
      if (key === undefined) {
        allChangedAt = now_ms
        changedAt.clear()
        return
      }
      changedAt.set(key, now_ms)
      if (changedAt.size < nextSweep) return
      for (const [one, at_ms] of changedAt) if (!isFresh(at_ms, now_ms)) changedAt.delete(one)
      nextSweep = Math.max(sweepAt, 2 * changedAt.size)
    },
    isRecent: (key, now_ms) => isFresh(Math.max(allChangedAt, changedAt.get(key) ?? allChangedAt), now_ms),
  }
}
