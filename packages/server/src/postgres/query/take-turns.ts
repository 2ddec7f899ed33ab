/**
 * In which order items of several callers are served when not all of them fit: one of each caller in turn, and first the callers who were
 * served longest ago. So who sends one item does not wait behind a hundred of another. Pure.
 */

export type Turns<T> = {
  /** All items, in the order in which they should be served. `waiting`: in the order of arrival. */
  order(waiting: readonly T[]): readonly T[]
  /** These were served; others wait. */
  served(items: readonly T[]): void
  /** Nothing waits any more. */
  forget(): void
}

export const callersInTurns = <T>(callerOf: (item: T) => string): Turns<T> => {
  /** When a caller whose items wait was served last. A new one comes after those who wait, and before those of the last time. */
  let servedAt = new Map<string, number>()
  let time = 0

  return {
    order(waiting) {
      const byCaller = Map.groupBy(waiting, callerOf)
      servedAt = new Map([...byCaller.keys()].map((caller) => [caller, servedAt.get(caller) ?? time - 1]))
      if (byCaller.size === 1) return waiting
      // Sorting is stable: callers with the same time stay in the order of their first items.
      let lines = [...byCaller].sort(([a], [b]) => servedAt.get(a)! - servedAt.get(b)!).map(([, items]) => items)
      const ordered: T[] = []
      for (let place = 0; lines.length > 0; place++) {
        for (const items of lines) ordered.push(items[place]!)
        // One caller may have thousands, and a thousand callers one each.
        lines = lines.filter((items) => items.length > place + 1)
      }
      return ordered
    },
    served(items) {
      time += 2
      for (const item of items) {
        const caller = callerOf(item)
        if (servedAt.has(caller)) servedAt.set(caller, time)
      }
    },
    forget() {
      servedAt.clear()
    },
  }
}
