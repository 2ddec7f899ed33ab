/**
 * One sliding window over the calls of one key, in memory.
 *
 * Promises never to accept more than `max` calls in any stretch of `window_ms`, whatever the order of the times. It
 * stores no times, but slots: the last millisecond a slot covers, and how many calls it counts. A slot leaves as a
 * whole, when its last millisecond is outside. With slots of one millisecond that is exact; with longer ones a call
 * may count up to one slot too long, never too short, and a day of 50,000 calls fits in 1,441 slots. The caller checks
 * both windows before it counts in either.
 */

import type { Limit, Rule } from './rule.ts'

/** The calls of a limit this small are remembered one by one even over a day. */
const EXACT_MAX = 1_000
const SLOTS_OF_A_WINDOW = 1_440

/** A limit, and how finely its calls are remembered. One object serves all keys of a bucket. */
export type Span = Limit & { readonly slot_ms: number }

export const spansOf = (rule: Rule): { readonly burst: Span; readonly sustained: Span } => ({
  burst: { ...rule.burst, slot_ms: 1 },
  sustained: {
    ...rule.sustained,
    slot_ms: rule.sustained.max <= EXACT_MAX ? 1 : Math.max(1, Math.ceil(rule.sustained.window_ms / SLOTS_OF_A_WINDOW)),
  },
})

/** The last millisecond of the slot that `now` falls in. */
const lastOfSlot = (now: number, slot_ms: number): number => now - (now % slot_ms) + slot_ms - 1

export class SlidingWindow {
  readonly #span: Span
  // A ring of pairs, oldest first from #head: the slot's last millisecond, then its calls.
  // Most keys make a few calls and go: it begins with room for two slots and doubles when it is full. (A typed array
  // would cost such a key twice as much.)
  #ring: number[] = [0, 0, 0, 0]
  #head = 0
  #slots = 0
  #calls = 0

  constructor(span: Span) {
    this.#span = span
  }

  /** When one more call is allowed: 0 if now, else the first millisecond in which it will be. */
  opensAt(now: number): number {
    const { max, window_ms } = this.#span
    const gone = now - window_ms
    const ring = this.#ring
    // Slots are dropped even if the call is then refused by the other window. A clock that steps back afterwards
    // finds that other window still full, so what was dropped here cannot let a call in.
    while (this.#slots > 0 && ring[this.#head]! <= gone) {
      this.#calls -= ring[this.#head + 1]!
      this.#head += 2
      if (this.#head === ring.length) this.#head = 0
      this.#slots -= 1
    }
    return this.#calls < max ? 0 : ring[this.#head]! + window_ms
  }

  /** How many calls it counts, of those that were looked at last. */
  get calls(): number {
    return this.#calls
  }

  /** How many slots it holds: what it costs. */
  get slots(): number {
    return this.#slots
  }

  /** Counts one call. The caller has just checked that it is allowed. */
  add(now: number): void {
    const last = lastOfSlot(now, this.#span.slot_ms)
    this.#calls += 1
    const newest = this.#at(this.#slots - 1)
    // When the clock steps back, time stands still here until it has caught up: such calls count with the newest.
    if (this.#slots > 0 && this.#ring[newest]! >= last) {
      this.#ring[newest + 1]! += 1
      return
    }
    if (this.#slots * 2 === this.#ring.length) this.#grow()
    const next = this.#at(this.#slots)
    this.#ring[next] = last
    this.#ring[next + 1] = 1
    this.#slots += 1
  }

  /** Counts the newest call no more. */
  takeBack(): void {
    if (this.#slots === 0) return
    const newest = this.#at(this.#slots - 1)
    this.#calls -= 1
    this.#ring[newest + 1]! -= 1
    if (this.#ring[newest + 1] === 0) this.#slots -= 1
  }

  #at(slot: number): number {
    const index = this.#head + slot * 2
    return index < this.#ring.length ? index : index - this.#ring.length
  }

  #grow(): void {
    const old = this.#ring
    this.#ring = [...old.slice(this.#head), ...old.slice(0, this.#head), ...old]
    this.#head = 0
  }
}
