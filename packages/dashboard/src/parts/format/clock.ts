/** The current time for components: one clock that ticks every few seconds, so that relative times stay right. */
import { useSyncExternalStore } from 'react'

const every_ms = 5000
let now = Date.now()
const readers = new Set<() => void>()
let ticking: ReturnType<typeof setInterval> | undefined

const subscribe = (reader: () => void): (() => void) => {
  // The clock stops while no component uses it. A recent value stays: a new one would render everything again.
  if (readers.size === 0 && Date.now() - now > every_ms) now = Date.now()
  readers.add(reader)
  ticking ??= setInterval(() => {
    now = Date.now()
    for (const notify of readers) notify()
  }, every_ms)
  return () => {
    readers.delete(reader)
    if (readers.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }
}

/** The time now, for code that is not rendered again. */
export const currentTime = (): number => Date.now()

export const useNow = (): number => useSyncExternalStore(subscribe, () => now)
