/**
 * What a replica takes off the primary: the same exports, charts and day closes, once without `DATABASE_READ_URL` and once with it. The
 * processor seconds of both servers, and how long the calls of another merchant take meanwhile. Both servers and the service share the
 * cores of this machine, so the times are those of a crowded one; processor seconds change little by that.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createDemo } from '../../packages/server/src/commands/shop/demo.ts'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import { hour_ms } from '../../packages/server/src/core/duration.ts'
import { migrationsFolder } from '../../packages/server/src/open-store.ts'
import { openDatabase } from '../../packages/server/src/postgres/connection/database.ts'
import { migrate } from '../../packages/server/src/postgres/maintenance/migrate.ts'
import { type PostgresServer, startReplicated } from '../../packages/server/test/support/servers/replicated-postgres.ts'
import { openCaller } from '../harness/call.ts'
import { watchProcessors } from '../harness/cpu-shares.ts'
import type { Bench } from '../harness/options.ts'
import { stop, temporaryFolder } from '../harness/processes.ts'
import { type Fact, factText, type Section } from '../harness/report.ts'
import { median, percentile } from '../harness/rounds.ts'
import { highLimits, type Merchant, merchantAs, startProgram } from '../harness/service-process.ts'
import { seed } from '../rows/seed.ts'

const main = resolve(import.meta.dirname, '../../packages/server/src/main.ts')
const dashboard = '/api/v1/dashboard'
const sizes = {
  full: { intents: 100_000, days: 12, turns: 4 },
  small: { intents: 500, days: 1, turns: 1 },
} as const

type Side = {
  readonly primary_s: number
  readonly replica_s: number
  readonly took_s: number
  readonly p50_ms: number
  readonly p99_ms: number
}

/** The process id of the postmaster: the parent of one of its processes. */
const postmasterOf = async (server: PostgresServer): Promise<number> => {
  const [row] = await server.query(`select pid from pg_stat_activity where backend_type = 'checkpointer'`)
  const stat = readFileSync(`/proc/${row!.pid}/stat`, 'latin1')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

export const measureReplica = async (bench: Bench): Promise<Section> => {
  const { intents, days, turns } = sizes[bench.small ? 'small' : 'full']
  const folder = await temporaryFolder()
  const servers = await startReplicated(undefined, { synchronous: false })
  const [primaryPid, replicaPid] = [await postmasterOf(servers.primary), await postmasterOf(servers.replica)]
  const urlAt = ({ port }: PostgresServer): string => `postgresql://sanad@127.0.0.1:${port}/sanad`
  await migrate(urlAt(servers.primary), migrationsFolder)
  const db = openDatabase({
    url: urlAt(servers.primary),
    connections: 2,
    application: 'sanad bench',
    statement_timeout_ms: hour_ms,
    onFault: () => {},
  })
  const masterKey = randomBytes(32)
  const settings = {
    PORT: '0',
    HOST: '127.0.0.1',
    DATABASE_URL: urlAt(servers.primary),
    SANAD_MASTER_KEY: masterKey.toString('base64'),
    SANAD_DATA_DIR: join(folder, 'data'),
    SANAD_LIMITS: highLimits,
    LOG_LEVEL: 'info',
  }
  const demos = [0, 1].map(() => createDemo(db, new Uint8Array(masterKey), 'http://127.0.0.1', systemClock.now()))
  const [reader, seller] = await Promise.all(demos)

  const run = async (more: Readonly<Record<string, string>>, name: string): Promise<Side> => {
    const { child, origin } = await startProgram([main, 'start'], { ...settings, ...more }, join(folder, `${name}.log`))
    const [ofReader, ofSeller] = [await merchantAs(db, origin, reader!), await merchantAs(db, origin, seller!)]
    await delay(bench.small ? 500 : 3_000)
    const side = await measured(origin, ofReader, ofSeller)
    await stop(child)
    return side
  }
  const measured = async (origin: string, ofReader: Merchant, ofSeller: Merchant): Promise<Side> => {
    const readers = openCaller(1)
    const merchants = openCaller(1)
    const get = async (path: string): Promise<void> => {
      const { status, text } = await readers.call(`${origin}${dashboard}${path}`, {
        token: ofReader.demo.dashboard.user_token,
      })
      if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 300)}`)
    }
    const heavy = async (): Promise<void> => {
      for (let turn = 0; turn < turns; turn++)
        for (let n = 0; n < days; n++) {
          const at = (ago: number): string => new Date(systemClock.now() - ago * 86_400_000).toISOString()
          await get(`/intents/csv/?created_after=${at(n + 1)}&created_before=${at(n)}`)
          await get(`/day-close/sums/?day=${at(n + 1).slice(0, 10)}`)
          await get('/overview/charts/?days=90')
        }
    }
    const api = '/api/v1/merchant/intents/'
    const took: number[] = []
    let isOver = false
    const sells = async (): Promise<void> => {
      for (let n = 0; !isOver; n++) {
        const began = performance.now()
        const { status, text } = await merchants.call(`${origin}${api}`, {
          method: 'POST',
          token: ofSeller.token,
          body: { wallet: ofSeller.demo.wallets.main, amount: '1500.00', external_order_id: `order-${n}` },
        })
        if (status !== 201) throw new Error(`create: ${status} ${text}`)
        const { id } = JSON.parse(text) as { id: string }
        await merchants.call(`${origin}${api}${id}/`, { token: ofSeller.token })
        took.push((performance.now() - began) / 2)
        await delay(10)
      }
    }
    await get('/overview/charts/?days=90')
    const watched = [primaryPid, replicaPid].map((pid) => watchProcessors(undefined, pid))
    const began = performance.now()
    const selling = sells()
    await heavy()
    isOver = true
    await selling
    const took_s = (performance.now() - began) / 1000
    const [primary_s, replica_s] = watched.map((end) => (end()?.postgres ?? Number.NaN) * took_s)
    await Promise.all([readers.close(), merchants.close()])
    return {
      primary_s: primary_s!,
      replica_s: replica_s!,
      took_s,
      p50_ms: percentile(took, 0.5),
      p99_ms: percentile(took, 0.99),
    }
  }

  // A first start prepares what every start needs.
  const first = await startProgram([main, 'start'], settings, join(folder, 'first.log'))
  await seed(db, await merchantAs(db, first.origin, reader!), intents)
  await stop(first.child)
  const rounds: { readonly alone: Side; readonly beside: Side }[] = []
  for (let round = 0; round < bench.rounds; round++) {
    bench.print(`replica: round ${round + 1}`)
    const alone = await run({}, `alone-${round}`)
    const beside = await run({ DATABASE_READ_URL: urlAt(servers.replica) }, `beside-${round}`)
    rounds.push({ alone, beside })
  }
  await db.close()
  await servers.stop()
  const middle = (side: 'alone' | 'beside', of: keyof Side): number => median(rounds.map((round) => round[side][of]))
  const facts: Fact[] = (['alone', 'beside'] as const).flatMap((side) => {
    const name = side === 'alone' ? 'without a replica' : 'with a replica'
    return [
      { name: `${name}: processor of the primary`, value: middle(side, 'primary_s'), unit: 's' },
      { name: `${name}: processor of the replica`, value: middle(side, 'replica_s'), unit: 's' },
      { name: `${name}: the reads took`, value: middle(side, 'took_s'), unit: 's' },
      { name: `${name}: calls of another merchant, p50`, value: middle(side, 'p50_ms'), unit: 'ms' },
      { name: `${name}: calls of another merchant, p99`, value: middle(side, 'p99_ms'), unit: 'ms' },
    ]
  })
  facts.push({
    name: 'processor of the primary, with / without',
    value: median(rounds.map(({ alone, beside }) => beside.primary_s / alone.primary_s)),
    unit: '',
  })
  for (const fact of facts) bench.print(`  ${factText(fact)}`)
  return {
    title: 'A replica for reading',
    note: `${turns * days} exports of a day, day closes and charts of 90 days in an account of ${intents.toLocaleString('en')} intents, beside creates and retrieves of another.`,
    lines: [],
    facts,
  }
}
