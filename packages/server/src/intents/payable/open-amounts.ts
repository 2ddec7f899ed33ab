/**
 * The amounts that are "near" an open intent: its buyer could send them by mistake, by paying in two parts (a round one and
 * the rest) or by mistyping a digit. While several intents are open, a new intent gets an amount that is not near those of
 * other order amounts, if there is one. Orders of one amount get the smallest additions in turn (docs/decisions/0043). Pure.
 */
import type { Minor } from '../../core/money.ts'

const UNIT = 100n
/** The first of two parts is a multiple of this, so that the rest has the same remainder as the whole amount. */
const PART = 50n * UNIT

/** With fewer open intents a mistake hardly ever hits another intent, and the smallest addition is used. */
const SEVERAL = 5

/** Swaps two neighbouring digits. `place`: the place value of the right one. */
const swapped = (amount: bigint, place: bigint): bigint => {
  const right = (amount / place) % 10n
  const left = (amount / (place * 10n)) % 10n
  return amount + (right - left) * place * 9n
}

/**
 * The amount with one of its last two digits changed, or with two neighbours of its last three digits swapped. An error
 * further to the left changes the amount by a multiple of 100 units, which the remainders find.
 */
const typosOf = (amount: bigint): bigint[] => {
  const found = [swapped(amount, UNIT), swapped(amount, UNIT * 10n)]
  for (const place of [UNIT, UNIT * 10n]) {
    const without = amount - ((amount / place) % 10n) * place
    for (let digit = 0n; digit < 10n; digit++) found.push(without + digit * place)
  }
  return found
}

export type OpenAmount = {
  /** The order's own amount. */
  readonly base: Minor
  readonly payable: Minor
}

/** How many open intents have a key (a remainder or a typo): in all, and by order amount. */
class Counts {
  readonly #all = new Map<bigint, number>()
  readonly #ofBase = new Map<string, number>()

  add(base: Minor, key: bigint, change: number): void {
    changeCount(this.#all, key, change)
    changeCount(this.#ofBase, `${base} ${key}`, change)
  }

  /** Whether an intent of another order amount has the key. */
  hasOther(base: Minor, key: bigint): boolean {
    return (this.#all.get(key) ?? 0) > (this.#ofBase.get(`${base} ${key}`) ?? 0)
  }
}

const changeCount = <K>(counts: Map<K, number>, key: K, change: number): void => {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}

/** The amounts that the open intents of a wallet ask for. */
export class OpenAmounts {
  #open = 0
  readonly #remainders = new Counts()
  readonly #typos = new Counts()

  constructor(amounts: Iterable<OpenAmount> = []) {
    for (const amount of amounts) this.add(amount)
  }

  add(amount: OpenAmount): void {
    this.#count(amount, 1)
  }

  remove(amount: OpenAmount): void {
    this.#count(amount, -1)
  }

  /** Whether the buyer of an open intent with another order amount could send this amount by mistake. */
  isNear({ base, payable }: OpenAmount): boolean {
    if (this.#open < SEVERAL) return false
    return this.#remainders.hasOther(base, payable % PART) || this.#typos.hasOther(base, payable)
  }

  #count({ base, payable }: OpenAmount, change: number): void {
    this.#open += change
    this.#remainders.add(base, payable % PART, change)
    for (const typo of new Set(typosOf(payable))) this.#typos.add(base, typo, change)
  }
}
