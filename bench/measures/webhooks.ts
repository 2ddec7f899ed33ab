/**
 * How fast webhooks are sent. Measured are: draining a queue, compared with the same client posting the same bytes without a
 * database; the time from the commit of an event to its first byte at a hundred events per second, alone and while a hundred
 * thousand deliveries wait for a dead endpoint and a slow one (14 s); and writes while the sender is busy.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import { phone } from '../../packages/server/test/support/phone.ts'
import { watchProcessors } from '../harness/cpu-shares.ts'
import { runLoad } from '../harness/load.ts'
import type { Bench } from '../harness/options.ts'
import { stop, temporaryFolder } from '../harness/processes.ts'
import { type Line, lineText, type Section } from '../harness/report.ts'
import { inRounds, type Measured, percentile, type Runner } from '../harness/rounds.ts'
import { startProgram, startService } from '../harness/service-process.ts'
import { referencedPool, referenceOf, reportOf } from '../rows/alert-pool.ts'
import {
  addEndpoint,
  addShop,
  addWaiting,
  type Shop,
  sampleBody,
  setEnabled,
  waitingFor,
} from '../rows/webhook-shops.ts'

const shopsCount = 8
const endpointsEach = 4
const calls = 256
const perSecond = 100
/** Fewer than are sent in a quarter of a second. */
const fewLeft = 2_500
const api = '/api/v1/merchant/intents/'

const getJson = async <T>(url: string): Promise<T> => {
  const answer = await fetch(url)
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}

