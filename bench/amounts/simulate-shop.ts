/**
 * Simulates a wallet with unique amounts for some days, by the service's own rules: which amounts may be used (`uniqueAmounts`),
 * how long each rests, and which intent a credit pays (`amountMatch`). A member looks at the queue and books the payments of open
 * orders. Yields after each day, so that the caller can show progress and stop.
 */
import { day_ms, minute_ms } from '../../packages/server/src/core/duration.ts'
import { minor } from '../../packages/server/src/core/money.ts'
import type { Status } from '../../packages/server/src/intents/intent.ts'
import { OpenAmounts } from '../../packages/server/src/intents/payable/open-amounts.ts'
import { chooseAmount, restClass, uniqueAmounts } from '../../packages/server/src/intents/payable/unique-amounts.ts'
import {
  type AmountHolder,
  type AmountMismatch,
  amountMatch,
} from '../../packages/server/src/matching/rules/amount-match.ts'
import { type Random, randomOf } from '../harness/random.ts'
import type { Scenario } from './scenario.ts'
import { baseAmount, lieOf, type MoneyKind, openingTime, paymentsOf, strangerAmount } from './shop-buyers.ts'
import { TimeQueue } from './time-queue.ts'

export type Figures = {
  intents: number
  /** Intents that found no free amount, and use the order's own. */
  noFree: number
  additions: number
  credits: number
  /** Credits that came in time with exactly the payable amount of their intent, and how many of them the service verified. */
  exact: number
  exactVerified: number
  /** Credits that verified the order of another buyer. */
  false: number
  falseBy: Partial<Record<MoneyKind, number>>
  /** False matches by which a dishonest buyer got goods without paying. */
  gained: number
  /** Money of buyers and strangers that a member looks at, and the reasons. */
  forMember: number
  reasons: Partial<Record<AmountMismatch, number>>
  /** Money for a member that shows the payer claimed for the order: one click books it. */
  oneTouch: number
}

export const noFigures = (): Figures => ({
  intents: 0,
  noFree: 0,
  additions: 0,
  credits: 0,
  exact: 0,
  exactVerified: 0,
  false: 0,
  falseBy: {},
  gained: 0,
  forMember: 0,
  reasons: {},
  oneTouch: 0,
})

type Order = {
  status: Status
  endedAt: number
  readonly createdAt: number
  readonly base: number
  readonly payable: number
  readonly uniqueAmount: boolean
  readonly buyer: number
  readonly claimed: boolean
  readonly dishonest: boolean
}

type ShopEvent =
  | { readonly kind: 'order' }
  | { readonly kind: 'stranger' }
  | { readonly kind: 'expiry'; readonly order: Order }
  | { readonly kind: 'booking'; readonly order: Order }
  | {
      readonly kind: 'credit'
      readonly money: MoneyKind
      readonly amount: number
      readonly order: Order | undefined
      /** 0: the alert does not show the payer. */
      readonly payer: number
    }

const minorOf = (units: number) => minor(BigInt(units) * 100n)
const openAmountOf = (order: Pick<Order, 'base' | 'payable'>) => ({
  base: minorOf(order.base),
  payable: minorOf(order.payable),
})

/** A member books money in the queue half an hour later. */
const booking_ms = 30 * minute_ms

const count = <K extends string>(counts: Partial<Record<K, number>>, key: K): void => {
  counts[key] = (counts[key] ?? 0) + 1
}

class Shop {
  readonly figures = noFigures()
  readonly queue = new TimeQueue<ShopEvent>()
  readonly #scenario: Scenario
  readonly #random: Random
  readonly #holders = new Map<number, Order[]>()
  readonly #candidates = new Map<number, number[]>()
  /** Open orders, for buyers who pay the amount of another order. */
  readonly #open = new Set<Order>()
  readonly #openAmounts = new OpenAmounts()
  #buyers = 0

  constructor(scenario: Scenario) {
    this.#scenario = scenario
    this.#random = randomOf(scenario.seed)
  }

  planDay(day: number): void {
    const { perDay, strangers } = this.#scenario
    const plan = (kind: 'order' | 'stranger', many: number): void => {
      for (let n = 0; n < many; n++) this.queue.push(day * day_ms + openingTime(this.#random), { kind })
    }
    plan('order', perDay)
    plan('stranger', Math.round(perDay * strangers))
  }

  run(until: number): void {
    for (let next = this.queue.pop(until); next !== undefined; next = this.queue.pop(until)) {
      const { at, item } = next
      if (item.kind === 'order') this.#order(at)
      else if (item.kind === 'stranger') this.#stranger(at)
      else if (item.kind === 'credit') this.#credit(at, item)
      else if (item.order.status === 'PENDING')
        this.#end(item.order, item.kind === 'expiry' ? 'EXPIRED' : 'VERIFIED', at)
    }
  }

  #end(order: Order, status: Status, at: number): void {
    order.status = status
    order.endedAt = at
    if (this.#open.delete(order)) this.#openAmounts.remove(openAmountOf(order))
  }

  /** Which of the rests the amount has had since this order. */
  #restClass({ status, endedAt }: Order, at: number): number {
    const isPaid = status === 'VERIFIED'
    return restClass(
      { open: status === 'PENDING', unpaidAt: isPaid ? null : endedAt, paidAt: isPaid ? endedAt : null },
      at,
      this.#scenario.rests,
    )
  }

  /** Removes the orders whose amount has had the longest rest; returns the class of the shortest rest since the others. */
  #classOf(amount: number, at: number): number {
    const all = this.#holders.get(amount)
    if (all === undefined) return 0
    let highest = 0
    let remaining = 0
    for (const order of all) {
      const restedClass = this.#restClass(order, at)
      if (restedClass > highest) highest = restedClass
      if (restedClass > 0) all[remaining++] = order
    }
    all.length = remaining
    if (remaining === 0) this.#holders.delete(amount)
    return highest
  }

