/**
 * The amounts that a wallet with unique amounts may ask for: the order's own amount, plus or minus a few units, so that
 * a payment without a reference belongs to one intent. Which of the amounts are free is read from the database by others. Pure.
 */
import type { Instant } from '../../core/clock.ts'
import { hour_ms } from '../../core/duration.ts'
import { LARGEST_AMOUNT, type Minor, minor } from '../../core/money.ts'

export type UniqueAmounts = {
  /** Whether the buyer is asked for a little more or a little less than the order's amount. */
  readonly direction: 'more' | 'less'
  /** The largest addition or subtraction, in whole units of the currency: 1 to 99. */
  readonly most: number
}

/**
 * How long an amount is not used again: after its intent ended unpaid, because money may come late, and after it was paid,
 * because a buyer may pay twice.
 */
export type Rest = { readonly unpaid_ms: number; readonly paid_ms: number }

const rest = (unpaidHours: number, paidHours: number): Rest => ({
  unpaid_ms: unpaidHours * hour_ms,
  paid_ms: paidHours * hour_ms,
})

/**
 * The rests, the longest first. An amount that has not had the last of them is held and cannot be used. Amounts that have had
 * the first rest are preferred, then those that have had the second, and so on. The numbers are from bench/unique-amounts.ts
 * (docs/decisions/0043).
 */
export const RESTS: readonly Rest[] = [rest(240, 48), rest(168, 24), rest(96, 24), rest(48, 12), rest(24, 6)]

export const LONGEST_REST: Rest = RESTS[0]!
const shortest = RESTS.at(-1)!
export const REST_UNPAID_MS = shortest.unpaid_ms
export const REST_PAID_MS = shortest.paid_ms

/** The intents that used an amount: whether one is open, and when the last unpaid and the last paid one ended. */
export type AmountUse = {
  readonly open: boolean
  readonly unpaidAt: Instant | null
  readonly paidAt: Instant | null
}

/** The index of the longest rest that an amount has had; `rests.length`: the amount is held. */
export const restClass = ({ open, unpaidAt, paidAt }: AmountUse, now: Instant, rests = RESTS): number => {
  if (open) return rests.length
  const unpaid_ms = unpaidAt === null ? Number.POSITIVE_INFINITY : now - unpaidAt
  const paid_ms = paidAt === null ? Number.POSITIVE_INFINITY : now - paidAt
  const found = rests.findIndex((rested) => unpaid_ms >= rested.unpaid_ms && paid_ms >= rested.paid_ms)
  return found < 0 ? rests.length : found
}

const UNIT = 100n
/** Multiples of this many units are avoided: strangers, and buyers who round, pay them. */
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
 * The best free candidate: first one that is not near an open intent (`OpenAmounts`), then the longest rested, then the first
 * of the list. Undefined: none is free. `restClassOf`: see `restClass`.
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
    const rested = restClassOf(amount)
    if (rested >= rests.length || rested >= best) continue
    const rank = isNear(amount) ? rests.length + rested : rested
    if (rank < best) [chosen, best] = [amount, rank]
    if (best === 0) break
  }
  return chosen
}
