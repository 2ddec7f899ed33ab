/**
 * Kills the service, or its PostgreSQL, with -9 while merchants create and attach, a phone reports and a merchant's server
 * receives webhooks. It kills at random moments, during a webhook call, right after the call's 2xx, and while the result is
 * being recorded. At the end every call that was answered with 2xx is checked: nothing may be missing or resolved twice, and
 * every event must have arrived or still wait. A call without an answer may have taken effect or not.
 */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { openEmbedded } from '../../src/postgres/embedded/open-embedded.ts'
import { type AmountOrder, missingAmounts, startAmountTraffic, withUniqueAmounts } from '../support/amount-traffic.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { missingOf, type Order, type Rows, startTraffic, type Traffic } from '../support/traffic.ts'
import { makeDemo, postgresPid, randomFrom, startProcess, subscribe, untilDrained, withRows } from './crash-service.ts'

export const killPoints = ['any moment', 'postgres', 'in the call', 'after the 2xx', 'while recording'] as const
export type KillPoint = (typeof killPoints)[number]

/** The run waits for this many more events before each kill, so that a slow machine tests as much as a fast one. */
export const eventsBeforeKill = 5

export type CrashReport = {
  readonly kills: Readonly<Record<KillPoint, number>>
  readonly events: {
    readonly committed: number
    readonly delivered: number
    readonly deliveredTwice: number
    readonly onTheirWay: number
    readonly ended: number
  }
  readonly answered: { readonly created: number; readonly attached: number; readonly reported: number }
  readonly unanswered: number
  readonly verified: number
  /** What was answered with 2xx and is missing or wrong in the database. Must be empty. */
  readonly lost: readonly string[]
}

export const crashRun = async (options: {
  readonly kills: number
  readonly seed: number
  /** The wallet has unique amounts, and buyers pay without a reference. */
  readonly uniqueAmounts?: boolean
  /** Wait at the end until every event has arrived, which takes as long as a lease. */
  readonly drain?: boolean
  readonly say?: (line: string) => void
}): Promise<CrashReport> => {
  const say = options.say ?? (() => {})
  const random = randomFrom(options.seed)
  const dataDir = mkdtempSync(join(tmpdir(), 'sanad-crash-'))
  const env = {
    ...bareEnvironment,
    SANAD_DATA_DIR: dataDir,
    SANAD_LIMITS: 'off',
    SANAD_TOKEN_TTL_S: '86400',
    SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
    LOG_LEVEL: 'silent',
  }
  const port = 20_000 + Math.floor(random() * 20_000)
  const origin = `http://127.0.0.1:${port}`
  let service: ChildProcess | undefined

  // The merchant's server. If `armed` is set, the service is killed at that point of the next call.
  const received = new Map<string, number>()
  let armed: KillPoint | undefined
  let killReached = (): void => {}
  const reachKill = (): void => {
    armed = undefined
    killReached()
  }
  const receiver = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      if (armed === 'in the call') return reachKill()
      const id = String(request.headers['x-service-event-id'])
      received.set(id, (received.get(id) ?? 0) + 1)
      const point = armed
      response.end(() => {
        if (point === 'after the 2xx') reachKill()
        else if (point === 'while recording') setTimeout(reachKill, 1 + random() * 5)
      })
      if (point !== undefined) armed = undefined
    })
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')

  const start = async (): Promise<void> => {
    service = await startProcess({ ...env, PORT: String(port) })
  }

  let traffic: Traffic | undefined
  try {
    await start()
    const shop = await makeDemo({ ...env, PORT: String(port) })
    await subscribe(dataDir, shop, `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`, [
      'payment.verified',
    ])
    if (options.uniqueAmounts === true)
      await withRows(dataDir, (client) => client.query(...(withUniqueAmounts(shop) as [string, string[]])))
    traffic = await (options.uniqueAmounts === true ? startAmountTraffic : startTraffic)({ origin, shop, random })
    const { orders, samples } = traffic

    const kills: Record<KillPoint, number> = {
      'any moment': 0,
      postgres: 0,
      'in the call': 0,
      'after the 2xx': 0,
      'while recording': 0,
    }
    for (let kill = 0; kill < options.kills; kill++) {
      const enough = received.size + eventsBeforeKill
      for (const since = performance.now(); received.size < enough; await delay(10))
        if (performance.now() - since > 60_000) {
          // Throws the refusal that ended the traffic, if one did.
          await traffic.stop()
          throw new Error(`not ${eventsBeforeKill} more events within a minute`)
        }
      await delay(150 + random() * 700)
      const child = service!
      const gone = once(child, 'exit')
      const point = killPoints[Math.floor(random() * killPoints.length)]!
      if (point === 'postgres') {
        process.kill(postgresPid(dataDir), 'SIGKILL')
      } else if (point === 'any moment') child.kill('SIGKILL')
      else {
        await new Promise<void>((done) => {
          killReached = done
          armed = point
        })
        child.kill('SIGKILL')
      }
      kills[point]++
      await gone
      await start()
      say(`kill ${kill + 1} of ${options.kills}, ${point}: ${orders.length} orders, ${received.size} events received`)
    }
    await delay(300)
    await traffic.stop()
    if (options.drain === true) {
      say('waiting for leases to lapse and the last events to arrive')
      await untilDrained(dataDir)
    }
    service!.kill('SIGTERM')
    await once(service!, 'exit')
    service = undefined

    const unanswered = samples.filter(({ ok }) => !ok).length
    return { kills, unanswered, ...(await compareRows(dataDir, orders, received, options.uniqueAmounts === true)) }
  } finally {
    // After an error, clients that are still running stop at their next step.
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

/** Opens the database once more and compares its rows with the answers. */
const compareRows = async (
  dataDir: string,
  orders: readonly Order[],
  received: ReadonlyMap<string, number>,
  uniqueAmounts: boolean,
) => {
  const embedded = await openEmbedded({ dataDir, role: 'stock-taking' })
  const client = new pg.Client({ connectionString: embedded.url })
  try {
    await client.connect()
    await assertMoneyInvariants(async (text, values = []) => {
      const { rows } = await client.query({ text, values, rowMode: 'array' })
      return rows as string[][]
    })
    const rows: Rows = async (text) => (await client.query(text)).rows
    const { lost, verified } = uniqueAmounts
      ? await missingAmounts(orders as readonly AmountOrder[], rows)
      : await missingOf(orders, rows)
    const events = (await client.query(`select id from events where kind = 'payment.verified'`)).rows.map(
      (row) => row.id,
    )
    const onTheirWay = new Set((await client.query('select event_id from deliveries')).rows.map((row) => row.event_id))
    const ended = new Set((await client.query('select event_id from delivery_ends')).rows.map((row) => row.event_id))
    for (const id of events) {
      if (!received.has(id) && !onTheirWay.has(id))
        lost.push(`event ${id} was committed, did not arrive and is not on its way`)
      if (!ended.has(id) && !onTheirWay.has(id)) lost.push(`event ${id} has neither ended nor is it on its way`)
    }
    return {
      events: {
        committed: events.length,
        delivered: events.filter((id) => received.has(id)).length,
        deliveredTwice: events.filter((id) => (received.get(id) ?? 0) > 1).length,
        onTheirWay: onTheirWay.size,
        ended: ended.size,
      },
      answered: {
        created: orders.filter((order) => order.id !== undefined).length,
        attached: orders.filter((order) => order.attached).length,
        reported: orders.filter((order) => order.reported).length,
      },
      verified,
      lost,
    }
  } finally {
    await client.end()
    await embedded.stop()
  }
}
