/**
 * `node bench/same-payment-reviews.ts [--seed N] [--days N]`: how often honest payments wait because they may be a spent payment in
 * another wording (docs/decisions/0055). Simulates a month of a shop with the service's own rule: its wallet gets transfers without
 * a reference, which a member books, and purchases with one. Every payment is by a different buyer, so every alert that waits and
 * every warning is a false one.
 */
import { parseArgs } from 'node:util'
import { minute_ms } from '../packages/server/src/core/duration.ts'
import type { CreditReport } from '../packages/server/src/matching/records/credit-report.ts'
import { mayBeSamePayment } from '../packages/server/src/matching/rules/same-payment.ts'
import { randomOf } from './harness/random.ts'

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, days: { type: 'string', default: '30' } },
})
const days = Number(values.days)

type Shop = {
  readonly perDay: number
  readonly prices: number
  /** Share of payments without a reference. */
  readonly transfers: number
  /** What the messages show of the payer: a number in one wording and a name in the other; numbers in both. */
  readonly payers: 'not comparable' | 'comparable'
  /** Transfers come as notifications, purchases as SMS. */
  readonly sources: 1 | 2
  /** The wallet's setting `review_later_messages`. */
  readonly asksLater: boolean
}

type Paid = { readonly credit: CreditReport; readonly price: number; readonly bookedAt: number }

const simulateMonth = (shop: Shop, seed: number) => {
  const next = randomOf(seed)
  const payments: Paid[] = []
  for (let day = 0; day < days; day++)
    for (let n = 0; n < shop.perDay; n++) {
      const at = (day * 1440 + 540 + next() * 720) * minute_ms
      const isTransfer = next() < shop.transfers
      const number = String(770_000_000 + Math.floor(next() * 9_000_000))
      const payer = isTransfer || shop.payers === 'comparable' ? number : 'علي صالح المثال'
      const credit: CreditReport = {
        id: String(payments.length),
        walletId: 'wallet',
        referenceKey: isTransfer ? null : `R${payments.length}`,
        currency: 'YER',
        payer,
        text: '',
        sentAt: at,
        phoneReceivedAt: at,
        receivedAt: at,
        balance: null,
        link: 'unknown',
        source: {
          phoneId: 'phone',
          adapter: 'native',
          kind: isTransfer && shop.sources === 2 ? 'notification' : 'sms',
        },
      }
      // A member books within a quarter of an hour; a reference verifies at once.
      const bookedAt = isTransfer ? at + next() * 15 * minute_ms : at
      payments.push({ credit, price: Math.floor(next() * shop.prices), bookedAt })
    }
  const byPrice = Map.groupBy(payments, ({ price }) => price)
  const isDoubted = (one: Paid): boolean =>
    byPrice
      .get(one.price)!
      .some((other) => other.bookedAt < one.bookedAt && mayBeSamePayment(one.credit, other.credit, shop.asksLater))
  const [transfers, purchases] = [true, false].map((without) =>
    payments.filter(({ credit }) => (credit.referenceKey === null) === without),
  ) as [Paid[], Paid[]]
  return {
    waited: purchases.filter(isDoubted).length / Math.max(1, purchases.length),
    warned: transfers.filter(isDoubted).length / Math.max(1, transfers.length),
  }
}

const shops: readonly [string, Omit<Shop, 'asksLater'>][] = [
  ['only references', { perDay: 50, prices: 60, transfers: 0, payers: 'not comparable', sources: 1 }],
  [
    '10 a day, half without, payers not comparable',
    { perDay: 10, prices: 60, transfers: 0.5, payers: 'not comparable', sources: 1 },
  ],
  [
    '50 a day, a fifth without, payers not comparable',
    { perDay: 50, prices: 60, transfers: 0.2, payers: 'not comparable', sources: 1 },
  ],
  [
    '50 a day, half without, payers not comparable',
    { perDay: 50, prices: 60, transfers: 0.5, payers: 'not comparable', sources: 1 },
  ],
  [
    '200 a day, a fifth without, payers not comparable',
    { perDay: 200, prices: 60, transfers: 0.2, payers: 'not comparable', sources: 1 },
  ],
  [
    '200 a day, half without, 15 prices',
    { perDay: 200, prices: 15, transfers: 0.5, payers: 'not comparable', sources: 1 },
  ],
  [
    '200 a day, half without, payers comparable',
    { perDay: 200, prices: 15, transfers: 0.5, payers: 'comparable', sources: 1 },
  ],
  [
    '10 a day, two sources, half booked',
    { perDay: 10, prices: 60, transfers: 0.5, payers: 'not comparable', sources: 2 },
  ],
  [
    '50 a day, two sources, a fifth booked',
    { perDay: 50, prices: 60, transfers: 0.2, payers: 'not comparable', sources: 2 },
  ],
  [
    '50 a day, two sources, payers comparable',
    { perDay: 50, prices: 60, transfers: 0.5, payers: 'comparable', sources: 2 },
  ],
]

/** The same shops, where a member said that the company sends one message for each payment. */
const settings: readonly [string, boolean][] = [
  ['Asks about later messages of one phone (the default)', true],
  ['Does not ask about later messages of one phone', false],
]

const say = (line: string): void => void process.stdout.write(`${line}\n`)
const share = (of: number): string => `${(100 * of).toFixed(1)} %`.padStart(10)
say(`${days} days, seed ${values.seed}. Waited: of payments with a reference; warned: of bookings without one.`)
for (const [setting, asksLater] of settings) {
  say('')
  say(setting)
  say(`${'shop'.padEnd(52)}${'waited'.padStart(10)}${'warned'.padStart(10)}`)
  for (const [name, shop] of shops) {
    const { waited, warned } = simulateMonth({ ...shop, asksLater }, Number(values.seed))
    say(`${name.padEnd(52)}${share(waited)}${share(warned)}`)
  }
}
