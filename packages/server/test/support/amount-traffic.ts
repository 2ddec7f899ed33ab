/**
 * Merchants who create intents on a wallet with unique amounts, and a phone that reports payments without a reference, against a
 * running service. Each repeats a request until it is answered. Everything that was answered with 2xx is recorded, to be
 * compared with the stored rows at the end.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Demo } from '../../src/commands/shop/demo.ts'
import { transferText } from './sms-texts.ts'
import type { Order, Rows } from './traffic.ts'
import { type Sample, trafficClient } from './traffic-client.ts'

/** What the buyer does: pays exactly, pays twice, pays the order's own amount, or pays nothing. */
type Buyer = 'exact' | 'twice' | 'rounds' | 'leaves'

export type AmountOrder = Order & {
  readonly buyer: Buyer
  payable?: string
  /** The alerts of the buyer's payments. `reported`: the phone got a 2xx answer for the alert. */
  readonly payments: { readonly clientId: string; readonly amount: string; reported: boolean }[]
}

export type AmountTraffic = {
  readonly orders: readonly AmountOrder[]
  readonly samples: readonly Sample[]
  stop(): Promise<void>
}

/** Before the traffic: the wallet asks every buyer for an amount of their own. */
export const withUniqueAmounts = (shop: Demo): readonly [text: string, values: string[]] => [
  `update wallets set unique_amounts = 'more', unique_amounts_most = 99, version = version + 1 where id = $1`,
  [shop.wallets.main],
]

/** This many successive orders have the same order amount, so they compete for its unique amounts. */
const ordersOfOneAmount = 60

export const startAmountTraffic = async (options: {
  readonly origin: string
  readonly shop: Demo
  readonly random: () => number
}): Promise<AmountTraffic> => {
  const { origin, shop, random } = options
  const client = await trafficClient(origin, shop)
  const orders: AmountOrder[] = []
  const toReport: AmountOrder['payments'] = []
  let stopped = false

  const randomBuyer = (): Buyer => {
    const share = random()
    return share < 0.7 ? 'exact' : share < 0.8 ? 'twice' : share < 0.9 ? 'rounds' : 'leaves'
  }

  const trade = async (): Promise<void> => {
    while (!stopped) {
      const order: AmountOrder = {
        key: randomUUID(),
        amount: `${(1 + Math.floor(orders.length / ordersOfOneAmount)) * 1_000}.00`,
        reference: '',
        attached: false,
        reported: false,
        buyer: randomBuyer(),
        payments: [],
      }
      orders.push(order)
      // A merchant tries again with the same key until it is answered.
      while (!stopped && order.id === undefined)
        await client.succeeds(async () => {
          const answer = await client.createIntent(order)
          if (answer.status === 201) Object.assign(order, { id: answer.body.id, payable: answer.body.payable_amount })
          return answer
        })
      const { payable } = order
      if (payable === undefined) return
      const amounts = { exact: [payable], twice: [payable, payable], rounds: [order.amount], leaves: [] }[order.buyer]
      for (const amount of amounts) order.payments.push({ clientId: randomUUID(), amount, reported: false })
      toReport.push(...order.payments)
      // The phone is slower than the merchants: without a wait most orders would never be paid.
      while (!stopped && toReport.length > 20) await delay(5)
    }
  }

  /** One phone reports the payments in order, a few at a time. Each message contains the balance after the payment. */
  let balance = 0
  const report = async (): Promise<void> => {
    while (!stopped) {
      const batch = toReport.splice(0, 1 + Math.floor(random() * 3))
      if (batch.length === 0) await delay(5)
      const alerts = batch.map(({ clientId, amount }) => {
        balance += Number(amount)
        return client.smsReport(clientId, transferText(amount, balance.toFixed(2)))
      })
      while (!stopped && batch.length > 0) {
        if (!(await client.succeeds(() => client.phone.alerts(alerts)))) continue
        for (const payment of batch) payment.reported = true
        break
      }
    }
  }

  const running = Promise.all([report(), ...Array.from({ length: 6 }, trade)])
  // A refusal stops the run; stop() throws it.
  running.catch(() => {
    stopped = true
  })
  return {
    orders,
    samples: client.samples,
    async stop() {
      stopped = true
      await running
      for (const order of orders)
        order.reported = order.payments.length > 0 && order.payments.every(({ reported }) => reported)
    },
  }
}

/** `lost`: what was answered with 2xx and is missing or wrong in the database. `verified`: the number of verified intents. */
export const missingAmounts = async (
  orders: readonly AmountOrder[],
  rows: Rows,
): Promise<{ readonly lost: string[]; readonly verified: number }> => {
  const intents = new Map(
    (await rows('select id, status, base::text, payable::text, alert_id from intents')).map((row) => [row.id!, row]),
  )
  const alerts = Map.groupBy(await rows('select id, client_id, state, reason from alerts'), (row) => row.client_id!)
  const lost: string[] = []
  // An amount is not given again for longer than the run takes: no amount may occur twice.
  for (const { payable, count } of await rows(
    'select payable::text, count(*) from intents where payable <> base group by identity, payable having count(*) > 1',
  ))
    lost.push(`amount ${payable} was given ${count} times`)
  for (const [clientId, stored] of alerts)
    if (stored.length > 1) lost.push(`alert ${clientId} is stored ${stored.length} times`)
  for (const order of orders) {
    const intent = order.id === undefined ? undefined : intents.get(order.id)
    if (order.id === undefined) continue
    if (intent === undefined) {
      lost.push(`intent ${order.id} was answered and is not there`)
      continue
    }
    if (intent.payable !== order.payable?.replace('.', ''))
      lost.push(`intent ${order.id} was answered with ${order.payable} and asks for ${intent.payable}`)
    const outcomes = order.payments.flatMap(({ clientId, reported }) => {
      const [alert] = alerts.get(clientId) ?? []
      if (reported && alert === undefined) lost.push(`alert ${clientId} was accepted and is not there`)
      return reported && alert !== undefined ? [alert] : []
    })
    const [first, second] = outcomes
    const found = `${intent.status}: ${outcomes.map(({ state, reason }) => `${state} ${reason}`.trim()).join(', ')}`
    if (order.buyer === 'rounds' || order.buyer === 'leaves') {
      if (intent.status !== 'PENDING' || (first !== undefined && first.reason !== 'no_reference'))
        lost.push(`intent ${order.id} of a buyer who ${order.buyer} is ${found}`)
    } else if (first !== undefined) {
      if (intent.status !== 'VERIFIED' || intent.alert_id !== first.id || first.state !== 'matched')
        lost.push(`intent ${order.id} got its amount and is ${found}`)
      if (second !== undefined && `${second.state} ${second.reason}` !== 'review amount_paid_before')
        lost.push(`the second payment of intent ${order.id} is ${found}`)
    }
  }
  return { lost, verified: [...intents.values()].filter(({ status }) => status === 'VERIFIED').length }
}
