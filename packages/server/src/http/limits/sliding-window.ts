/**
 * One sliding window over the calls of one key, in memory.
 *
 * Promises never to accept more than `max` calls in any `window_ms`, whatever the order of the times. It stores no times,
 * but slots: the last millisecond that a slot covers, and its number of calls. A slot leaves the window as a whole, when
 * its last millisecond is outside. With slots of one millisecond that is exact. With longer slots a call may count up to one
 * slot too long, never too short, and a day of 50,000 calls fits in 1,441 slots. The caller checks both windows of a rule
 * before it counts in either.
 */

import type { Limit, Rule } from './rule.ts'

/** Up to this limit, calls are stored to the millisecond even over a day. */
const EXACT_MAX = 1_000
const SLOTS_OF_A_WINDOW = 1_440

/** A limit, and the length of its slots. One object serves all keys of a bucket. */
export type Span = Limit & { readonly slot_ms: number }

export const spansOf = (rule: Rule): { readonly burst: Span; readonly sustained: Span } => ({
  burst: { ...rule.burst, slot_ms: 1 },
  sustained: {
    ...rule.sustained,
    slot_ms: rule.sustained.max <= EXACT_MAX ? 1 : Math.ceil(rule.sustained.window_ms / SLOTS_OF_A_WINDOW),
  },
})

/** The last millisecond of the slot that `now` falls in. */
const lastOfSlot = (now: number, slot_ms: number): number => now - (now % slot_ms) + slot_ms - 1

export class SlidingWindow {
  readonly #span: Span
  // A ring of pairs, oldest first from #head: the slot's last millisecond, then its calls. Most keys make only a few calls:
  // the ring begins with two slots and doubles when it is full. (A typed array would cost such a key twice as much.)
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
    const windowStart = now - window_ms
    const ring = this.#ring
    // Slots are dropped even if the other window then refuses the call. If the clock steps back afterwards, that other
    // window is still full, so the dropped slots cannot let a call pass.
    while (this.#slots > 0 && ring[this.#head]! <= windowStart) {
      this.#calls -= ring[this.#head + 1]!
      this.#head += 2
      if (this.#head === ring.length) this.#head = 0
      this.#slots -= 1
    }
    return this.#calls < max ? 0 : ring[this.#head]! + window_ms
  }

  /** The number of calls in the window, at the time of the last check. */
  get calls(): number {
    return this.#calls
  }

  /** The number of slots in use. */
  get slots(): number {
    return this.#slots
  }

  /** The number of slots that memory is kept for. */
  get capacity(): number {
    return this.#ring.length / 2
  }

  /** Counts one call. The caller has just checked that it is allowed. */
  add(now: number): void {
    const last = lastOfSlot(now, this.#span.slot_ms)
    this.#calls += 1
    const newest = this.#at(this.#slots - 1)
    // If the clock stepped back, calls count in the newest slot until the clock has caught up.
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

  /** Takes back the count of the newest call. */
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
