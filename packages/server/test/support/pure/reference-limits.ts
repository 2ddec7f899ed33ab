/**
 * The reference model of the limits, for tests: as simple as possible, and too slow for real use. It stores every
 * accepted call and counts them all again for each new call. Tests compare the limits in memory and in Redis with it.
 */

import type { Limit, Rule, Verdict } from '../../../src/http/limits/rule.ts'
import { type Span, spansOf } from '../../../src/http/limits/sliding-window.ts'

export type Call = { readonly now: number; readonly verdict: Verdict }

export class ReferenceLimits {
  readonly #spans: readonly Span[]
  readonly #accepted: number[] = []

  constructor(rule: Rule) {
    this.#spans = Object.values(spansOf(rule))
  }

  take(now: number): Verdict {
    const newest = this.#accepted.at(-1) ?? 0
    const moment = Math.max(now, newest)
    if (this.#isAllowedAt(moment)) {
      this.#accepted.push(moment)
      return { allowed: true }
    }
    let seconds = 1
    while (!this.#isAllowedAt(Math.max(now + seconds * 1000, newest))) seconds += 1
    return { allowed: false, retryAfterS: seconds }
  }

  #isAllowedAt(moment: number): boolean {
    return this.#spans.every(({ max, window_ms, slot_ms }) => {
      const counted = this.#accepted.filter((at) => lastMomentOfSlot(at, slot_ms) > moment - window_ms)
      return counted.length < max
    })
  }
}

const lastMomentOfSlot = (at: number, slot_ms: number): number => (Math.floor(at / slot_ms) + 1) * slot_ms - 1

/** The largest number of accepted calls in any window of this limit, counted without slots. */
export const fullest = (calls: readonly Call[], { window_ms }: Limit): number => {
  const accepted = calls.filter(({ verdict }) => verdict.allowed).map(({ now }) => now)
  const counts = accepted.map((start) => accepted.filter((at) => at >= start && at < start + window_ms).length)
  return Math.max(0, ...counts)
}
