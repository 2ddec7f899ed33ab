/**
 * Two processes of one machine compared with one (SANAD_PROCESSES), each with a PostgreSQL of its own and the same rows. Calls that
 * need no database, and calls that do while PostgreSQL shares the same cores.
 *
 * The load generator runs on the same cores, and takes from what two processes could use. So two figures are given. `measured`: the
 * rates as they are. `of two cores`: the rates that the processor time of a call allows if two cores were there for Sanad (and
 * PostgreSQL) alone; one process can use one of them for JavaScript. It is computed from processor seconds, which a load on the machine
 * changes little.
 */
import { join } from 'node:path'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import { watchProcessors } from '../harness/cpu-shares.ts'
import { type Load, runLoad } from '../harness/load.ts'
import type { Bench } from '../harness/options.ts'
import { temporaryFolder } from '../harness/processes.ts'
import { type Fact, factText, type Line, lineText, type Section } from '../harness/report.ts'
import { inRounds, type Result, type Runner } from '../harness/rounds.ts'
import { type ServiceProcess, startService } from '../harness/service-process.ts'
import { referencedPool } from '../rows/alert-pool.ts'
import { waitingPages } from '../rows/open-pages.ts'
import { makeOpen, seed } from '../rows/seed.ts'
import { vacuumRows } from '../rows/vacuum-rows.ts'
import { signedRequests } from './signed-requests.ts'

const connections = 64
const startWith = 10_000
const links = 2_000
const warmUp_s = 1
/**
 * Node compiles what runs often, which takes processor time and makes later calls cheaper. Each of two processes has half of the calls,
 * so after the same time it is less far. So before the first run, calls are made until their processor time falls no more.
 */
const firstWarmUp_s = 2
const mostWarmUps = 8
const stillFalls = 0.95
const intents = '/api/v1/merchant/intents/'

type Machine = { readonly service: ServiceProcess; readonly folder: string }

type Call = {
  readonly name: string
  /** The requests of one run, which takes so long. */
  readonly load: (machine: Machine, seconds: number) => Promise<Load>
  readonly token?: string
  readonly usesDatabase: boolean
}

/** Requests a second that no run reaches: as many are prepared. */
const mostAlerts = 2_500

const fixed = (make: (machine: Machine) => Promise<Load>): Call['load'] => {
  const made = new Map<Machine, Promise<Load>>()
  return (machine) => {
    const load = made.get(machine) ?? make(machine)
    made.set(machine, load)
    return load
  }
}

const calls: readonly Call[] = [
  {
    name: 'wallets',
    load: fixed(async () => ({ kind: 'get', lines: ['/api/v1/merchant/wallets/'] })),
    usesDatabase: false,
  },
  {
    name: 'token check (404 of an id that is none)',
    load: fixed(async () => ({ kind: 'get', lines: [`${intents}none/`], refused: true })),
    usesDatabase: false,
  },
  {
    name: '401',
    load: fixed(async () => ({ kind: 'get', lines: [intents], refused: true })),
    token: 'none',
    usesDatabase: false,
  },
  {
    name: "buyer's waiting page",
    load: fixed(async ({ service }) => ({
      kind: 'page',
      lines: (await waitingPages(service, links)).tokens.map((token) => `/pay/${token}`),
    })),
    usesDatabase: false,
  },
  {
    name: 'create',
    load: fixed(async ({ service }) => ({
      kind: 'create',
      lines: [
        intents,
        JSON.stringify({ wallet: service.merchant.demo.wallets.main, amount: '1500.00', external_order_id: 'ORDER' }),
      ],
    })),
    usesDatabase: true,
  },
  {
    name: 'retrieve',
    load: fixed(async ({ service }) => {
      const pool = await makeOpen(service.db, service.merchant, startWith, systemClock.now())
      await vacuumRows(service.db)
      return { kind: 'get', lines: pool.ids.map((id) => `${intents}${id}/`) }
    }),
    usesDatabase: true,
  },
  {
    name: 'alert to VERIFIED',
    load: async ({ service }, seconds) =>
      signedRequests(service, await referencedPool(service, Math.round(mostAlerts * (seconds + 1))), 1),
    usesDatabase: true,
  },
]

const bar = { computed: 1.7, withDatabase: 0.95 }

/** Processor seconds of one call, in microseconds. */
const perCall = (result: Pick<Result, 'perSecond' | 'shares'>, of: 'sanad' | 'postgres' | 'load'): number =>
  ((result.shares?.[of] ?? Number.NaN) / result.perSecond) * 1e6

export const measureProcesses = async (bench: Bench): Promise<Section> => {
  const start = async (processes: number): Promise<Machine> => {
    const folder = await temporaryFolder()
    const service = await startService(join(folder, 'data'), { SANAD_PROCESSES: String(processes) })
    await seed(service.db, service.merchant, bench.small ? 500 : startWith)
    await vacuumRows(service.db)
    return { service, folder }
  }
  const [one, two] = [await start(1), await start(2)]
  const lines: Line[] = []
  const facts: Fact[] = []
  for (const call of calls) {
    if (!bench.isSelected(call.usesDatabase ? 'processes-database' : 'processes-alone')) continue
    bench.print(`${call.name}, ${connections} connections`)
    const warm = new Set<Machine>()
    const run = async (machine: Machine, seconds: number) => {
      const { service, folder } = machine
      const load = await call.load(machine, seconds)
      const target = { origin: service.origin, token: call.token ?? service.merchant.token }
      const watched = watchProcessors(service.pid, service.postmasterPid)
      const figures = await runLoad({ ...bench.tools, folder }, target, load, connections, seconds)
      return { ...figures, shares: watched() }
    }
    const warmUp = async (machine: Machine): Promise<void> => {
      let least = Number.POSITIVE_INFINITY
      for (let runs = 0, steady = 0; runs < mostWarmUps && steady < 2; runs++) {
        const cost = perCall(await run(machine, firstWarmUp_s), 'sanad')
        steady = cost < least * stillFalls ? 0 : steady + 1
        least = Math.min(least, cost)
      }
    }
    const runner =
      (machine: Machine): Runner =>
      async () => {
        if (!bench.small) await (warm.has(machine) ? run(machine, warmUp_s) : warmUp(machine))
        warm.add(machine)
        return run(machine, bench.seconds)
      }
    const results = await inRounds(bench.rounds, { one: runner(one), two: runner(two) })
    const line: Line = {
      name: call.name,
      connections,
      result: results.two,
      ratioOf: 'rate',
      baseline: { name: 'one process', result: results.one },
      ...(call.usesDatabase ? { bar: { least: bar.withDatabase } } : {}),
    }
    lines.push(line)
    bench.print(lineText(line))
    const own: Fact[] = []
    for (const [name, result] of Object.entries(results))
      own.push(
        ...(['sanad', 'postgres', 'load'] as const).map((of) => ({
          name: `${call.name}, ${name}: processor time of a call, ${of === 'sanad' ? 'Node' : of}`,
          value: perCall(result, of),
          unit: 'us',
        })),
      )
    if (!call.usesDatabase)
      own.push({
        name: `${call.name}: two / one, of two cores`,
        value: (2 * perCall(results.one, 'sanad')) / perCall(results.two, 'sanad'),
        unit: '',
        least: bar.computed,
      })
    for (const fact of own) bench.print(`  ${factText(fact)}`)
    facts.push(...own)
  }
  await one.service.stop()
  await two.service.stop()
  return {
    title: 'Two processes of one machine',
    note: 'Compared with one process. The load generator runs on the same cores; `of two cores` is computed from processor time.',
    lines,
    facts,
  }
}
