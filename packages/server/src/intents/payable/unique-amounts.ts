/**
 * The amounts that a wallet with unique amounts may ask for: the order's own amount and a small addition, so that a
 * payment without a reference belongs to one intent. Pure: which of them are free is for the database to say.
 */
import { LARGEST_AMOUNT, type Minor, minor } from '../../core/money.ts'

export type UniqueAmounts = {
  /** Whether the buyer is asked for a little more or a little less than the order's amount. */
  readonly direction: 'more' | 'less'
  /** The largest addition, in whole units of the currency: 1 to 99. */
  readonly most: number
}

/** An amount is not given again for this long after its intent has ended without a payment: late money. */
export const REST_UNPAID_MS = 24 * 3_600_000
/** An amount is not given again for this long after its intent was paid: a buyer who pays twice. */
export const REST_PAID_MS = 6 * 3_600_000
/** Amounts that have rested so many times as long are taken first. The numbers are from bench/unique-amounts.ts
 *  (docs/decisions/0043). */
export const LONG_RESTS = 4

const UNIT = 100n
/** Strangers and buyers who round pay multiples of this many units. */
export const AVOIDED = 10

/**
 * The candidates, smallest addition first. The order's own amount is never one of them, nor a multiple of `avoided` units.
 * None is zero, negative or above the largest amount.
 */
export const uniqueAmounts = (base: Minor, { direction, most }: UniqueAmounts, avoided = AVOIDED): Minor[] => {
  const round = BigInt(avoided) * UNIT
  const found: Minor[] = []
  for (let addition = 1n; addition <= BigInt(most); addition++) {
    const amount = direction === 'more' ? base + addition * UNIT : base - addition * UNIT
    if (amount > 0n && amount <= LARGEST_AMOUNT && amount % round !== 0n) found.push(minor(amount))
  }
  return found
}
