/**
 * One account floods, by the limits that every service has: creates, lists and alerts far above them, and webhooks to receivers that
 * answer late or not at all. Its neighbours' answers take about as long as without it. Neighbours and flood are sent by programs of their
 * own, and the service is warm: what is measured is the service, as far as the processors suffice for all of them.
 */
import { join } from 'node:path'
import { idleLimit, type Shares, sharesText, waitForIdle, watchProcessors } from '../harness/cpu-shares.ts'
import type { Bench } from '../harness/options.ts'
import { runPaced, type StreamResult } from '../harness/paced.ts'
import { stop, temporaryFolder } from '../harness/processes.ts'
import { type Fact, factText, type Section } from '../harness/report.ts'
import { median } from '../harness/rounds.ts'
import { startProgram, startService } from '../harness/service-process.ts'
import { addMerchants } from '../rows/add-merchants.ts'
import {
  floodStreams,
  floods,
  neighbourOf,
  neighbourStream,
  ofNeighbour_s,
  warmingStream,
} from '../rows/flood-requests.ts'
import { seed } from '../rows/seed.ts'
import { addEndpoint, addWaiting, type Shop, setEnabled } from '../rows/webhook-shops.ts'

const waitingEach = 5_000
const warmUp_s = 3
/** The flood goes on until the last answer to a neighbour. */
const longer_s = 2
const mostRatio = 1.5
const mostTries = 2

type Run = { readonly own: StreamResult; readonly flood: readonly StreamResult[]; readonly shares: Shares | undefined }

export const measureFlood = async (bench: Bench): Promise<Section> => {
  const folder = await temporaryFolder()
  const service = await startService(join(folder, 'data'), {
    SANAD_LIMITS: '{}',
    SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  })
  const receiver = await startProgram(
    [join(import.meta.dirname, 'webhook-receiver.ts'), '5'],
    {},
    join(folder, 'receiver.log'),
  )
  const { ports } = (await (await fetch(`${receiver.origin}/`)).json()) as { ports: number[] }
  const { db, origin } = service
  await seed(db, service.merchant, bench.small ? 500 : 10_000)
  const merchants = await addMerchants(service, bench.small ? 2 : 12)
  for (const { accountId } of merchants) await addEndpoint(service, accountId, `http://127.0.0.1:${ports[0]}/ok`)
  const neighbours = await Promise.all(merchants.map((merchant) => neighbourOf(db, merchant)))
  const warming = await addMerchants(service, bench.small ? 1 : 8)

  const { demo, accountId } = service.merchant
  const endpoints: string[] = []
  // Two that answer within the time of a call, two that do not.
  for (const [n, port] of ports.slice(1).entries())
    endpoints.push(await addEndpoint(service, accountId, `http://127.0.0.1:${port}/after/${n < 2 ? 3_000 : 14_000}`))
  const slow: Shop = { account: accountId, wallet: demo.wallets.main, endpoints }
  await setEnabled(service, endpoints, false)
  await addWaiting(service, [slow], bench.small ? 100 : waitingEach)
  await db.run({ text: 'vacuum analyze', values: [] })

  const seconds = bench.small ? 2 : bench.seconds * 5
  const all_s = warmUp_s + seconds + longer_s
  const warming_s = bench.small ? 1 : 6
  await runPaced(folder, { origin, warmUp_s: 0, seconds: warming_s, streams: [warmingStream(warming)] })
  await service.asAdmin('checkpoint')

  const measureOnce = async (flooding: boolean): Promise<Run> => {
    await waitForIdle()
    const own = neighbourStream(neighbours, all_s)
    const others = flooding ? floodStreams(service.merchant, all_s) : []
    await setEnabled(service, endpoints, flooding)
    const endShares = watchProcessors(service.pid, service.postmasterPid)
    const [[result], flood] = await Promise.all([
      runPaced(folder, { origin, warmUp_s, seconds, streams: [own] }),
      others.length === 0 ? [] : runPaced(folder, { origin, warmUp_s, seconds: seconds + longer_s, streams: others }),
    ])
    const shares = endShares()
    await setEnabled(service, endpoints, false)
    if (result!.answered !== result!.accepted)
      throw new Error(`a neighbour was refused: ${JSON.stringify(result!.statuses)}`)
    return { own: result!, flood, shares }
  }
  /** Again, if other programs were busy; the less disturbed run counts. */
  const measure = async (flooding: boolean): Promise<Run> => {
    let best: Run | undefined
    for (let tries = 0; tries < (bench.small ? 1 : mostTries); tries++) {
      const run = await measureOnce(flooding)
      if (best === undefined || (run.shares?.others ?? 0) < (best.shares?.others ?? 0)) best = run
      if ((best.shares?.others ?? 0) < idleLimit) break
    }
    const { own, flood, shares } = best!
    const { accepted, accepted_p50_ms, accepted_p99_ms } = own
    bench.print(
      `  ${flooding ? 'beside the flood' : 'alone'}: ${accepted} answers, p50 ${accepted_p50_ms.toFixed(1)} ms, p99 ${accepted_p99_ms.toFixed(1)} ms; processors: ${sharesText(shares)}`,
    )
    for (const { name, statuses, refused_p99_ms } of flood)
      bench.print(`    ${name}: ${JSON.stringify(statuses)}, refused p99 ${refused_p99_ms.toFixed(1)} ms`)
    return best!
  }

  const rounds: { readonly alone: Run; readonly beside: Run }[] = []
  for (let round = 0; round < (bench.small ? 1 : bench.rounds); round++) {
    bench.print(`flood: round ${round + 1}`)
    rounds.push({ alone: await measure(false), beside: await measure(true) })
  }
  const p99 = ({ own }: Run): number => own.accepted_p99_ms
  const facts: Fact[] = [
    { name: 'neighbours alone, p99', value: median(rounds.map(({ alone }) => p99(alone))), unit: 'ms' },
    { name: 'neighbours beside the flood, p99', value: median(rounds.map(({ beside }) => p99(beside))), unit: 'ms' },
    {
      name: 'beside / alone',
      value: median(rounds.map(({ alone, beside }) => p99(beside) / p99(alone))),
      unit: '',
      most: mostRatio,
    },
  ]
  for (const fact of facts) bench.print(`  ${factText(fact)}`)
  await service.stop()
  await stop(receiver.child)
  return {
    title: 'A flood',
    note:
      `${neighbours.length} merchants with ${ofNeighbour_s} calls a second each, alone and beside one that sends ${floods.creates} creates, ${floods.lists} lists and ${floods.alerts} alerts a` +
      `\nsecond, with webhooks waiting for receivers that take 3 s and 14 s. The limits are the usual ones. ${rounds[0]!.alone.own.accepted} answers in each run.`,
    lines: [],
    facts,
  }
}
