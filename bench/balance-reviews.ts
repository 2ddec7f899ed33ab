/**
 * `node bench/balance-reviews.ts [--seed N] [--days N]`: what the balance check costs a shop, and what it stops.
 * Simulates a month with the service's own rules: payments whose messages show a balance, messages that a phone never
 * received, withdrawals that templates read or do not read, and a forger who invents a balance. A user looks at the
 * queue at intervals and accepts a genuine message with one click. Prints the share of genuine payments that waited,
 * the clicks per day, and the forgeries that were verified.
 */
import { parseArgs } from 'node:util'
import { type Chain, followChain, proveAlert } from '../packages/server/src/alerts/balances/balance-chain.ts'
import { minute_ms } from '../packages/server/src/core/duration.ts'
import type { AlertId } from '../packages/server/src/core/ids.ts'
import { minor } from '../packages/server/src/core/money.ts'
import { checkBalance } from '../packages/server/src/matching/rules/judge.ts'
import { randomOf } from './harness/random.ts'

const { values } = parseArgs({
  options: { seed: { type: 'string', default: '1' }, days: { type: 'string', default: '30' } },
})
const days = Number(values.days)

type Shop = {
  readonly perDay: number
  /** Share of messages that the phone never receives. */
  readonly lost: number
  readonly withdrawals: number
  /** Whether a template reads the message of a withdrawal. */
  readonly debitsRead: boolean
  /** How often a user looks at the queue while the shop is open. */
  readonly lookEvery_min: number
  readonly checked: boolean
}

const [opens_h, closes_h] = [9, 21]

type Result = {
  payments: number
  waited: number
  waitedMinutes: number
  clicks: number
  forged: number
  verified: number
}

const simulateMonth = (shop: Shop, seed: number): Result => {
  const next = randomOf(seed)
  const result: Result = { payments: 0, waited: 0, waitedMinutes: 0, clicks: 0, forged: 0, verified: 0 }
  let chain: Chain | undefined
  let balance = 100_000
  let ids = 0
  /** Genuine messages that wait for a user, with their time. */
  let waiting: { readonly id: AlertId; readonly at: number }[] = []

  const receive = (direction: 'credit' | 'debit', amount: number, balanceAfter: number, at: number) => {
    const id = `alert ${++ids}` as AlertId
    const movement = {
      id,
      direction,
      amount: minor(BigInt(amount)),
      balance: minor(BigInt(balanceAfter)),
      at,
      trusted: true,
    }
    const followed = followChain(chain, movement)
    chain = followed.chain
    return { id, link: followed.link.kind }
  }
  const counts = (link: Parameters<typeof checkBalance>[2]): boolean =>
    checkBalance({ state: 'waiting', reason: 'no_intent', supersedes: [] }, { reviewBrokenChains: shop.checked }, link)
      .state === 'waiting'

  /** One click accepts a genuine message and all that follow from it. */
  const lookAtQueue = (at: number): void => {
    while (waiting.length > 0) {
      const [first] = waiting
      result.clicks++
      const run = chain?.ends.find(({ alerts }) => alerts.includes(first!.id))?.alerts ?? []
      if (chain !== undefined) chain = proveAlert(chain, first!.id)
      for (const one of waiting.filter(({ id }) => id === first!.id || run.includes(id)))
        result.waitedMinutes += (at - one.at) / minute_ms
      waiting = waiting.filter(({ id }) => id !== first!.id && !run.includes(id))
    }
  }

  for (let day = 0; day < days; day++) {
    const open = (day * 24 + opens_h) * 60
    const length = (closes_h - opens_h) * 60
    type ShopEvent = { readonly minute: number; readonly kind: 'payment' | 'withdrawal' | 'forgery' | 'look' }
    const at = (kind: ShopEvent['kind'], count: number): ShopEvent[] =>
      Array.from({ length: count }, () => ({ minute: open + next() * length, kind }))
    const queueLooks = Array.from({ length: Math.floor(length / shop.lookEvery_min) }, (_, n) => ({
      minute: open + (n + 1) * shop.lookEvery_min,
      kind: 'look' as const,
    }))
    const events = [
      ...at('payment', shop.perDay),
      ...at('withdrawal', shop.withdrawals),
      ...at('forgery', 1),
      ...queueLooks,
    ].sort((a, b) => a.minute - b.minute)
    for (const { minute, kind } of events) {
      const now = minute * minute_ms
      if (kind === 'look') lookAtQueue(now)
      else if (kind === 'payment') {
        const amount = (1 + Math.floor(next() * 60)) * 500
        balance += amount
        if (next() < shop.lost) continue
        result.payments++
        const { id, link } = receive('credit', amount, balance, now)
        if (counts(link)) continue
        result.waited++
        waiting.push({ id, at: now })
      } else if (kind === 'withdrawal') {
        const amount = Math.floor(balance * (0.2 + next() * 0.5))
        balance -= amount
        if (shop.debitsRead && next() >= shop.lost) receive('debit', amount, balance, now)
      } else {
        // The forger knows the wording and guesses a balance near the last one they saw.
        const amount = (1 + Math.floor(next() * 60)) * 500
        result.forged++
        const { link } = receive('credit', amount, balance + amount + 500 + Math.floor(next() * 20_000), now)
        if (counts(link)) result.verified++
      }
    }
  }
  return result
}

const shops: readonly [string, Omit<Shop, 'checked' | 'lookEvery_min'>][] = [
  ['10 a day, nothing lost, withdrawals read', { perDay: 10, lost: 0, withdrawals: 1, debitsRead: true }],
  ['10 a day, 1 % lost, withdrawals read', { perDay: 10, lost: 0.01, withdrawals: 1, debitsRead: true }],
  ['50 a day, 1 % lost, withdrawals read', { perDay: 50, lost: 0.01, withdrawals: 2, debitsRead: true }],
  ['50 a day, 1 % lost, withdrawals not read', { perDay: 50, lost: 0.01, withdrawals: 2, debitsRead: false }],
  ['200 a day, 1 % lost, withdrawals not read', { perDay: 200, lost: 0.01, withdrawals: 3, debitsRead: false }],
  ['200 a day, 5 % lost, withdrawals not read', { perDay: 200, lost: 0.05, withdrawals: 3, debitsRead: false }],
]

const print = (line: string): void => void process.stdout.write(`${line}\n`)
print(
  `${days} days, seed ${values.seed}. Waited: share of genuine payments; clicks: messages accepted with one click, per day.`,
)
print(
  'shop'.padEnd(44) +
    'looks every'.padStart(12) +
    'waited'.padStart(9) +
    'for (min)'.padStart(11) +
    'clicks'.padStart(9) +
    'forged, verified: on'.padStart(22) +
    'off'.padStart(8),
)
for (const [name, shop] of shops)
  for (const lookEvery_min of [15, 120]) {
    const on = simulateMonth({ ...shop, lookEvery_min, checked: true }, Number(values.seed))
    const off = simulateMonth({ ...shop, lookEvery_min, checked: false }, Number(values.seed))
    const share = `${((100 * on.waited) / on.payments).toFixed(1)} %`
    const wait = on.waited === 0 ? '-' : (on.waitedMinutes / on.waited).toFixed(0)
    print(
      name.padEnd(44) +
        `${lookEvery_min} min`.padStart(12) +
        share.padStart(9) +
        wait.padStart(11) +
        (on.clicks / days).toFixed(1).padStart(9) +
        `${on.verified} of ${on.forged}`.padStart(22) +
        `${off.verified}`.padStart(8),
    )
  }