export const measureHooks = async (bench: Bench): Promise<Section> => {
  const folder = await temporaryFolder()
  const settings = { SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' }
  const firstStart = await startService(join(folder, 'data'), settings)
  // PostgreSQL records commit times only if that was switched on before it started.
  await firstStart.asAdmin('alter system set track_commit_timestamp = on')
  await firstStart.stop()
  const service = await startService(join(folder, 'data'), settings)
  const { db, merchant } = service
  const program = (name: string, ...args: string[]) =>
    startProgram([join(import.meta.dirname, `${name}.ts`), ...args], {}, join(folder, `${name}.log`))
  const receiver = await program('webhook-receiver', String(shopsCount * endpointsEach + 4))
  const { ports } = await getJson<{ ports: number[] }>(`${receiver.origin}/`)
  const drainPorts = ports.slice(0, shopsCount * endpointsEach)
  const url = (port: number, path: string) => `http://127.0.0.1:${port}${path}`
  const load = [receiver.child.pid!]
  const tools = { ...bench.tools, folder }
  const lines: Line[] = []
  const add = (line: Line): void => {
    lines.push(line)
    bench.print(lineText(line))
  }
  const untilEmpty = async (shops: readonly Shop[]): Promise<void> => {
    const endpoints = shops.flatMap((shop) => shop.endpoints)
    while ((await waitingFor(service, endpoints)) > 0) await delay(5)
  }

  // Draining a queue.
  const shops: Shop[] = []
  for (let n = 0; n < shopsCount; n++) {
    const own = drainPorts.slice(n * endpointsEach, (n + 1) * endpointsEach)
    shops.push(
      await addShop(
        service,
        own.map((port) => url(port, '/ok')),
      ),
    )
  }
  const request = join(folder, 'request.json')
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Sanad/0.1.0',
    'x-service-event-id': '019b7cab-76aa-7f10-8b2d-6c8e0a2c4e60',
    'x-service-delivery-id': '019b7cab-76aa-7f10-9f41-7d9f1b3d5f60',
    'x-service-attempt': '1',
    'x-service-signature': `t=1767322445,v1=${'0'.repeat(64)}`,
    'accept-encoding': 'identity',
  }
  writeFileSync(request, JSON.stringify({ headers, body: sampleBody }))
  const ceiling = await program('webhook-ceiling', request, String(calls), ...drainPorts.map(String))
  const posts = bench.small ? 500 : Math.round(7_000 * bench.seconds)
  const post = (client: 'sender' | 'bare') => async (): Promise<Measured> => {
    const watched = watchProcessors(ceiling.child.pid, service.postmasterPid, load)
    const figures = await getJson<{ perSecond: number }>(`${ceiling.origin}/${client}/${posts}`)
    return { ...figures, p50_ms: Number.NaN, p99_ms: Number.NaN, requests: posts, shares: watched() }
  }
  const drain: Runner = async () => {
    await getJson(`${receiver.origin}/begin`)
    const { count } = await addWaiting(service, shops, Math.ceil(posts / (shopsCount * endpointsEach)))
    const watched = watchProcessors(service.pid, service.postmasterPid, load)
    // The receiver is polled first, and rarely until the end is near: each request uses the CPU that is measured, and
    // counting a long queue would cost PostgreSQL more than sending it.
    const left = async () => count - (await getJson<{ count: number }>(`${receiver.origin}/count`)).count
    for (let waiting = await left(); waiting > 0; waiting = await left()) await delay(waiting > fewLeft ? 250 : 10)
    await untilEmpty(shops)
    const ended = performance.timeOrigin + performance.now()
    const shares = watched()
    const arrived = await getJson<{ count: number; first: number }>(`${receiver.origin}/count`)
    if (arrived.count !== count) throw new Error(`${count} deliveries waited, ${arrived.count} arrived`)
    await db.run({ text: 'vacuum analyze deliveries', values: [] })
    return {
      perSecond: count / ((ended - arrived.first) / 1000),
      p50_ms: Number.NaN,
      p99_ms: Number.NaN,
      requests: count,
      shares,
    }
  }
  bench.print('drain')
  // Warm-up of both: the JIT keeps compiling for some ten thousand calls.
  for (let n = 0; n < (bench.small ? 0 : 2); n++) {
    await drain()
    await post('sender')()
  }
  const speed = await inRounds(bench.rounds, { drain, post: post('sender'), bare: post('bare') })
  add({
    name: 'drain',
    connections: calls,
    result: speed.drain,
    ratioOf: 'rate',
    baseline: { name: 'its client alone', result: speed.post },
    bar: { least: 0.6 },
  })
  add({
    name: 'drain',
    connections: calls,
    result: speed.drain,
    ratioOf: 'rate',
    baseline: { name: 'bare undici', result: speed.bare },
  })
  await stop(ceiling.child)

  // Writes while all calls of the sender are in flight; and, without a bar, while it drains at full speed.
  const body = JSON.stringify({ wallet: merchant.demo.wallets.main, amount: '1500.00', external_order_id: 'ORDER' })
  const write = async (): Promise<Measured> => {
    const watched = watchProcessors(service.pid, service.postmasterPid, load)
    const target = { origin: service.origin, token: merchant.token }
    const figures = await runLoad(tools, target, { kind: 'create', lines: [api, body] }, 32, bench.seconds)
    return { ...figures, shares: watched() }
  }
  const slowShops: Shop[] = []
  for (let n = 0; n < shopsCount; n++) {
    const own = drainPorts.slice(n * endpointsEach, (n + 1) * endpointsEach)
    slowShops.push(
      await addShop(
        service,
        own.map((port) => url(port, '/after/500')),
      ),
    )
  }
  const during =
    (busy: readonly Shop[], each: number): Runner =>
    async () => {
      const ids = busy.flatMap((shop) => shop.endpoints)
      await setEnabled(service, ids, true)
      await addWaiting(service, busy, each)
      while ((await getJson<{ count: number }>(`${receiver.origin}/count`)).count === 0) await delay(20)
      const measured = await write()
      if ((await waitingFor(service, ids)) === 0) throw new Error('the queue of the sender was empty before the end')
      // The rest is deleted: the next run starts with an empty queue.
      await setEnabled(service, ids, false)
      await db.run({ text: 'delete from deliveries where lease_id is null', values: [] })
      await delay(1_000)
      await untilEmpty(busy)
      return measured
    }
  const resetBefore =
    (runner: Runner): Runner =>
    async () => {
      await getJson(`${receiver.origin}/begin`)
      return runner()
    }
  bench.print('writes')
  if (!bench.small) await write()
  const writes = await inRounds(bench.rounds, {
    busy: resetBefore(during(slowShops, Math.ceil(25 * (bench.seconds + 4)))),
    idle: write,
    fullSpeed: resetBefore(during(shops, Math.ceil(300 * (bench.seconds + 4)))),
  })
  const idle = { name: 'sender idle', result: writes.idle }
  const comparedWrites = { connections: 32, ratioOf: 'rate', baseline: idle } as const
  add({ name: 'create, 256 calls under way', result: writes.busy, ...comparedWrites, bar: { least: 0.9 } })
  add({ name: 'create, draining at full speed', result: writes.fullSpeed, ...comparedWrites })

  // From the commit to the first byte, at a hundred per second.
  const healthy = url(ports.at(-1)!, '/ok?healthy')
  await addEndpoint(service, merchant.accountId, healthy)
  const handset = phone(service.origin, systemClock.now, merchant.demo.device)
  const seconds = bench.small ? 1 : Math.max(10, bench.seconds)
  const stuckEach = bench.small ? 500 : 50_000
  const toFirstByte = async (measured_s: number): Promise<Measured> => {
    const count = Math.round(perSecond * measured_s)
    const pool = await referencedPool(service, count)
    await getJson(`${receiver.origin}/begin?only=${encodeURIComponent('/ok?healthy')}`)
    const watched = watchProcessors(service.pid, service.postmasterPid, load)
    const began = performance.now()
    const sent: Promise<{ status: number; text: string }>[] = []
    for (let n = 0; n < count; n++) {
      const pause_ms = began + (n * 1000) / perSecond - performance.now()
      if (pause_ms > 0) await delay(pause_ms)
      sent.push(handset.alerts([reportOf(referenceOf(pool, n))]))
    }
    for (const { status, text } of await Promise.all(sent)) if (status !== 200) throw new Error(`${status}: ${text}`)
    for (let tries = 0; tries < 3_000; tries++) {
      if ((await getJson<{ count: number }>(`${receiver.origin}/count`)).count >= count) break
      await delay(10)
    }
    const shares = watched()
    const arrivals = await getJson<{ id: string; at: number }[]>(`${receiver.origin}/arrivals`)
    if (arrivals.length !== count) throw new Error(`${count} events, ${arrivals.length} arrived`)
    const rows = await db.run({
      text: `select id, extract(epoch from pg_xact_commit_timestamp(xmin)) * 1000
               from events where account_id = $1 and id = any($2::uuid[])`,
      values: [merchant.accountId, arrivals.map((arrival) => arrival.id)],
    })
    const times = new Map(rows.map(([id, ms]) => [id, Number(ms)]))
    const took = arrivals.map((arrival) => arrival.at - times.get(arrival.id)!)
    return { perSecond, p50_ms: percentile(took, 0.5), p99_ms: percentile(took, 0.99), requests: count, shares }
  }
  const dead = await addEndpoint(service, merchant.accountId, 'http://127.0.0.1:9/')
  const slow = await addEndpoint(service, merchant.accountId, url(ports.at(-2)!, '/after/14000'))
  const stuck = [dead, slow]
  const stuckShop = { account: merchant.accountId, wallet: merchant.demo.wallets.main, endpoints: stuck }
  await setEnabled(service, stuck, false)
  bench.print(`first byte, ${perSecond} a second`)
  if (!bench.small) await toFirstByte(5)
  const first = await inRounds(bench.rounds, {
    alone: () => toFirstByte(seconds),
    crowded: async () => {
      await setEnabled(service, stuck, true)
      await addWaiting(service, [stuckShop], stuckEach)
      await db.run({ text: 'analyze deliveries', values: [] })
      await delay(3_000)
      const measured = await toFirstByte(seconds)
      const left = await waitingFor(service, stuck)
      if (left < stuckEach * 1.98) throw new Error(`only ${left} deliveries waited`)
      await setEnabled(service, stuck, false)
      await db.run({
        text: 'delete from deliveries where lease_id is null and endpoint_id = any($1)',
        values: [stuck],
      })
      await db.run({ text: 'vacuum analyze deliveries', values: [] })
      return measured
    },
  })
  add({ name: 'commit to first byte, alone', connections: 1, result: first.alone, ratioOf: 'p99' })
  add({
    name: 'the same, 100,000 stuck',
    connections: 1,
    result: first.crowded,
    ratioOf: 'p99',
    baseline: { name: 'alone (p99)', result: first.alone },
    bar: { most: 2 },
  })
  await stop(receiver.child)
  await service.stop()
  return {
    title: 'Webhooks',
    note:
      `drain: deliveries a second, from the first call until all are recorded, ${shopsCount * endpointsEach} endpoints of ${shopsCount} accounts; compared with` +
      '\nthe same HTTP client posting the same bytes without a database, and with plain undici.' +
      '\ncreate: intents a second while every call of the sender is under way to receivers that answer after 500 ms.' +
      '\nfirst byte: from the commit, with its flush, until the request is at the receiver. stuck: a dead endpoint and one that' +
      '\nanswers after 14 s, of the same account, with 100,000 deliveries waiting for them.',
    lines,
  }
}
