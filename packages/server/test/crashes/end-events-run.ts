/**
 * Kills the service, or its PostgreSQL, with -9 while intents expire, are cancelled and get a wrong amount, and while
 * checkouts are paid and expire. The merchant's endpoint subscribes to all these events. At the end each intent and each
 * checkout must have exactly the event of its end, and every event must have arrived at least once.
 */
import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import type { Demo } from '../../src/commands/shop/demo.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { phone } from '../support/phone.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { type Answer, type Ask, askAt } from '../support/story.ts'
import { makeDemo, postgresPid, randomFrom, startProcess, subscribe, untilDrained, withRows } from './crash-service.ts'

const kinds = [
  'payment.verified',
  'payment.unmatched',
  'payment.wrong_amount',
  'payment.expired',
  'payment.cancelled',
  'checkout.completed',
  'checkout.expired',
] as const

export type EndEventsReport = {
  readonly kills: number
  /** How many intents and checkouts ended in each way. */
  readonly ends: Readonly<Record<string, number>>
  readonly events: number
  readonly deliveredTwice: number
  /** What is missing, duplicated or different from the answer. Must be empty. */
  readonly faults: readonly string[]
}

/** Long enough that some intents are paid before they expire, and short enough that many expire during the run. */
const window_s = 5

export const endEventsRun = async (options: {
  readonly kills: number
  readonly seed: number
}): Promise<EndEventsReport> => {
  const random = randomFrom(options.seed)
  const dataDir = mkdtempSync(join(tmpdir(), 'sanad-end-events-'))
  const port = 20_000 + Math.floor(random() * 20_000)
  const origin = `http://127.0.0.1:${port}`
  const env = {
    ...bareEnvironment,
    PORT: String(port),
    SANAD_DATA_DIR: dataDir,
    SANAD_LIMITS: 'off',
    SANAD_TOKEN_TTL_S: '86400',
    SANAD_INTENT_WINDOW_S: String(window_s),
    SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    // A delivery whose node was killed is soon claimed again; the circuit breaker does not open for the cut connections.
    SANAD_WEBHOOKS: JSON.stringify({
      total_ms: 1_000,
      first_byte_ms: 900,
      lease_ms: 11_000,
      reap_ms: 500,
      breaker_failures: 1_000,
    }),
    LOG_LEVEL: 'silent',
  }

  /** The bodies of all calls, by the id of their event. */
  const received = new Map<string, string[]>()
  const receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      const id = String(request.headers['x-service-event-id'])
      received.set(id, [...(received.get(id) ?? []), body])
      response.end()
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')

  let service: ChildProcess | undefined
  let traffic: { stop(): Promise<void>; readonly cancelled: ReadonlySet<string> } | undefined
  try {
    service = await startProcess(env)
    const shop = await makeDemo(env)
    await subscribe(dataDir, shop, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, kinds)
    traffic = await startEndTraffic(origin, shop, random)
    for (let kill = 0; kill < options.kills; kill++) {
      await delay(1_200 + random() * 1_500)
      const gone = once(service, 'exit')
      if (kill % 3 === 2) process.kill(postgresPid(dataDir), 'SIGKILL')
      else service.kill('SIGKILL')
      await gone
      // A checkout is open for at least five minutes: while nothing runs, some get an earlier end.
      await withRows(dataDir, (client) =>
        client.query(
          `update checkouts set expires_at = now() + interval '300 milliseconds'
            where status = 'OPEN' and not exists (select from checkout_intents i where i.checkout_id = checkouts.id)`,
        ),
      )
      service = await startProcess(env)
    }
    await withRows(dataDir, untilEveryEndOccurred)
    await traffic.stop()
    await withRows(dataDir, untilAllEnded)
    await untilDrained(dataDir)
    service.kill('SIGTERM')
    await once(service, 'exit')
    service = undefined
    const found = await withRows(dataDir, (client) => compare(client, received, traffic!.cancelled))
    return { kills: options.kills, ...found }
  } finally {
    void traffic?.stop().catch(() => {})
    receiver.closeAllConnections()
    receiver.close()
    if (service !== undefined && service.exitCode === null && service.signalCode === null) {
      service.kill('SIGKILL')
      await once(service, 'exit')
    }
    await delay(500)
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Starts merchants, a member and buyers. Each repeats a request until it is answered. */
const startEndTraffic = async (origin: string, shop: Demo, random: () => number) => {
  const now = (): number => performance.timeOrigin + performance.now()
  const handset = phone(origin, now, shop.device)
  const { access_token: token } = (
    await askAt(`${origin}/api/v1/merchant/token`, 'POST', {
      headers: { 'SERVICE-CLIENT-ID': shop.client_id, 'SERVICE-CLIENT-SECRET': shop.client_secret },
    })
  ).body
  const cancelled = new Set<string>()
  let stopped = false

  /** Repeats the request until the service answers it without a server error. */
  const untilAnswered = async (path: string, method: string, ask: Ask): Promise<Answer | undefined> => {
    while (!stopped) {
      const answer = await askAt(`${origin}${path}`, method, ask).catch(() => undefined)
      if (answer !== undefined && answer.status < 500) return answer
      await delay(30)
    }
    return undefined
  }
  const report = async (amount: string, reference: string): Promise<void> => {
    const alert = {
      client_id: `alert-${reference}`,
      kind: 'sms',
      sender: 'Jawali',
      text: purchaseText(amount, reference),
      sim_slot: 'SIM1',
      received_at: new Date(now()).toISOString(),
    }
    while (!stopped) {
      const { status } = await handset.alerts([alert]).catch(() => ({ status: 0 }))
      if (status === 200) return
      await delay(30)
    }
  }
  const createIntent = async (): Promise<string | undefined> => {
    const body = { wallet: shop.wallets.main, amount: '1500.00' }
    const headers = { 'SERVICE-IDEMPOTENCY-KEY': randomUUID() }
    return (await untilAnswered('/api/v1/merchant/intents/', 'POST', { token, body, headers }))?.body.id
  }
  const payWrong = async (reference: string): Promise<void> => {
    const id = await createIntent()
    if (id === undefined) return
    const steps = [
      () => untilAnswered(`/api/v1/merchant/intents/${id}/`, 'PATCH', { token, body: { reference } }),
      () => report('1400.00', reference),
    ]
    if (random() < 0.3) await Promise.all(steps.map((step) => step()))
    else for (const step of random() < 0.5 ? steps : steps.toReversed()) await step()
  }
  const cancel = async (): Promise<void> => {
    const id = await createIntent()
    if (id === undefined) return
    const path = `/api/v1/dashboard/intents/${id}/cancel/`
    const answer = await untilAnswered(path, 'POST', { token: shop.dashboard.user_token, body: {}, undescribed: true })
    if (answer?.status === 200) cancelled.add(id)
  }
  const checkout = async (reference: string): Promise<void> => {
    const body = { amount: '1500.00', wallets: [shop.wallets.main] }
    const created = await untilAnswered('/api/v1/checkout/sessions/', 'POST', { token, body })
    // Half of the checkouts are not used, and expire.
    if (created === undefined || random() < 0.5) return
    const page = new URL(created.body.url).pathname
    const form = (fields: Record<string, string>): Ask => ({
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    await untilAnswered(`${page}/wallet/`, 'POST', form({ wallet: shop.wallets.main }))
    await untilAnswered(`${page}/reference/`, 'POST', form({ reference }))
    await report('1500.00', reference)
  }
  const work = async (worker: number): Promise<void> => {
    for (let n = 0; !stopped; n++) {
      const reference = `${worker}${String(n).padStart(9, '0')}${Math.floor(random() * 100)}`
      const way = Math.floor(random() * 4)
      if (way === 0) await payWrong(reference)
      else if (way === 1) await cancel()
      else if (way === 2) await checkout(reference)
      else await createIntent()
      await delay(20 + random() * 40)
    }
  }
  const working = Promise.all([1, 2, 3, 4].map(work))
  working.catch(() => {
    stopped = true
  })
  return {
    cancelled,
    async stop() {
      stopped = true
      await working
    },
  }
}

/** Waits until each kind of end has occurred, while the traffic continues: a slow machine takes longer. */
const untilEveryEndOccurred = async (client: pg.Client): Promise<void> => {
  const found = `select (select count(distinct status) from intents where status in ('WRONG_AMOUNT', 'EXPIRED', 'CANCELLED'))
                      + (select count(distinct status) from checkouts where status in ('COMPLETE', 'EXPIRED')) as ends`
  for (let tries = 0; tries < 240; tries++) {
    if (Number((await client.query(found)).rows[0].ends) === 5) return
    await delay(250)
  }
}

/** Waits until every intent has ended, and every checkout whose time is over. */
const untilAllEnded = async (client: pg.Client): Promise<void> => {
  const open = `select (select count(*) from intents where status = 'PENDING')
                     + (select count(*) from checkouts where status = 'OPEN' and expires_at <= now()) as left`
  for (let tries = 0; tries < 120; tries++) {
    if (Number((await client.query(open)).rows[0].left) === 0) return
    await delay(250)
  }
}

const kindOfEnd: Readonly<Record<string, string>> = {
  VERIFIED: 'payment.verified',
  WRONG_AMOUNT: 'payment.wrong_amount',
  EXPIRED: 'payment.expired',
  CANCELLED: 'payment.cancelled',
}

const compare = async (
  client: pg.Client,
  received: ReadonlyMap<string, readonly string[]>,
  cancelled: ReadonlySet<string>,
) => {
  const faults: string[] = []
  const ends: Record<string, number> = {}
  const rows = async (text: string): Promise<readonly Record<string, string>[]> => (await client.query(text)).rows
  const events = await rows('select id, kind, intent_id, body from events')
  /** The kinds of events, by the id of their intent or checkout. */
  const kindsOf = new Map<string, string[]>()
  for (const { kind, intent_id, body } of events) {
    const subject = kind!.startsWith('checkout.') ? JSON.parse(body!).checkout_id : intent_id
    kindsOf.set(subject, [...(kindsOf.get(subject) ?? []), kind!])
  }
  const check = (id: string, end: string, expected: readonly string[]): void => {
    ends[end] = (ends[end] ?? 0) + 1
    const found = kindsOf.get(id) ?? []
    if (found.join() !== expected.join()) faults.push(`${end} ${id}: events ${found.join(', ') || 'none'}`)
  }
  for (const { id, status } of await rows('select id, status from intents')) {
    const kind = kindOfEnd[status!]
    check(id!, `intent ${status}`, kind === undefined ? [] : [kind])
    if (status === 'PENDING') faults.push(`intent ${id} has not ended`)
    if (cancelled.has(id!) && status !== 'CANCELLED') faults.push(`intent ${id} was cancelled and is ${status}`)
  }
  const checkoutKinds: Record<string, string[]> = { COMPLETE: ['checkout.completed'], EXPIRED: ['checkout.expired'] }
  for (const { id, status } of await rows('select id, status from checkouts'))
    check(id!, `checkout ${status}`, checkoutKinds[status!] ?? [])
  for (const { id, kind, body } of events) {
    const bodies = received.get(id!) ?? []
    if (bodies.length === 0) faults.push(`event ${id} (${kind}) did not arrive`)
    if (bodies.some((receivedBody) => receivedBody !== body))
      faults.push(`event ${id} (${kind}) arrived with another body`)
  }
  const known = new Set(events.map(({ id }) => id))
  for (const id of received.keys()) if (!known.has(id)) faults.push(`event ${id} arrived and is not stored`)
  const deliveredTwice = [...received.values()].filter((bodies) => bodies.length > 1).length
  return { ends, events: events.length, deliveredTwice, faults }
}
