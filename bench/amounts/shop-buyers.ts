/** The buyers and strangers of a simulated shop, from a seed: what they buy, when they pay, and what they do wrong. */
import { day_ms, hour_ms, minute_ms } from '../../packages/server/src/core/duration.ts'
import type { Random } from '../harness/random.ts'
import type { Scenario } from './scenario.ts'

const normal = (random: Random): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())

/** Delays of people and sizes of orders: half are below the median, and a few are very large. */
const logNormal = (random: Random, median: number, sigma: number): number => median * Math.exp(sigma * normal(random))

/** Amounts below each size are multiples of one of its steps; `share`: how many of them are multiples of this step. */
const steps: readonly (readonly [below: number, readonly (readonly [step: number, share: number])[]])[] = [
  [
    1_000,
    [
      [50, 0.25],
      [100, 0.5],
      [500, 0.25],
    ],
  ],
  [
    5_000,
    [
      [50, 0.05],
      [100, 0.25],
      [500, 0.45],
      [1_000, 0.25],
    ],
  ],
  [
    20_000,
    [
      [100, 0.1],
      [500, 0.3],
      [1_000, 0.4],
      [5_000, 0.2],
    ],
  ],
  [
    Number.POSITIVE_INFINITY,
    [
      [500, 0.15],
      [1_000, 0.35],
      [5_000, 0.5],
    ],
  ],
]

const pick = <T>(random: Random, choices: readonly (readonly [T, number])[]): T => {
  let left = random()
  for (const [choice, share] of choices) {
    left -= share
    if (left < 0) return choice
  }
  return choices.at(-1)![0]
}

/** About half of the orders are below 3,000 riyals, one in six above 9,000. The most common amount is 2,000: 8.5 % of all. */
export const roundAmount = (random: Random): number => {
  const size = Math.min(200_000, Math.max(200, logNormal(random, 3_000, 1.1)))
  const [, shares] = steps.find(([below]) => size < below)!
  const step = pick(random, shares)
  return Math.max(step, Math.round(size / step) * step)
}

export const baseAmount = (random: Random, { prices }: Scenario): number =>
  prices === 0 ? roundAmount(random) : (1 + Math.floor(random() * prices)) * 500

export const strangerAmount = (random: Random, { oddStrangers }: Scenario): number => {
  const amount = roundAmount(random)
  if (random() < oddStrangers) return Math.max(1, Math.round(amount * (0.5 + random())))
  return random() < 0.1 ? amount + 10 * Math.floor(random() * 10) : amount
}

/** A time of the day in an open shop: from 8 to 23 o'clock, and 1.4 times as busy from 16 o'clock on. */
export const openingTime = (random: Random): number => {
  const hour = random() < 0.45 ? 8 + random() * 8 : 16 + random() * 7
  return hour * hour_ms
}

/** The order's own amount, or the payable amount rounded to ten, fifty or a hundred. */
const roundedAmount = (random: Random, base: number, payable: number): number =>
  pick(random, [
    [base, 0.5],
    [Math.round(payable / 10) * 10, 0.2],
    [Math.ceil(payable / 50) * 50, 0.15],
    [Math.ceil(payable / 100) * 100, 0.15],
  ])

const mistyped = (random: Random, amount: number): number => {
  const digits = [...String(amount)]
  const at = 1 + Math.floor(random() * (digits.length - 1))
  if (random() < 0.4) [digits[at - 1], digits[at]] = [digits[at]!, digits[at - 1]!]
  else digits[at] = String(Math.floor(random() * 10))
  return Number(digits.join(''))
}

export type MoneyKind = 'exact' | 'stranger' | 'rounded' | 'late' | 'second' | 'part' | 'mistyped' | 'hostile'
export type Payment = { readonly kind: MoneyKind; readonly after_ms: number; readonly amount: number }

/** What a dishonest buyer does instead of paying the amount of the order. */
export type Lie =
  /** Creates an order, pays nothing, and hopes that money of others verifies it. */
  | 'waits'
  /** Pays the amount of another buyer's open order. */
  | 'pays_anothers'
  /** Has an order of a large amount, and pays the amount of a cheaper open one. */
  | 'underpays'

export const lieOf = (random: Random): Lie =>
  pick(random, [
    ['waits', 0.5],
    ['pays_anothers', 0.25],
    ['underpays', 0.25],
  ])

/** The payments of an honest buyer. `after_ms`: the time from the order until Sanad gets the alert. */
export const paymentsOf = (random: Random, shop: Scenario, base: number, payable: number): Payment[] => {
  const alert_ms = 5_000 + (random() < 0.01 ? logNormal(random, 10 * minute_ms, 1) : random() * 20_000)
  const soon_ms = Math.min(shop.window_ms * 0.95, logNormal(random, 4 * minute_ms, 0.8)) + alert_ms
  let left = random()
  const falls = (share: number): boolean => {
    left -= share
    return left < 0
  }
  if (falls(shop.abandon)) return []
  if (falls(shop.round)) {
    const amount = roundedAmount(random, base, payable)
    return [{ kind: amount === payable ? 'exact' : 'rounded', after_ms: soon_ms, amount }]
  }
  if (falls(shop.late)) {
    const late_ms = shop.window_ms + logNormal(random, 90 * minute_ms, 1.5)
    return [{ kind: 'late', after_ms: late_ms, amount: payable }]
  }
  if (falls(shop.typos)) {
    const amount = mistyped(random, payable)
    return [{ kind: amount === payable ? 'exact' : 'mistyped', after_ms: soon_ms, amount }]
  }
  if (falls(shop.split)) {
    const first = Math.max(50, Math.floor((payable * (0.3 + 0.4 * random())) / 50) * 50)
    if (first < payable)
      return [
        { kind: 'part', after_ms: soon_ms, amount: first },
        { kind: 'part', after_ms: soon_ms + 2 * minute_ms, amount: payable - first },
      ]
  }
  const paid: Payment = { kind: 'exact', after_ms: soon_ms, amount: payable }
  if (!falls(shop.twice)) return [paid]
  const again_ms = Math.min(30 * day_ms, logNormal(random, 8 * minute_ms, 1.6))
  return [paid, { kind: 'second', after_ms: soon_ms + again_ms, amount: payable }]
}
