/**
 * Measures what calls cost, on a service of its own with a PostgreSQL of its own: processor time, WAL, disk and memory. The times are
 * those of processes, not of clocks: another program on the machine changes them little.
 */

import { cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import { phone } from '../../packages/server/test/support/phone.ts'
import { type Asked, inParallel, openCaller } from '../harness/call.ts'
import { watchProcessors } from '../harness/cpu-shares.ts'
import { childrenOf, memory_mb, ownMemory_mb } from '../harness/memory.ts'
import { BenchRefused, output, stop, temporaryFolder } from '../harness/processes.ts'
import { median } from '../harness/rounds.ts'
import { type Merchant, type ServiceProcess, startProgram, startService } from '../harness/service-process.ts'
import { addMerchants } from '../rows/add-merchants.ts'
import { reportOf } from '../rows/alert-pool.ts'
import { waitingPages } from '../rows/open-pages.ts'
import { seed } from '../rows/seed.ts'
import { addEndpoint } from '../rows/webhook-shops.ts'
import type { Call, CallCost, Costs } from './costs.ts'

const atOnce = 8
const api = '/api/v1/merchant/intents/'

/** `quick`: a run of seconds, whose figures are rough. */
const sizes = {
  full: { seeded: 10_000, shops: 20, warmUp: 1_000, rounds: 4, payments: 1_000, reads: 3_000, idle_s: 10 },
  quick: { seeded: 200, shops: 2, warmUp: 40, rounds: 2, payments: 40, reads: 60, idle_s: 1 },
} as const
const walOf = { full: [1, 10, 100, 1_000], quick: [1, 10, 40] } as const

export const measureCosts = async (quick: boolean, print: (line: string) => void): Promise<Costs> => {
  const size = sizes[quick ? 'quick' : 'full']
  const folder = await temporaryFolder()
  const service = await startService(join(folder, 'data'), { SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
  const receiver = await startProgram(
    [join(import.meta.dirname, '../measures/webhook-receiver.ts'), '1'],
    {},
    join(folder, 'receiver.log'),
  )
  if (watchProcessors(service.pid, service.postmasterPid)() === undefined)
    throw new BenchRefused('Costs can be measured on Linux only: processor times are read from /proc.')
  const caller = openCaller(atOnce)
  const { db } = service
  await seed(db, service.merchant, size.seeded)
  const { ports } = JSON.parse((await caller.call(receiver.origin)).text) as { ports: number[] }
  // Several shops: the log of API calls keeps only so many calls of each.
  const shops = await addMerchants(service, size.shops)
  for (const { accountId } of shops) await addEndpoint(service, accountId, `http://127.0.0.1:${ports[0]}/ok`)
  const phones = shops.map(({ demo }) => phone(service.origin, systemClock.now, demo.device))
  const shopOf = (n: number): Merchant => shops[n % shops.length]!
  const ask = async (path: string, asked: Asked, expected = 200): Promise<string> => {
    const { status, text } = await caller.call(`${service.origin}${path}`, asked)
    if (status !== expected) throw new Error(`${asked.method ?? 'GET'} ${path}: ${status} ${text}`)
    return text
  }
  const delivered = async (): Promise<number> =>
    (JSON.parse((await caller.call(`${receiver.origin}/count`)).text) as { count: number }).count

  const spent = new Map<string, { count: number; node: number; postgres: number }>()
  const measured = async <T>(name: string, count: number, work: () => Promise<T>): Promise<T> => {
    const watched = watchProcessors(service.pid, service.postmasterPid)
    const began = performance.now()
    const result = await work()
    const { sanad, postgres } = watched()!
    const took_s = (performance.now() - began) / 1000
    const sum = spent.get(name) ?? { count: 0, node: 0, postgres: 0 }
    spent.set(name, {
      count: sum.count + count,
      node: sum.node + sanad * took_s,
      postgres: sum.postgres + postgres * took_s,
    })
    return result
  }
  const costOf = (name: string): CallCost => {
    const { count, node, postgres } = spent.get(name)!
    const us = (seconds: number): number => Math.round((seconds / count) * 1e6)
    return { node_us: Math.max(1, us(node)), postgres_us: us(postgres) }
  }

  let paid = 0
  /** Payments from the order to the webhook, stage by stage. */
  const pay = async (count: number): Promise<void> => {
    const first = paid
    paid += count
    const reference = (n: number): string => String(500_000_000_000 + first + n)
    const ids = await measured('create', count, () =>
      inParallel(atOnce, count, async (n) => {
        const { demo, token } = shopOf(n)
        const body = { wallet: demo.wallets.main, amount: '1500.00', external_order_id: `order-${first + n}` }
        const headers = { 'SERVICE-IDEMPOTENCY-KEY': `capacity-${first + n}` }
        const text = await ask(api, { method: 'POST', token, body, headers }, 201)
        return (JSON.parse(text) as { id: string }).id
      }),
    )
    await measured('reference', count, () =>
      inParallel(atOnce, count, (n) =>
        ask(`${api}${ids[n]}/`, { method: 'PATCH', token: shopOf(n).token, body: { reference: reference(n) } }),
      ),
    )
    await measured('alert', count, async () => {
      await inParallel(atOnce, count, async (n) => {
        const { status, text } = await phones[n % phones.length]!.alerts([reportOf(reference(n))])
        if (status !== 200) throw new Error(`alert: ${status} ${text}`)
      })
      for (let tries = 0; (await delivered()) < paid; tries++) {
        if (tries === 600) throw new Error(`${paid} payments, ${await delivered()} webhooks arrived in a minute`)
        await delay(100)
      }
    })
  }
  const vacuum = (): Promise<unknown> => db.run({ text: 'vacuum analyze', values: [] })

  print('payments')
  await pay(size.warmUp)
  await vacuum()
  spent.clear()
  const before = await tableBytes(service)
  for (let round = 0; round < size.rounds; round++) {
    await pay(size.payments)
    await measured('vacuum', size.payments, vacuum)
  }
  const payments = size.rounds * size.payments
  const after = await tableBytes(service)
  const grown = (of: (name: string) => boolean): number => {
    const names = [...after.keys()].filter(of)
    return names.reduce((sum, name) => sum + after.get(name)! - (before.get(name) ?? 0), 0)
  }

  print('reads')
  const [row] = await db.run({
    text: `select string_agg(id::text, ',') from (select id from intents where account_id = $1 limit 1000) as i`,
    values: [shops[0]!.accountId],
  })
  const ids = row![0]!.split(',')
  const { tokens } = await waitingPages(service, 500)
  const reads: Readonly<Partial<Record<Call, (n: number) => Promise<unknown>>>> = {
    retrieve: (n) => ask(`${api}${ids[n % ids.length]}/`, { token: shops[0]!.token }),
    list: (n) => ask(api, { token: shopOf(n).token }),
    page: (n) => ask(`/pay/${tokens[n % tokens.length]}`, { headers: { 'accept-encoding': 'gzip' } }),
    dashboard_list: (n) => ask('/api/v1/dashboard/intents/', { token: shopOf(n).demo.dashboard.user_token }),
    heartbeat: async (n) => {
      const { status, text } = await phones[n % phones.length]!.heartbeat()
      if (status !== 200) throw new Error(`heartbeat: ${status} ${text}`)
    },
  }
  for (const [name, read] of Object.entries(reads)) {
    await inParallel(atOnce, Math.ceil(size.reads / 3), read)
    await measured(name, size.reads, () => inParallel(atOnce, size.reads, read))
  }

  print('WAL')
  const wal: [number, number][] = []
  for (const count of walOf[quick ? 'quick' : 'full']) {
    await service.asAdmin('checkpoint')
    const from = await walPosition(service)
    await pay(count)
    wal.push([count, (await walPosition(service)) - from])
  }

  print('memory, and idling')
  const memory = await memoryOf(service)
  await caller.close()
  await delay(quick ? 100 : 2_000)
  await measured('idle', size.idle_s, () => delay(size.idle_s * 1000))
  const costs: Costs = {
    ...(await machineOf(service)),
    at_once: atOnce,
    calls: {
      create: costOf('create'),
      reference: costOf('reference'),
      alert: costOf('alert'),
      retrieve: costOf('retrieve'),
      list: costOf('list'),
      page: costOf('page'),
      dashboard_list: costOf('dashboard_list'),
      heartbeat: costOf('heartbeat'),
    },
    idle: { node: costOf('idle').node_us / 1e6, postgres: costOf('idle').postgres_us / 1e6 },
    vacuum_us: costOf('vacuum').postgres_us,
    wal,
    disk: {
      forever: Math.round(grown((name) => !isTemporary(name)) / payments),
      texts: await textBytes(service),
      attempts: Math.round(
        grown((name) => name.startsWith('delivery_attempts')) / payments + (await bodyBytes(service)),
      ),
      ends: Math.round(grown((name) => name.startsWith('delivery_ends')) / payments),
      keys: Math.round(grown((name) => name === 'idempotency_keys') / payments),
    },
    api_call: await callBytes(service),
    memory,
  }
  await service.stop()
  await stop(receiver.child)
  return costs
}

const isTemporary = (name: string): boolean =>
  ['idempotency_keys', 'api_calls', 'device_requests', 'deliveries'].includes(name) || /^delivery_/.test(name)

/** Bytes of each table with its indexes. */
const tableBytes = async ({ db }: ServiceProcess): Promise<Map<string, number>> => {
  const rows = await db.run({
    text: `select relname, pg_total_relation_size(oid) from pg_class
            where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    values: [],
  })
  return new Map(rows.map(([name, bytes]) => [name!, Number(bytes)]))
}

const numberOf = async ({ db }: ServiceProcess, text: string): Promise<number> =>
  Math.round(Number((await db.run({ text, values: [] }))[0]![0]))

/** What the job of retention empties in the row of an alert. */
const textBytes = (service: ServiceProcess): Promise<number> =>
  numberOf(service, `select avg(pg_column_size(raw_text) + coalesce(pg_column_size(payer), 0)) from alerts`)

/** The body of an event is emptied after a month. */
const bodyBytes = (service: ServiceProcess): Promise<number> =>
  numberOf(service, `select avg(pg_column_size(body)) from events where body <> ''`)

const callBytes = (service: ServiceProcess): Promise<number> =>
  numberOf(service, `select pg_total_relation_size('api_calls') / greatest(1, (select count(*) from api_calls))`)

const walPosition = (service: ServiceProcess): Promise<number> =>
  numberOf(service, `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')`)

const memoryOf = async (service: ServiceProcess): Promise<Costs['memory']> => {
  const all = childrenOf(service.postmasterPid)
  const connections = await service.db.run({
    text: `select pid from pg_stat_activity where backend_type = 'client backend' and application_name like 'sanad%'`,
    values: [],
  })
  const clients = new Set(connections.map(([pid]) => Number(pid)))
  const own = all.map(({ pid }) => ({ isClient: clients.has(pid), mb: ownMemory_mb(pid) }))
  const buffers = await numberOf(service, `select pg_size_bytes(current_setting('shared_buffers')) / 1048576`)
  const others = own.filter(({ isClient }) => !isClient).reduce((sum, { mb }) => sum + mb, 0)
  return {
    node: Math.round(memory_mb(service.pid)),
    postgres: Math.round(buffers + others + ownMemory_mb(service.postmasterPid)),
    connection: Math.round(10 * median(own.filter(({ isClient }) => isClient).map(({ mb }) => mb))) / 10,
  }
}

const machineOf = async (service: ServiceProcess): Promise<Pick<Costs, 'machine' | 'node' | 'postgres' | 'commit'>> => {
  const [row] = await service.db.run({ text: `select current_setting('server_version')`, values: [] })
  const commit = await output('git', ['rev-parse', '--short', 'HEAD'], { cwd: import.meta.dirname }).catch(() => '')
  return {
    machine: `${cpus().length} processors, ${cpus()[0]?.model.trim() ?? 'unknown'}`,
    node: process.version,
    postgres: row![0]!,
    commit: commit.trim(),
  }
}
