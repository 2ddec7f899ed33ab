/** How fast the API is, compared with the same SQL by pgbench on the same PostgreSQL, and with a bare Fastify route. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import {
  createBaseline,
  listBaseline,
  patchBaseline,
  retrieveBaseline,
  searchBaseline,
} from '../baselines/call-baselines.ts'
import { type Baseline, runBaseline } from '../baselines/run-baseline.ts'
import { watchProcessors } from '../harness/cpu-shares.ts'
import { type Load, runLoad, type Target } from '../harness/load.ts'
import type { Bench } from '../harness/options.ts'
import { stop, temporaryFolder } from '../harness/processes.ts'
import { type Line, lineText, type Section } from '../harness/report.ts'
import { inRounds, type Runner } from '../harness/rounds.ts'
import { startProgram, startService } from '../harness/service-process.ts'
import { makeOpen, seed } from '../rows/seed.ts'
import { vacuumRows } from '../rows/vacuum-rows.ts'

const api = '/api/v1/merchant/intents/'
const warmUp_s = 1
/** Before the first measurement of an operation: until the JIT has compiled its code. */
const firstWarmUp_s = 5
const startWith = 10_000

const createBody = (wallet: string): string =>
  JSON.stringify({ wallet, amount: '1500.00', external_order_id: 'ORDER', notes: 'Second floor, ring twice' })

