/** A clock that stands still until it is moved. */
import type { Clock, Instant } from '../../../src/core/clock.ts'

export const movableClock = (start: Instant): Clock & { set(to: Instant): void; advance(by_ms: number): void } => {
  let at = start
  return {
    now: () => at,
    set: (to) => {
      at = to
    },
    advance: (by_ms) => {
      at += by_ms
    },
  }
}
