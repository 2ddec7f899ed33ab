/**
 * What a grown database costs: every call that a screen or a merchant makes, and the background jobs, with a million intents (`--large`:
 * ten million) compared with ten thousand. Each database has its own service; calls are made in turn to both, over one connection.
 * `--keep DIR` keeps the databases, `--prepare` only makes them, `--draw FILE` draws the figures.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import { type Caller, openCaller } from '../harness/call.ts'
import type { Bench } from '../harness/options.ts'
import { temporaryFolder } from '../harness/processes.ts'
import { type Fact, factText, type Section } from '../harness/report.ts'
import { type ServiceProcess, startService } from '../harness/service-process.ts'
import { seedGrown } from '../rows/grown/seed-grown.ts'
import { shapeOf } from '../rows/grown/shape.ts'
import { makeOpen } from '../rows/seed.ts'
import { alternate, type Compared } from './growth/alternate.ts'
import { type Drawn, drawGrowth } from './growth/draw-growth.ts'
import { reasonFor } from './growth/explained.ts'
import { jobPool, jobsOf } from './growth/jobs.ts'
import { measureOnePayment } from './growth/one-payment.ts'
import { readCalls } from './growth/read-calls.ts'
import { takeSamples } from './growth/samples.ts'
import { writeCalls } from './growth/write-calls.ts'

const bar = 1.5
/** A difference below this is that of the machine and of the network, whatever the ratio. */
const slack_ms = 0.3

/** The service without background loops, whose jobs the benchmark runs, and without limits: one caller makes all calls. */
const open = async (bench: Bench, total: number): Promise<ServiceProcess> => {
  const folder = bench.keep === undefined ? await temporaryFolder() : resolve(bench.keep, String(total))
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const dataDir = join(folder, 'data')
  const role = { SANAD_ROLE: 'serve', SANAD_LIMITS: 'off' }
  const seeded = join(folder, 'seeded')
  if (!existsSync(seeded)) {
    const first = await startService(dataDir, role)
    await first.stop()
    await seedGrown(dataDir, first.merchant, shapeOf(total))
    writeFileSync(seeded, `${total}\n`)
  }
  const service = await startService(dataDir, role)
  await makeOpen(service.db, service.merchant, bench.small ? 10 : 100, systemClock.now())
  return service
}

