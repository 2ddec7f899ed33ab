/** What the checks of a request cost: retrieve with and without the token check, and with and without rate limits. */
import { join } from 'node:path'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import { watchProcessors } from '../harness/cpu-shares.ts'
import { runLoad } from '../harness/load.ts'
import type { Bench } from '../harness/options.ts'
import { stop, temporaryFolder } from '../harness/processes.ts'
import type { Section } from '../harness/report.ts'
import { inRounds, type Runner } from '../harness/rounds.ts'
import { highLimits, startProgram, startService } from '../harness/service-process.ts'
import { makeOpen, seed } from '../rows/seed.ts'
import { vacuumRows } from '../rows/vacuum-rows.ts'

const connections = 32
const program = join(import.meta.dirname, 'request-checks-server.ts')

export const measureRequestChecks = async (bench: Bench): Promise<Section> => {
  const folder = await temporaryFolder()
  const service = await startService(join(folder, 'data'))
  const { db, merchant } = service
  const rows = bench.small ? 500 : 10_000
  await seed(db, merchant, rows)
  const pool = await makeOpen(db, merchant, rows, systemClock.now())
  await vacuumRows(db)
  const load = { kind: 'get', lines: pool.ids.map((id) => `/api/v1/merchant/intents/${id}/`) } as const

  const env = {
    DATABASE_URL: service.databaseUrl,
    SANAD_DATA_DIR: service.dataDir,
    SANAD_LIMITS: highLimits,
    LOG_LEVEL: 'info',
  }
  const servers = await Promise.all(
    ['whole', 'no-token-check', 'no-limits'].map((variant) =>
      startProgram([program, variant, merchant.demo.client_id], env, join(folder, `${variant}.log`)),
    ),
  )
  const measure =
    ({ child, origin }: (typeof servers)[number]): Runner =>
    async () => {
      const target = { origin, token: merchant.token }
      if (!bench.small) await runLoad({ ...bench.tools, folder }, target, load, connections, 1)
      const watched = watchProcessors(child.pid, service.postmasterPid)
      const figures = await runLoad({ ...bench.tools, folder }, target, load, connections, bench.seconds)
      return { ...figures, shares: watched() }
    }
  bench.print(`request checks, ${connections} connections`)
  // More rounds than elsewhere: the bar is a tenth, and the machine's noise is about as much.
  const { whole, unchecked, unlimited } = await inRounds(bench.small ? 1 : bench.rounds + 2, {
    whole: measure(servers[0]!),
    unchecked: measure(servers[1]!),
    unlimited: measure(servers[2]!),
  })
  await Promise.all(servers.map(({ child }) => stop(child)))
  await service.stop()
  const common = { connections, result: whole, ratioOf: 'rate', bar: { least: 0.9 } } as const
  return {
    title: 'Request checks',
    note: 'Retrieve with every check, compared with retrieve without one of them.',
    lines: [
      { name: 'token check', ...common, baseline: { name: 'without', result: unchecked } },
      { name: 'rate limit', ...common, baseline: { name: 'without', result: unlimited } },
    ],
  }
}
