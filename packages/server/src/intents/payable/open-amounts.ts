/**
 * The amounts that are "near" an open intent: its buyer could send them by paying in two parts, a round one and the rest.
 * While several intents are open, a new intent gets an amount that is not near those of other order amounts, if there is
 * one. Orders of one amount get the smallest additions in turn (docs/decisions/0043). Pure.
 */
import type { Minor } from '../../core/money.ts'

/** Fifty riyals. The first of two parts is a multiple of it, so the second part has the same remainder as the whole amount. */
const PART = 50n * 100n

/** With fewer open intents a second part hardly ever hits another intent, and the smallest addition is used. */
const SEVERAL = 5

export type OpenAmount = {
  /** The order's own amount. */
  readonly base: Minor
  readonly payable: Minor
}

const changeCount = <K>(counts: Map<K, number>, key: K, change: number): void => {
  const count = (counts.get(key) ?? 0) + change
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}

/** The amounts that the open intents of a wallet ask for, counted by their remainders. */
export class OpenAmounts {
  #open = 0
  readonly #byRemainder = new Map<bigint, number>()
  readonly #byBaseAndRemainder = new Map<string, number>()

  constructor(amounts: Iterable<OpenAmount> = []) {
    for (const amount of amounts) this.add(amount)
  }

  add(amount: OpenAmount): void {
    this.#count(amount, 1)
  }

  remove(amount: OpenAmount): void {
    this.#count(amount, -1)
  }

  /** Whether the buyer of an open intent with another order amount could send this amount as the second part. */
  isNear({ base, payable }: OpenAmount): boolean {
    if (this.#open < SEVERAL) return false
    const remainder = payable % PART
    const all = this.#byRemainder.get(remainder) ?? 0
    const ofThisBase = this.#byBaseAndRemainder.get(`${base} ${remainder}`) ?? 0
    return all > ofThisBase
  }

  #count({ base, payable }: OpenAmount, change: number): void {
    const remainder = payable % PART
    this.#open += change
    changeCount(this.#byRemainder, remainder, change)
    changeCount(this.#byBaseAndRemainder, `${base} ${remainder}`, change)
  }
}
