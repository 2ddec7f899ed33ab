/** The parameters of a simulated shop: its size, its buyers, the strangers, and the rule. All shares are 0 to 1. */
import { hour_ms } from '../../packages/server/src/core/duration.ts'
import { AVOIDED, RESTS, type Rest } from '../../packages/server/src/intents/payable/unique-amounts.ts'

export type Scenario = {
  readonly seed: number
  readonly days: number
  /** Intents a day. */
  readonly perDay: number
  /** 0: amounts of all kinds (`baseAmount`). Otherwise the number of the shop's prices, all equally common. */
  readonly prices: number

  /** Payments that belong to no intent, as a share of the intents. */
  readonly strangers: number
  /** Strangers who pay any whole amount; the others pay multiples of 50, a few of them multiples of 10. */
  readonly oddStrangers: number

  /** Buyers who never pay, who round the amount, who pay after the window, and who pay twice. */
  readonly abandon: number
  readonly round: number
  readonly late: number
  readonly twice: number
  /** Buyers who pay in two parts: a round amount and the rest. */
  readonly split: number
  /** Buyers who mistype one digit, or swap two. */
  readonly typos: number
  /** Buyers who lie; see `Lie` in shop-buyers.ts. */
  readonly dishonest: number

  /** Intents whose payer is claimed, and alerts that show a payer. */
  readonly claimed: number
  readonly shown: number
  /** Buyers who claim their own phone, and pay from another one. */
  readonly otherPayer: number

  /** The rule. */
  readonly direction: 'more' | 'less'
  readonly most: number
  readonly avoided: number
  /** Amounts that have had the first of these rests are used first; an amount that has not had the last is not free (`RESTS`). */
  readonly rests: readonly Rest[]
  /** Whether amounts near those of open orders are avoided (`OpenAmounts`). */
  readonly spaced: boolean
  readonly window_ms: number
}

export const usual: Scenario = {
  seed: 1,
  days: 60,
  perDay: 500,
  prices: 0,
  strangers: 0.1,
  oddStrangers: 0,
  abandon: 0.1,
  round: 0.03,
  late: 0.03,
  twice: 0.01,
  split: 0,
  typos: 0,
  dishonest: 0,
  claimed: 0,
  shown: 0.8,
  otherPayer: 0.05,
  direction: 'more',
  most: 99,
  avoided: AVOIDED,
  rests: RESTS,
  spaced: true,
  window_ms: hour_ms,
}