const getText = async ({ origin, token }: Target, path: string): Promise<string> => {
  const answer = await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${token}` } })
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return answer.text()
}

const connectionCounts = [4, 32] as const

export const measureSpeed = async (bench: Bench): Promise<Section> => {
  const folder = await temporaryFolder()
  const service = await startService(join(folder, 'data'))
  const { db, merchant } = service
  const target = { origin: service.origin, token: merchant.token }
  const tools = { ...bench.tools, folder }
  await seed(db, merchant, bench.small ? 500 : startWith)
  await vacuumRows(db)
  const rows = async (table: string): Promise<number> => {
    const [row] = await db.run({ text: `select count(*) from ${table}`, values: [] })
    return Number(row![0])
  }

  const warm = new Set<string>()
  const warmUp = async (to: Target, load: Load, connections: number): Promise<void> => {
    const name = `${to.origin} ${load.kind} ${load.lines[0]?.length}`
    const first = !warm.has(name)
    warm.add(name)
    if (bench.small && !first) return
    await runLoad(tools, to, load, first ? 32 : connections, first && !bench.small ? firstWarmUp_s : warmUp_s)
  }

  /** `grows`: a table that must have one more row for every answer. */
  const byHttp =
    (to: Target & { pid: number }, load: () => Promise<Load> | Load, connections: number, grows?: string): Runner =>
    async () => {
      const builtLoad = await load()
      await warmUp(to, builtLoad, connections)
      const before = grows === undefined ? 0 : await rows(grows)
      const watched = watchProcessors(to.pid, service.postmasterPid)
      const figures = await runLoad(tools, to, builtLoad, connections, bench.seconds)
      const shares = watched()
      const grown = grows === undefined ? figures.requests : (await rows(grows)) - before
      // Requests in flight when wrk stopped are written too: those of the warm-up and of the run.
      if (grown < figures.requests || grown > figures.requests + connections + 32)
        throw new Error(`${figures.requests} requests were answered, but ${grown} rows were written`)
      return { ...figures, shares }
    }
  const bySql =
    (buildBaseline: () => Promise<Baseline> | Baseline, connections: number): Runner =>
    async () => {
      const baseline = await buildBaseline()
      const watched = watchProcessors(undefined, service.postmasterPid)
      const figures = await runBaseline(tools, service.socketDir, baseline, connections, bench.seconds)
      return { ...figures, shares: watched() }
    }

  const real = { ...target, pid: service.pid }
  const lines: Line[] = []
  let runs = 0
  const poolSize = Math.round(6000 * (bench.seconds + warmUp_s))

  const open = async (size: number) => {
    const pool = await makeOpen(db, merchant, size, systemClock.now())
    await vacuumRows(db)
    return pool
  }

  const measures: Record<string, (connections: number) => Promise<Omit<Line, 'name' | 'connections'>[]>> = {
    async create(connections) {
      const load = { kind: 'create', lines: [api, createBody(merchant.demo.wallets.main)] } as const
      const pool = await makeOpen(db, merchant, 1, systemClock.now())
      const answer = await getText(target, `${api}${pool.ids[0]}/`)
      const { http, sql } = await inRounds(bench.rounds, {
        http: byHttp(real, () => load, connections, 'idempotency_keys'),
        sql: bySql(() => createBaseline(service, answer, ++runs), connections),
      })
      return [{ result: http, ratioOf: 'rate', baseline: { name: 'pgbench', result: sql }, bar: { least: 0.7 } }]
    },
    async retrieve(connections) {
      const pool = await open(bench.small ? 500 : 10_000)
      const load = { kind: 'get', lines: pool.ids.map((id) => `${api}${id}/`) } as const
      const file = join(folder, 'answer.json')
      writeFileSync(file, await getText(target, load.lines[0]!))
      const program = (name: string, ...more: string[]) =>
        startProgram(
          [join(import.meta.dirname, `../baselines/${name}.ts`), file, ...more],
          {},
          join(folder, `${name}.log`),
        )
      const bare = await program('bare-server')
      const query = await program('query-server', service.databaseUrl, merchant.accountId)
      const httpRunner = ({ origin, child }: typeof bare) =>
        byHttp({ ...target, origin, pid: child.pid! }, () => load, connections)
      const { http, sql, route, oneQuery } = await inRounds(bench.rounds, {
        http: byHttp(real, () => load, connections),
        sql: bySql(() => retrieveBaseline(service, pool), connections),
        route: httpRunner(bare),
        oneQuery: httpRunner(query),
      })
      await Promise.all([stop(bare.child), stop(query.child)])
      return [
        {
          result: http,
          ratioOf: 'rate',
          baseline: { name: 'bare Fastify', result: route },
          // With few connections nothing can be batched, and every route with a database is much slower than one without.
          ...(connections >= 32 ? { bar: { least: 0.5 } } : {}),
        },
        { result: http, ratioOf: 'rate', baseline: { name: 'Fastify + pg', result: oneQuery } },
        { result: http, ratioOf: 'rate', baseline: { name: 'pgbench', result: sql } },
      ]
    },
    async patch(connections) {
      const fresh = () => open(poolSize)
      const { http, sql } = await inRounds(bench.rounds, {
        http: byHttp(
          real,
          async () => ({ kind: 'patch', lines: (await fresh()).ids.map((id) => `${api}${id}/`) }),
          connections,
          'intent_moves',
        ),
        sql: bySql(async () => patchBaseline(service, await fresh(), ++runs), connections),
      })
      return [{ result: http, ratioOf: 'rate', baseline: { name: 'pgbench', result: sql }, bar: { least: 0.6 } }]
    },
    async list(connections) {
      const load = { kind: 'get', lines: [api] } as const
      const { http, sql } = await inRounds(bench.rounds, {
        http: byHttp(real, () => load, connections),
        sql: bySql(() => listBaseline(service), connections),
      })
      return [{ result: http, ratioOf: 'rate', baseline: { name: 'pgbench', result: sql } }]
    },
    async search(connections) {
      const found = await db.run({
        text: `select reference from intents where account_id = $1 and created_by = 'seed' and reference <> '' limit 20`,
        values: [merchant.accountId],
      })
      const terms = found.map(([reference]) => reference!)
      const load = { kind: 'get', lines: terms.map((term) => `${api}?search=${term}`) } as const
      const { http, sql } = await inRounds(bench.rounds, {
        http: byHttp(real, () => load, connections),
        sql: bySql(() => searchBaseline(service, terms), connections),
      })
      return [{ result: http, ratioOf: 'rate', baseline: { name: 'pgbench', result: sql } }]
    },
  }

  // Lists come first, on a database that has settled; bench/measures/burst.ts measures them right after many creates.
  for (const name of ['list', 'search', 'retrieve', 'create', 'patch']) {
    if (!bench.isSelected(name)) continue
    for (const connections of bench.small ? [4] : connectionCounts) {
      bench.print(`${name}, ${connections} connections`)
      for (const found of await measures[name]!(connections)) {
        const line = { name, connections, ...found }
        lines.push(line)
        bench.print(lineText(line))
      }
    }
  }
  await service.stop()
  return {
    title: 'Speed',
    note:
      'Requests a second, compared with the same SQL by pgbench (single rows, as many connections), with a bare Fastify route, and' +
      '\nwith a route that runs one query and checks nothing. cpu: how many processors each of them used. Retrieve has a bar only at' +
      '\n32 connections: with 4, a route without a database never waits.',
    lines,
  }
}
