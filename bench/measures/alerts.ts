/**
 * How fast alerts are matched: by the native protocol until VERIFIED is committed, one per request and a hundred per
 * request; and a PATCH that finds its alert.
 */
import { join } from 'node:path'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import { alertBaseline, referenceBaseline } from '../baselines/alert-baselines.ts'
import { runBaseline } from '../baselines/run-baseline.ts'
import { watchProcessors } from '../harness/cpu-shares.ts'
import { runLoad } from '../harness/load.ts'
import type { Bench } from '../harness/options.ts'
import { temporaryFolder } from '../harness/processes.ts'
import { type Line, lineText, type Section } from '../harness/report.ts'
import { inRounds, type Measured, type Runner } from '../harness/rounds.ts'
import { startService } from '../harness/service-process.ts'
import { type AlertPool, alertedPool, paymentText, referencedPool, referenceOf } from '../rows/alert-pool.ts'
import { makeOpen, seed } from '../rows/seed.ts'
import { vacuumRows } from '../rows/vacuum-rows.ts'
import { signedRequests } from './signed-requests.ts'

const api = '/api/v1/merchant/intents/'
const startWith = 10_000
const warmUp_s = 1
/** Before the first measurement: until the JIT has compiled the code. */
const firstWarmUp_s = 5

export const measureAlerts = async (bench: Bench): Promise<Section> => {
  const folder = await temporaryFolder()
  const service = await startService(join(folder, 'data'))
  const { db, merchant } = service
  const tools = { ...bench.tools, folder }
  await seed(db, merchant, bench.small ? 500 : startWith)
  const target = { origin: service.origin, token: merchant.token }
  // What is prepared is enough for this much more than the run takes.
  const spare_s = bench.small ? 0 : 1
  const verified = async (pool: AlertPool): Promise<number> => {
    const [row] = await db.run({
      text: `select count(*) from intents where account_id = $1 and status = 'VERIFIED' and id between $2 and $3`,
      values: [merchant.accountId, pool.ids[0], pool.ids.at(-1)],
    })
    return Number(row![0])
  }

  const send = async (connections: number, each: number, seconds: number, watch: boolean): Promise<Measured> => {
    const pool = await referencedPool(service, Math.round((each === 1 ? 6000 : 12_000) * (seconds + spare_s)))
    const load = signedRequests(service, pool, each)
    const watched = watch ? watchProcessors(service.pid, service.postmasterPid) : () => undefined
    const figures = await runLoad(tools, target, load, connections, seconds)
    const shares = watched()
    // Every alert that was answered has verified its intent, and no request was sent twice.
    const done = await verified(pool)
    if (figures.requests > load.lines.length - 1) throw new Error('there were not enough requests for the time')
    if (done < figures.requests * each || done > (figures.requests + connections) * each)
      throw new Error(`${figures.requests * each} alerts were answered, but ${done} intents are verified`)
    return { ...figures, perSecond: figures.perSecond * each, shares }
  }
  const phone =
    (connections: number, each: number): Runner =>
    async () => {
      if (!bench.small) await send(connections, each, warmUp_s, false)
      return send(connections, each, bench.seconds, true)
    }
  const alertSql =
    (connections: number): Runner =>
    async () => {
      const pool = await referencedPool(service, Math.round(5000 * (bench.seconds + spare_s)))
      const watched = watchProcessors(undefined, service.postmasterPid)
      const figures = await runBaseline(
        tools,
        service.socketDir,
        alertBaseline(service, pool, paymentText),
        connections,
        bench.seconds,
      )
      return { ...figures, shares: watched() }
    }
  const patch =
    (connections: number, finds: boolean): Runner =>
    async () => {
      const size = Math.round(5000 * (bench.seconds + spare_s))
      const pool = finds ? await alertedPool(service, size) : undefined
      const plain = pool ?? (await makeOpen(db, merchant, size, systemClock.now()))
      const lines = plain.ids.map(
        (id, n) => `${api}${id}/\t${pool === undefined ? `88${n}${plain.prefix.slice(15, 18)}` : referenceOf(pool, n)}`,
      )
      if (!finds) await vacuumRows(db)
      const watched = watchProcessors(service.pid, service.postmasterPid)
      const figures = await runLoad(tools, target, { kind: 'attach', lines }, connections, bench.seconds)
      if (figures.requests > lines.length) throw new Error('there were not enough intents for the time')
      if (pool !== undefined && (await verified(pool)) < figures.requests)
        throw new Error('a PATCH did not find its alert')
      return { ...figures, shares: watched() }
    }

  const patchSql =
    (connections: number): Runner =>
    async () => {
      const pool = await alertedPool(service, Math.round(5000 * (bench.seconds + spare_s)))
      const watched = watchProcessors(undefined, service.postmasterPid)
      const figures = await runBaseline(
        tools,
        service.socketDir,
        referenceBaseline(service, pool),
        connections,
        bench.seconds,
      )
      if ((await verified(pool)) < figures.requests)
        throw new Error('a transaction of the baseline did not find its alert')
      return { ...figures, shares: watched() }
    }

  if (!bench.small) await send(32, 1, firstWarmUp_s, false)

  const lines: Line[] = []
  const add = (line: Line): void => {
    lines.push(line)
    bench.print(lineText(line))
  }
  for (const connections of bench.small ? [4] : [4, 32]) {
    bench.print(`alerts, ${connections} connections`)
    const { single, batch, sql } = await inRounds(bench.rounds, {
      single: phone(connections, 1),
      batch: phone(connections, bench.small ? 10 : 100),
      sql: alertSql(connections),
    })
    const baseline = { name: 'pgbench', result: sql }
    add({
      name: 'alert to VERIFIED, singly',
      connections,
      result: single,
      ratioOf: 'rate',
      baseline,
      bar: { least: 0.6 },
    })
    add({
      name: 'alerts by the hundred',
      connections,
      result: batch,
      ratioOf: 'rate',
      baseline,
      bar: { least: 0.6 },
    })
    bench.print(`PATCH that finds its alert, ${connections} connections`)
    const { finds, misses, findsSql } = await inRounds(bench.rounds, {
      finds: patch(connections, true),
      misses: patch(connections, false),
      findsSql: patchSql(connections),
    })
    const name = 'PATCH that finds its alert'
    add({
      name,
      connections,
      result: finds,
      ratioOf: 'rate',
      baseline: { name: 'pgbench', result: findsSql },
      bar: { least: 0.6 },
    })
    // Without a bar: this PATCH attaches and resolves in one transaction, so it does the work of both. A faster attachment
    // would make this ratio worse.
    add({ name, connections, result: finds, ratioOf: 'p50', baseline: { name: 'PATCH that does not', result: misses } })
  }
  await service.stop()
  return {
    title: 'Alerts',
    note: 'How many a second, until VERIFIED is committed; compared with the same SQL by pgbench, one alert or one intent per transaction.',
    lines,
  }
}
