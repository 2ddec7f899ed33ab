/**
 * How fast lists, filters, counts and search are right after one account has created 30,000 intents, compared with before: the same
 * service, the same requests, one run. Nothing is vacuumed in between.
 */
import { join } from 'node:path'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import { watchProcessors } from '../harness/cpu-shares.ts'
import { type Load, runLoad } from '../harness/load.ts'
import type { Bench } from '../harness/options.ts'
import { temporaryFolder } from '../harness/processes.ts'
import { type Line, lineText, type Section } from '../harness/report.ts'
import { inRounds, type Result, type Runner } from '../harness/rounds.ts'
import { type ServiceProcess, startService } from '../harness/service-process.ts'
import { seed } from '../rows/seed.ts'
import { vacuumRows } from '../rows/vacuum-rows.ts'

const api = '/api/v1/merchant/intents/'
const startWith = 10_000
const burst = 30_000
const warmUp_s = 4
const creating_s = 5
const bar = { least: 0.5 }

const connectionCounts = [4, 32] as const

const loadsOf = async ({ db, merchant }: ServiceProcess): Promise<Readonly<Record<string, Load>>> => {
  const found = await db.run({
    text: `select reference from intents where account_id = $1 and created_by = 'seed' and reference <> '' limit 20`,
    values: [merchant.accountId],
  })
  const yesterday = new Date(systemClock.now() - 86_400_000).toISOString().slice(0, 10)
  const get = (lines: readonly string[]): Load => ({ kind: 'get', lines: lines.map((line) => `${api}${line}`) })
  return {
    list: get(['']),
    filter: get([
      '?status=PENDING',
      '?status=VERIFIED',
      '?status=EXPIRED',
      `?wallet=${merchant.demo.wallets.main}`,
      `?created_after=${yesterday}T00:00:00Z`,
    ]),
    count: get(['?page_size=1', '?status=PENDING&page_size=1']),
    search: get(found.map(([reference]) => `?search=${reference}`)),
    'short search': get(found.map(([reference]) => `?search=${reference!.slice(0, 3)}`)),
  }
}

export const measureBurst = async (bench: Bench): Promise<Section> => {
  const folder = await temporaryFolder()
  const service = await startService(join(folder, 'data'))
  const { db, merchant } = service
  const target = { origin: service.origin, token: merchant.token }
  const tools = { ...bench.tools, folder }
  await seed(db, merchant, bench.small ? 500 : startWith)
  await vacuumRows(db)
  const loads = await loadsOf(service)

  const measure = async (): Promise<Map<string, Result>> => {
    const results = new Map<string, Result>()
    for (const connections of bench.small ? [4] : connectionCounts) {
      const runner =
        (load: Load): Runner =>
        async () => {
          const watched = watchProcessors(service.pid, service.postmasterPid)
          const figures = await runLoad(tools, target, load, connections, bench.seconds)
          return { ...figures, shares: watched() }
        }
      const runners = Object.fromEntries(Object.entries(loads).map(([name, load]) => [name, runner(load)]))
      for (const [name, result] of Object.entries(await inRounds(bench.rounds, runners)))
        results.set(`${name} ${connections}`, result)
    }
    return results
  }

  for (const load of Object.values(loads)) await runLoad(tools, target, load, 32, bench.small ? 1 : warmUp_s)
  const before = await measure()

  const body = JSON.stringify({ wallet: merchant.demo.wallets.main, amount: '1500.00', external_order_id: 'ORDER' })
  const create: Load = { kind: 'create', lines: [api, body] }
  let created = 0
  const enough = bench.small ? 100 : burst
  while (created < enough) created += (await runLoad(tools, target, create, 32, bench.small ? 1 : creating_s)).requests
  bench.print(`${created} intents created`)
  const after = await measure()

  const lines = [...after].map(([key, result]): Line => {
    const [, name, connections] = /^(.*) (\d+)$/.exec(key)!
    return {
      name: name!,
      connections: Number(connections),
      result,
      ratioOf: 'rate',
      baseline: { name: 'before', result: before.get(key)! },
      bar,
    }
  })
  for (const line of lines) bench.print(`${line.name}, ${line.connections} connections\n${lineText(line)}`)
  await service.stop()
  return {
    title: 'Right after a burst',
    note:
      `Requests a second of lists right after ${burst.toLocaleString('en')} creates in one account, compared with the same requests before them.` +
      '\nfilter: by status, wallet or time. count: pages of one intent. short search: the first three digits of a reference.',
    lines,
  }
}
