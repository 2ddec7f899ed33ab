/**
 * Merchants who create intents and attach references, and a phone that reports payments, against a running service. Each
 * repeats a request until it is answered. Everything that was answered with 2xx is recorded, to be compared with the stored
 * rows at the end.
 */
import { randomUUID } from 'node:crypto'
import type { Demo } from '../../src/commands/shop/demo.ts'
import { purchaseText } from './sms-texts.ts'
import { type Sample, trafficClient } from './traffic-client.ts'

export type { Sample }

export type Order = {
  key: string
  amount: string
  reference: string
  id?: string
  attached: boolean
  reported: boolean
}

export type Traffic = {
  readonly orders: readonly Order[]
  readonly samples: readonly Sample[]
  stop(): Promise<void>
}

/** Counts the runs in this process, so that their references differ. */
let runs = 0

export const startTraffic = async (options: {
  readonly origin: string
  readonly shop: Demo
  readonly random: () => number
  readonly workers?: number
}): Promise<Traffic> => {
  const { origin, shop, random, workers = 6 } = options
  const run = ++runs
  const client = await trafficClient(origin, shop)
  const orders: Order[] = []
  let stopped = false

  const trade = async (worker: number): Promise<void> => {
    for (let n = 0; !stopped; n++) {
      const order: Order = {
        key: randomUUID(),
        amount: `${1 + Math.floor(random() * 9000)}.00`,
        reference: `${run}${worker}${String(n).padStart(9, '0')}${Math.floor(random() * 100)}`,
        attached: false,
        reported: false,
      }
      orders.push(order)
      // A merchant tries again with the same key until it is answered.
      while (!stopped && order.id === undefined) {
        await client.succeeds(async () => {
          const answer = await client.createIntent(order)
          if (answer.status === 201) order.id = answer.body.id
          return answer
        })
      }
      const attach = async (): Promise<void> => {
        while (!stopped && !order.attached)
          order.attached = await client.succeeds(() =>
            client.attachReference(order.id!, order.reference).then(
              // The first try attached the reference and resolved the intent, but its answer got lost.
              (answer) => (answer.body?.errors?.[0].code === 'intent_not_pending' ? { status: 200 } : answer),
            ),
          )
      }
      const report = async (): Promise<void> => {
        const alert = client.smsReport(order.key, purchaseText(order.amount, order.reference))
        while (!stopped && !order.reported) order.reported = await client.succeeds(() => client.phone.alerts([alert]))
      }
      if (random() < 0.4) await Promise.all([attach(), report()])
      else for (const step of random() < 0.5 ? [attach, report] : [report, attach]) await step()
    }
  }
  const trading = Promise.all(Array.from({ length: workers }, (_, worker) => trade(worker + 1)))
  // A refusal stops the run; stop() throws it.
  trading.catch(() => {
    stopped = true
  })
  return {
    orders,
    samples: client.samples,
    async stop() {
      stopped = true
      await trading
    },
  }
}

export type Rows = (text: string) => Promise<readonly Record<string, string>[]>

/** `lost`: what was answered with 2xx and is missing or wrong in the database. `verified`: the number of verified intents. */
export const missingOf = async (
  orders: readonly Order[],
  rows: Rows,
): Promise<{ readonly lost: string[]; readonly verified: number }> => {
  const intents = new Map((await rows('select id, status, reference from intents')).map((row) => [row.id!, row]))
  const alerts = new Set((await rows('select client_id from alerts')).map((row) => row.client_id!))
  const lost = orders.flatMap((order) => {
    const faults: string[] = []
    const intent = order.id === undefined ? undefined : intents.get(order.id)
    if (order.id !== undefined && intent === undefined) faults.push(`intent ${order.id} was answered and is not there`)
    if (order.attached && intent?.reference !== order.reference)
      faults.push(`reference ${order.reference} is not there`)
    if (order.reported && !alerts.has(order.key)) faults.push(`alert ${order.key} was accepted and is not there`)
    if (order.attached && order.reported && intent?.status !== 'VERIFIED')
      faults.push(`intent ${order.id} has its reference and its money and is ${intent?.status}`)
    return faults
  })
  return { lost, verified: [...intents.values()].filter((intent) => intent.status === 'VERIFIED').length }
}
