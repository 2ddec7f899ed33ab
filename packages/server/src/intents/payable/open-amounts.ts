/**
 * Which amounts the buyer of another open intent could send by mistake: who pays in two parts, a round one and the rest, or who
 * mistypes one digit. While several intents are open, a new one asks for an amount that is not near theirs, where there is one
 * (docs/decisions/0043). Pure.
 */
import type { Minor } from '../../core/money.ts'

const UNIT = 100n
/** A part that is paid first is a multiple of this many units: the rest keeps the amount's remainder. */
const PART = 50n * UNIT

/** With fewer open intents a mistake hardly ever hits one, and buyers are asked for the smallest addition. */
const SEVERAL = 5

/** Swaps two neighbouring digits. `place`: of the right one. */
const swapped = (amount: bigint, place: bigint): bigint => {
  const right = (amount / place) % 10n
  const left = (amount / (place * 10n)) % 10n
  return amount + (right - left) * place * 9n
}

/**
 * One digit of the last two changed, or two neighbours of the last three swapped. An error further to the left changes the
 * amount by a multiple of 100 units, and so keeps its remainder.
 */
const typosOf = (amount: bigint): bigint[] => {
  const found = [swapped(amount, UNIT), swapped(amount, UNIT * 10n)]
  for (const place of [UNIT, UNIT * 10n]) {
    const without = amount - ((amount / place) % 10n) * place
    for (let digit = 0n; digit < 10n; digit++) found.push(without + digit * place)
  }
  return found
}

/** The amounts that the open intents of a wallet ask for. */
export class OpenAmounts {
  #open = 0
  readonly #remainders = new Map<bigint, number>()
  readonly #typos = new Map<bigint, number>()

  constructor(amounts: Iterable<Minor> = []) {
    for (const amount of amounts) this.add(amount)
  }

  add(amount: Minor): void {
    this.#count(amount, 1)
  }

  remove(amount: Minor): void {
    this.#count(amount, -1)
  }

  /** Whether a buyer could send this amount who was asked for another one. */
  isNear(amount: Minor): boolean {
    return this.#open >= SEVERAL && (this.#remainders.has(amount % PART) || this.#typos.has(amount))
  }

  #count(amount: Minor, change: number): void {
    const add = (counts: Map<bigint, number>, key: bigint): void => {
      const count = (counts.get(key) ?? 0) + change
      if (count > 0) counts.set(key, count)
      else counts.delete(key)
    }
    this.#open += change
    add(this.#remainders, amount % PART)
    for (const typo of typosOf(amount)) add(this.#typos, typo)
  }
}
