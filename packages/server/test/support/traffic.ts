/**
 * Merchants who create intents and attach references, and a phone that reports payments, against a running service. Each
 * repeats a request until it is answered. Everything that was answered with 2xx is recorded, to be compared with the stored
 * rows at the end.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Demo } from '../../src/commands/shop/demo.ts'
import { phone } from './phone.ts'
import { purchaseText } from './sms-texts.ts'
import { askAt } from './story.ts'

export type Order = {
  key: string
  amount: string
  reference: string
  id?: string
  attached: boolean
  reported: boolean
}

/** One call: when it was sent, when it ended (both in ms of `performance.now()`), and whether it was answered with 2xx. */
export type Sample = {
  readonly sentAt: number
  readonly endedAt: number
  readonly ok: boolean
  readonly status: number
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
  const base = `${origin}/api/v1/merchant`
  const token = (
    await askAt(`${base}/token`, 'POST', {
      headers: { 'SERVICE-CLIENT-ID': shop.client_id, 'SERVICE-CLIENT-SECRET': shop.client_secret },
    })
  ).body.access_token
  // The real time: the clock of a process that is killed cannot be moved by the test.
  const now = (): number => performance.timeOrigin + performance.now()
  const handset = phone(origin, now, shop.device)
  const orders: Order[] = []
  const samples: Sample[] = []
  let stopped = false

  /** True if the request was answered with 2xx. Any other answer promises nothing. */
  const answered = async (ask: () => Promise<{ status: number }>): Promise<boolean> => {
    const sentAt = performance.now()
    const { status } = await ask().catch(() => ({ status: 0 }))
    const ok = status >= 200 && status < 300
    samples.push({ sentAt, endedAt: performance.now(), ok, status })
    if (ok) return true
    if (status !== 0 && status < 500) throw new Error(`refused with ${status}`)
    await delay(20)
    return false
  }

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
        await answered(async () => {
          const answer = await askAt(`${base}/intents/`, 'POST', {
            token,
            body: { wallet: shop.wallets.main, amount: order.amount },
            headers: { 'SERVICE-IDEMPOTENCY-KEY': order.key },
          })
          if (answer.status === 201) order.id = answer.body.id
          return answer
        })
      }
      const attach = async (): Promise<void> => {
        while (!stopped && !order.attached)
          order.attached = await answered(() =>
            askAt(`${base}/intents/${order.id}/`, 'PATCH', { token, body: { reference: order.reference } }).then(
              // The first try attached the reference and resolved the intent, but its answer got lost.
              (answer) => (answer.body?.errors?.[0].code === 'intent_not_pending' ? { status: 200 } : answer),
            ),
          )
      }
      const report = async (): Promise<void> => {
        const alert = {
          client_id: order.key,
          kind: 'sms',
          sender: 'Jawali',
          text: purchaseText(order.amount, order.reference),
          sim_slot: 'SIM1',
          received_at: new Date(now()).toISOString(),
        }
        while (!stopped && !order.reported) order.reported = await answered(() => handset.alerts([alert]))
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
    samples,
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
