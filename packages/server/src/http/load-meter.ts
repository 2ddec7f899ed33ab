/**
 * How busy the node is with requests: how many were under way on average in the last short window, and how many were
 * answered in it. Background work that can wait uses it to give way. Streams, which stay open for hours, do not count.
 */
import type { Load } from '../webhooks/sending/yield-calls.ts'

export type LoadMeter = {
  began(): void
  ended(): void
  /** The last whole window; undefined: none has ended since the last read. */
  read(): Load | undefined
}

export const loadMeter = (window_ms = 20, time: () => number = () => performance.now()): LoadMeter => {
  let underWay = 0
  let answered = 0
  /** Requests times milliseconds, since the window began. */
  let area = 0
  let began = time()
  let last = began
  const pass = (now: number): void => {
    area += underWay * (now - last)
    last = now
  }
  return {
    began() {
      pass(time())
      underWay++
    },
    ended() {
      pass(time())
      underWay--
      answered++
    },
    read() {
      const now = time()
      const took_ms = now - began
      if (took_ms < window_ms) return undefined
      pass(now)
      const load = { underWay: area / took_ms, answered, took_ms }
      began = now
      area = 0
      answered = 0
      return load
    },
  }
}
