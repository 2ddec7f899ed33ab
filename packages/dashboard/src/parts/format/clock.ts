/** The current time for components: one clock that ticks every few seconds, so that relative times stay right. */
import { useSyncExternalStore } from 'react'

const every_ms = 5000
let now = Date.now()
const readers = new Set<() => void>()
let ticking: ReturnType<typeof setInterval> | undefined

const subscribe = (reader: () => void): (() => void) => {
  // The clock stops while no component uses it. A recent value is kept: it would only render everything again.
  if (readers.size === 0 && Date.now() - now > every_ms) now = Date.now()
  readers.add(reader)
  ticking ??= setInterval(() => {
    now = Date.now()
    for (const one of readers) one()
  }, every_ms)
  return () => {
    readers.delete(reader)
    if (readers.size > 0) return
    clearInterval(ticking)
    ticking = undefined
  }
}

/** Once, where nothing is rendered. */
export const currentTime = (): number => Date.now()

export const useNow = (): number => useSyncExternalStore(subscribe, () => now)