  /** The orders that hold an amount: open, or ended less than the shortest rest ago. */
  #holdersOf(amount: number, at: number): Order[] {
    const { rests } = this.#scenario
    return (this.#holders.get(amount) ?? []).filter((order) => this.#restClass(order, at) === rests.length)
  }

  #freeAmount(base: number, at: number): number | undefined {
    const { direction, most, avoided, rests, spaced } = this.#scenario
    let candidates = this.#candidates.get(base)
    if (candidates === undefined) {
      candidates = uniqueAmounts(minorOf(base), { direction, most }, avoided).map((one) => Number(one) / 100)
      this.#candidates.set(base, candidates)
    }
    return chooseAmount(
      candidates,
      (amount) => this.#classOf(amount, at),
      (amount) => spaced && this.#openAmounts.isNear(openAmountOf({ base, payable: amount })),
      rests,
    )
  }

  #order(at: number): void {
    const shop = this.#scenario
    const random = this.#random
    const base = baseAmount(random, shop)
    const free = this.#freeAmount(base, at)
    const payable = free ?? base
    const order: Order = {
      status: 'PENDING',
      endedAt: 0,
      createdAt: at,
      base,
      payable,
      uniqueAmount: free !== undefined,
      buyer: ++this.#buyers,
      claimed: random() < shop.claimed,
      dishonest: random() < shop.dishonest,
    }
    this.figures.intents++
    if (free === undefined) this.figures.noFree++
    else this.figures.additions += Math.abs(free - base)
    const holders = this.#holders.get(payable)
    if (holders === undefined) this.#holders.set(payable, [order])
    else holders.push(order)
    this.#open.add(order)
    this.#openAmounts.add(openAmountOf(order))
    this.queue.push(at + shop.window_ms, { kind: 'expiry', order })
    if (order.dishonest) this.#lie(at, order)
    else
      for (const { kind, after_ms, amount } of paymentsOf(random, shop, base, payable))
        this.queue.push(at + after_ms, { kind: 'credit', money: kind, amount, order, payer: this.#payerOf(order) })
  }

  /** The payer that the alert shows. */
  #payerOf(order: Order): number {
    const { shown, otherPayer } = this.#scenario
    if (this.#random() >= shown) return 0
    return this.#random() < otherPayer ? ++this.#buyers : order.buyer
  }

  #lie(at: number, order: Order): void {
    const lie = lieOf(this.#random)
    if (lie === 'waits') return
    const others = [...this.#open].filter((one) => one !== order && !one.dishonest)
    const chosen = lie === 'underpays' ? others.filter(({ payable }) => payable < order.payable) : others
    const other = chosen[Math.floor(this.#random() * chosen.length)]
    if (other === undefined) return
    const payer = this.#random() < this.#scenario.shown ? order.buyer : 0
    this.queue.push(at + minute_ms, { kind: 'credit', money: 'hostile', amount: other.payable, order, payer })
  }

  #stranger(at: number): void {
    const amount = strangerAmount(this.#random, this.#scenario)
    const payer = this.#random() < this.#scenario.shown ? ++this.#buyers : 0
    this.#credit(at, { kind: 'credit', money: 'stranger', amount, order: undefined, payer })
  }

  #credit(at: number, { money, amount, order, payer }: Extract<ShopEvent, { kind: 'credit' }>): void {
    const { figures } = this
    const holders = this.#holdersOf(amount, at).map((holder) => ({ ...holderOf(holder, payer), holderOrder: holder }))
    const isExact = order?.status === 'PENDING' && order.payable === amount && money === 'exact'
    figures.credits++
    if (isExact) figures.exact++
    const answer = amountMatch({ receivedAt: at, sentAt: at, trusted: true, link: 'fits' }, holders)
    if (answer.kind === 'match') {
      const { holderOrder } = answer.holder
      this.#end(holderOrder, 'VERIFIED', at)
      if (holderOrder !== order) {
        figures.false++
        count(figures.falseBy, money)
        if (holderOrder.dishonest) figures.gained++
      } else if (isExact) figures.exactVerified++
      return
    }
    figures.forMember++
    count(figures.reasons, answer.why)
    if (order?.status !== 'PENDING' || money === 'hostile') return
    if (order.claimed && payer === order.buyer) figures.oneTouch++
    this.queue.push(at + booking_ms, { kind: 'booking', order })
  }
}

const holderOf = (order: Order, payer: number): AmountHolder => ({
  status: order.status,
  createdAt: order.createdAt,
  uniqueAmount: order.uniqueAmount,
  hasReference: false,
  payer: !order.claimed || payer === 0 ? 'unknown' : payer === order.buyer ? 'same' : 'differs',
})

/** Yields the number of the day that has ended; returns the figures. */
export function* simulateShop(scenario: Scenario): Generator<number, Figures> {
  const shop = new Shop(scenario)
  for (let day = 0; day < scenario.days; day++) {
    shop.planDay(day)
    shop.run((day + 1) * day_ms)
    yield day + 1
  }
  shop.run(Number.POSITIVE_INFINITY)
  return shop.figures
}

/** The whole simulation at once. */
export const shopFigures = (scenario: Scenario): Figures => {
  const days = simulateShop(scenario)
  for (;;) {
    const { done, value } = days.next()
    if (done) return value
  }
}
