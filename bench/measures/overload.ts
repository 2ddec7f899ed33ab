/**
 * Twice as many requests as the service can answer, of several merchants who do not wait: those that are answered take about as long as
 * usual, the others get 503 with `Retry-After` early, and the memory stays. `--minutes 10` for the long run.
 */
import { join } from 'node:path'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import { sharesText, watchProcessors } from '../harness/cpu-shares.ts'
import { memory_mb } from '../harness/memory.ts'
import type { Bench } from '../harness/options.ts'
import { runPaced, type Stream, type StreamResult } from '../harness/paced.ts'
import { temporaryFolder } from '../harness/processes.ts'
import { type Fact, factText, type Section } from '../harness/report.ts'
import { median } from '../harness/rounds.ts'
import { startService } from '../harness/service-process.ts'
import { addMerchants } from '../rows/add-merchants.ts'
import { makeOpen, seed } from '../rows/seed.ts'
import { createRequest, listRequest, retrieveRequest } from '../rows/shop-requests.ts'

const merchantsCount = 8
const connections = 512
const usualWarmUp_s = 4
/** Sustainable: four of five processors' worth of what the service answers at most. */
const sustainable = 0.8

export const measureOverload = async (bench: Bench): Promise<Section> => {
  const folder = await temporaryFolder()
  const service = await startService(join(folder, 'data'))
  const { db } = service
  await seed(db, service.merchant, bench.small ? 500 : 10_000)
  const merchants = await addMerchants(service, bench.small ? 2 : merchantsCount)
  const requests: Stream['requests'] = (
    await Promise.all(
      merchants.map(async (merchant) => {
        const { ids } = await makeOpen(db, merchant, 100, systemClock.now())
        return ids
          .slice(0, 4)
          .map((id) => [createRequest(merchant), retrieveRequest(merchant, id), listRequest(merchant)])
      }),
    )
  ).flat(2)
  const warmUp_s = bench.small ? 1 : usualWarmUp_s
  const run = async (
    what: string,
    perSecond: number | null,
    seconds: number,
    open = connections,
  ): Promise<StreamResult> => {
    const streams = [{ name: 'all', perSecond, connections: open, seed: 1, requests }]
    const endShares = watchProcessors(service.pid, service.postmasterPid)
    const result = (await runPaced(folder, { origin: service.origin, warmUp_s, seconds, streams }))[0]!
    bench.print(`  ${what}; processors: ${sharesText(endShares())}`)
    return result
  }
  const seconds = bench.small ? 2 : bench.seconds * 2
  const most = await run('as many as it answers', null, seconds, 64)
  const rate = (most.accepted / seconds) * sustainable
  bench.print(`overload: ${Math.round(rate)} a second are sustainable`)
  const normal = await run('the sustainable rate', rate, seconds)
  const samples: { readonly at: number; readonly mb: number }[] = []
  const long_s = bench.overload_s
  const began = performance.now()
  const sampler = setInterval(() => samples.push({ at: performance.now() - began, mb: memory_mb(service.pid) }), 500)
  const over = await run('twice that', 2 * rate, long_s)
  clearInterval(sampler)
  const parts = (from: number, to: number): number =>
    median(samples.filter(({ at }) => at >= from * 1000 && at <= to * 1000).map(({ mb }) => mb))
  const whole_s = warmUp_s + long_s
  const [early, late] = [parts(whole_s * 0.25, whole_s * 0.5), parts(whole_s * 0.75, whole_s)]
  bench.print(`  answers: ${JSON.stringify(over.statuses)}`)
  const facts: Fact[] = [
    { name: 'sustainable', value: rate, unit: 'requests/s' },
    { name: 'normal, p99', value: normal.accepted_p99_ms, unit: 'ms' },
    { name: 'twice that: accepted', value: over.accepted / long_s, unit: 'requests/s' },
    { name: 'twice that: accepted, p99', value: over.accepted_p99_ms, unit: 'ms' },
    { name: 'p99 of the accepted, of normal', value: over.accepted_p99_ms / normal.accepted_p99_ms, unit: '', most: 3 },
    { name: 'twice that: refused, p99', value: over.refused_p99_ms, unit: 'ms' },
    { name: 'refused without Retry-After, or broken', value: unsaid(over), unit: '', most: 0 },
    {
      name: `memory, last quarter of ${Math.round(whole_s)} s to the second`,
      value: late / early,
      unit: '',
      most: 1.1,
    },
  ]
  for (const fact of facts) bench.print(`  ${factText(fact)}`)
  await service.stop()
  return {
    title: 'Overload',
    note:
      `${merchants.length} merchants create, retrieve and list at a rate that does not wait for answers: the sustainable one (${sustainable} of the` +
      '\nmost), and twice that. The load generator runs on the same cores.',
    lines: [],
    facts,
  }
}

/** Every refusal is a 503 that says when to ask again. */
const unsaid = ({ statuses, withoutRetryAfter, unsent }: StreamResult): number =>
  Object.entries(statuses)
    .filter(([status]) => Number.isNaN(Number(status)) || (Number(status) >= 400 && status !== '503'))
    .reduce((sum, [, count]) => sum + count, withoutRetryAfter + unsent)