const ask = async (caller: Caller, service: ServiceProcess, path: string, token?: string): Promise<void> => {
  const { status, text } = await caller.call(`${service.origin}${path}`, token === undefined ? {} : { token })
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${text.slice(0, 300)}`)
}

export const measureScale = async (bench: Bench): Promise<Section> => {
  const sizes = bench.small ? ([500, 2_000] as const) : ([10_000, bench.large] as const)
  const [few, many] = [await open(bench, sizes[0]), await open(bench, sizes[1])]
  if (bench.prepareOnly) {
    await Promise.all([few.stop(), many.stop()])
    return { title: 'Scale', note: 'The databases are made; nothing was measured.', lines: [] }
  }
  const limits = { seconds: bench.seconds / 2, most: bench.small ? 3 : 1_000, least: bench.small ? 2 : 20 }
  const warmUp = bench.small ? 1 : 10
  const callers = { few: openCaller(1), many: openCaller(1) }
  const drawn: Drawn[] = []
  const isNamed = (name: string): boolean => bench.named === undefined || new RegExp(bench.named).test(name)
  const record = (group: Drawn['group'], name: string, compared: Compared): void => {
    drawn.push({ group, name, ...compared, reason: reasonFor(name) })
    const { few: a, many: b } = compared
    const ratio = (x: number, y: number): string => (y / x).toFixed(2)
    bench.print(
      `  ${name}: p50 ${b.p50_ms.toFixed(2)} ms, ${ratio(a.p50_ms, b.p50_ms)} of ${a.p50_ms.toFixed(2)}; p99 ${b.p99_ms.toFixed(1)} ms, ${ratio(a.p99_ms, b.p99_ms)}`,
    )
  }

  bench.print('scale: reads')
  const [ofFew, ofMany] = [readCalls(few, await takeSamples(few)), readCalls(many, await takeSamples(many))]
  for (const [i, { name, group, paths, token }] of ofMany.entries()) {
    if (!isNamed(name)) continue
    const other = ofFew[i]!
    const compared = await alternate(
      {
        few: (n) => ask(callers.few, few, other.paths[n % other.paths.length]!, other.token),
        many: (n) => ask(callers.many, many, paths[n % paths.length]!, token),
      },
      limits,
      warmUp,
    )
    record(group, name, compared)
  }

  bench.print('scale: writes')
  for (const { name, prepare } of writeCalls) {
    if (!isNamed(name)) continue
    const makers = { few: await prepare(few, limits.most), many: await prepare(many, limits.most) }
    const send =
      (side: 'few' | 'many') =>
      async (n: number): Promise<void> => {
        const { path, status, ...asked } = makers[side](n)
        const answer = await callers[side].call(`${(side === 'few' ? few : many).origin}${path}`, asked)
        if (answer.status !== status) throw new Error(`${name}: ${answer.status} ${answer.text.slice(0, 300)}`)
      }
    record('writes', name, await alternate({ few: send('few'), many: send('many') }, limits, warmUp))
  }

  bench.print('scale: jobs')
  const pools = { few: jobPool(few), many: jobPool(many) }
  const jobs = { few: jobsOf(few), many: jobsOf(many) }
  for (const [i, { name, run, prepare }] of jobs.many.entries()) {
    if (!isNamed(name)) continue
    const before = {
      few: async () => jobs.few[i]!.prepare?.(few),
      many: async () => prepare?.(many),
    }
    const sides = { few: () => jobs.few[i]!.run(pools.few), many: () => run(pools.many) }
    record('jobs', name, await alternate(sides, { ...limits, most: 40, least: limits.least / 2 }, 2, before))
  }
  await Promise.all([pools.few.close(), pools.many.close(), callers.few.close(), callers.many.close()])
  const bytesOfIntent = await many.db.run({
    text: `select pg_database_size(current_database())::float8 / (select sum(total) from
             (select distinct on (account_id, wallet_id, status) total from intent_tallies
               order by account_id, wallet_id, status, until desc) as t)`,
    values: [],
  })
  await Promise.all([few.stop(), many.stop()])

  bench.print('scale: one payment')
  const facts: Fact[] = [
    ...drawn.flatMap(factsOf(sizes[1], sizes[0])),
    { name: 'disk of the large database, for each intent', value: Number(bytesOfIntent[0]![0]), unit: 'bytes' },
    ...(await measureOnePayment(bench.small ? 20 : 1_000)),
  ]
  for (const fact of facts.slice(-6)) bench.print(`  ${factText(fact)}`)
  if (bench.draw !== undefined) writeFileSync(bench.draw, drawGrowth(drawn, sizes, bar))
  return {
    title: 'Scale',
    note:
      `The time of an answer with ${sizes[1].toLocaleString('en')} intents of many accounts, compared with ${sizes[0].toLocaleString('en')}. What is explained has no bar:\n` +
      drawn.flatMap(({ name, reason }) => (reason === undefined ? [] : [`- ${name}: ${reason}`])).join('\n'),
    lines: [],
    facts,
  }
}

const factsOf =
  (large: number, small: number) =>
  ({ name, few, many, reason }: Drawn): Fact[] => {
    const isBarred = reason === undefined && many.p50_ms - few.p50_ms > slack_ms
    const of = `at ${large.toLocaleString('en')} of ${small.toLocaleString('en')}`
    return [
      { name: `${name}, p50 ${of}`, value: many.p50_ms / few.p50_ms, unit: '', ...(isBarred ? { most: bar } : {}) },
      { name: `${name}, p99 ${of}`, value: many.p99_ms / few.p99_ms, unit: '' },
    ]
  }
