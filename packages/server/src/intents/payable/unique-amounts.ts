/**
 * The amounts that a wallet with unique amounts may ask for: the order's own amount and a small addition, so that a
 * payment without a reference belongs to one intent. Pure: which of them are free is for the database to say.
 */
import type { Instant } from '../../core/clock.ts'
import { LARGEST_AMOUNT, type Minor, minor } from '../../core/money.ts'

export type UniqueAmounts = {
  /** Whether the buyer is asked for a little more or a little less than the order's amount. */
  readonly direction: 'more' | 'less'
  /** The largest addition, in whole units of the currency: 1 to 99. */
  readonly most: number
}

const hour_ms = 3_600_000

/** How long an amount has not been asked for, since its intent ended unpaid (late money) or was paid (a buyer who pays twice). */
export type Rest = { readonly unpaid_ms: number; readonly paid_ms: number }

const rest = (unpaidHours: number, paidHours: number): Rest => ({
  unpaid_ms: unpaidHours * hour_ms,
  paid_ms: paidHours * hour_ms,
})

/**
 * An amount that has not rested for the last of these is held: it cannot be given again. Of those that are free, the ones that
 * have rested for the first are taken first, then for the second, and so on. The numbers are from bench/unique-amounts.ts
 * (docs/decisions/0043).
 */
export const RESTS: readonly Rest[] = [rest(240, 48), rest(168, 24), rest(96, 24), rest(48, 12), rest(24, 6)]

export const LONGEST_REST: Rest = RESTS[0]!
const shortest = RESTS.at(-1)!
export const REST_UNPAID_MS = shortest.unpaid_ms
export const REST_PAID_MS = shortest.paid_ms

/** What is known of the intents that asked for an amount: whether one is open, and when the last ones ended. */
export type AmountUse = {
  readonly open: boolean
  readonly unpaidAt: Instant | null
  readonly paidAt: Instant | null
}

/** The first of the rests that an amount has had; `rests.length`: it is held. */
export const restClass = ({ open, unpaidAt, paidAt }: AmountUse, now: Instant, rests = RESTS): number => {
  if (open) return rests.length
  const unpaid_ms = unpaidAt === null ? Number.POSITIVE_INFINITY : now - unpaidAt
  const paid_ms = paidAt === null ? Number.POSITIVE_INFINITY : now - paidAt
  const found = rests.findIndex((one) => unpaid_ms >= one.unpaid_ms && paid_ms >= one.paid_ms)
  return found < 0 ? rests.length : found
}

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

/**
 * Of the candidates that are free: one that is not near an open intent's (`OpenAmounts`), then the longest rested, then the smallest.
 * Undefined: none is free. `restClassOf`: see `restClass`.
 */
export const chooseAmount = <A>(
  candidates: readonly A[],
  restClassOf: (amount: A) => number,
  isNear: (amount: A) => boolean,
  rests = RESTS,
): A | undefined => {
  let chosen: A | undefined
  let best = Number.POSITIVE_INFINITY
  for (const amount of candidates) {
    const of = restClassOf(amount)
    if (of >= rests.length || of >= best) continue
    const rank = isNear(amount) ? rests.length + of : of
    if (rank < best) [chosen, best] = [amount, rank]
    if (best === 0) break
  }
  return chosen
}
