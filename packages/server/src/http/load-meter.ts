/**
 * Measures how busy the node is with requests: the average number under way in the last short window, and the number
 * answered in it. Background work that can wait pauses while the node is busy. Streams, which stay open for hours, do not
 * count.
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
  /** The sum of requests under way times milliseconds, since the window began. */
  let area = 0
  let began = time()
  let lastChange = began
  const advance = (now: number): void => {
    area += underWay * (now - lastChange)
    lastChange = now
  }
  return {
    began() {
      advance(time())
      underWay++
    },
    ended() {
      advance(time())
      underWay--
      answered++
    },
    read() {
      const now = time()
      const took_ms = now - began
      if (took_ms < window_ms) return undefined
      advance(now)
      const load = { underWay: area / took_ms, answered, took_ms }
      began = now
      area = 0
      answered = 0
      return load
    },
  }
}
