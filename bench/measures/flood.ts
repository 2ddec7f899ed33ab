/**
 * One account floods, by the limits that every service has: creates, lists and alerts far above them, and webhooks to a receiver that
 * does not answer. Its neighbours' answers take about as long as without it.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import { signatureOf } from '../../packages/server/src/http/device/signature.ts'
import type { Bench } from '../harness/options.ts'
import { type PlannedRequest, runPaced, type Stream } from '../harness/paced.ts'
import { stop, temporaryFolder } from '../harness/processes.ts'
import { type Fact, factText, type Section } from '../harness/report.ts'
import { median } from '../harness/rounds.ts'
import { type Merchant, startProgram, startService } from '../harness/service-process.ts'
import { addMerchants } from '../rows/add-merchants.ts'
import { reportOf } from '../rows/alert-pool.ts'
import { makeOpen, seed } from '../rows/seed.ts'
import { createRequest, listRequest, retrieveRequest } from '../rows/shop-requests.ts'
import { addEndpoint, addWaiting, type Shop } from '../rows/webhook-shops.ts'

/** A second, for each kind of call: 75 times the limit of creates, 300 times that of lists, 10 times that of a phone. */
const floods = { creates: 300, lists: 300, alerts: 100 } as const
const waitingEach = 5_000
const warmUp_s = 3
const mostRatio = 1.5
const alertPath = '/api/v1/device/alerts'

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
  const { db } = service
  await seed(db, service.merchant, bench.small ? 500 : 10_000)
  const neighbours = await addMerchants(service, bench.small ? 2 : 12)
  for (const { accountId } of neighbours) await addEndpoint(service, accountId, `http://127.0.0.1:${ports[0]}/ok`)
  const { demo, accountId } = service.merchant
  const endpoints: string[] = []
  for (const port of ports.slice(1))
    endpoints.push(await addEndpoint(service, accountId, `http://127.0.0.1:${port}/after/14000`))
  const slow: Shop = { account: accountId, wallet: demo.wallets.main, endpoints }
  await addWaiting(service, [slow], bench.small ? 100 : waitingEach)
  await db.run({ text: 'vacuum analyze', values: [] })

  const ofNeighbour = async (merchant: Merchant): Promise<Stream> => {
    const { ids } = await makeOpen(db, merchant, 20, systemClock.now())
    const retrieve = (n: number): PlannedRequest => retrieveRequest(merchant, ids[n]!)
    // Below the limits: one list, two creates and three retrieves in two seconds.
    return {
      name: 'neighbour',
      perSecond: 3,
      connections: 4,
      requests: [
        createRequest(merchant),
        retrieve(0),
        listRequest(merchant),
        retrieve(1),
        createRequest(merchant),
        retrieve(2),
      ],
    }
  }
  const quiet = await Promise.all(neighbours.map(ofNeighbour))
  const signed = (count: number): PlannedRequest[] =>
    Array.from({ length: count }, (_, n) => {
      const body = JSON.stringify({ alerts: [reportOf(`9${randomUUID().slice(0, 8)}${n}`)] })
      const [requestId, timestamp] = [randomUUID(), String(Math.floor(systemClock.now() / 1000))]
      const what = {
        method: 'POST',
        path: alertPath,
        device: demo.device.id,
        requestId,
        timestamp,
        body: Buffer.from(body),
      }
      const headers = {
        'content-type': 'application/json',
        'x-service-device': demo.device.id,
        'x-service-request-id': requestId,
        'x-service-timestamp': timestamp,
        'x-service-device-signature': signatureOf(demo.device.secret, what),
      }
      return { method: 'POST', path: alertPath, headers, body }
    })
  const seconds = bench.seconds * 3
  const flood = (): Stream[] => [
    { name: 'creates', perSecond: floods.creates, connections: 32, requests: [createRequest(service.merchant)] },
    { name: 'lists', perSecond: floods.lists, connections: 32, requests: [listRequest(service.merchant)] },
    {
      name: 'alerts',
      perSecond: floods.alerts,
      connections: 32,
      requests: signed(floods.alerts * (seconds + warmUp_s + 1)),
    },
  ]
  const run = async (streams: readonly Stream[]): Promise<{ readonly p50: number; readonly p99: number }> => {
    const results = await runPaced(folder, { origin: service.origin, warmUp_s, seconds, streams })
    const own = results.filter(({ name }) => name === 'neighbour')
    const failed = own.filter(({ answered, accepted }) => answered !== accepted)
    if (failed.length > 0) throw new Error(`a neighbour was refused: ${JSON.stringify(failed)}`)
    for (const { name, statuses } of results.filter(({ name }) => name !== 'neighbour'))
      bench.print(`  ${name}: ${JSON.stringify(statuses)}`)
    return { p50: median(own.map((one) => one.accepted_p50_ms)), p99: median(own.map((one) => one.accepted_p99_ms)) }
  }
  const rounds: { readonly alone: number; readonly beside: number }[] = []
  for (let round = 0; round < bench.rounds; round++) {
    bench.print(`flood: round ${round + 1}`)
    const alone = await run(quiet)
    const beside = await run([...quiet, ...flood()])
    rounds.push({ alone: alone.p99, beside: beside.p99 })
  }
  const alone = median(rounds.map((one) => one.alone))
  const beside = median(rounds.map((one) => one.beside))
  const facts: Fact[] = [
    { name: 'neighbours alone, p99', value: alone, unit: 'ms' },
    { name: 'neighbours beside the flood, p99', value: beside, unit: 'ms' },
    {
      name: 'beside / alone',
      value: median(rounds.map((one) => one.beside / one.alone)),
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
      `${neighbours.length} merchants with 3 calls a second each, alone and beside one that sends ${floods.creates} creates, ${floods.lists} lists and ${floods.alerts} alerts a` +
      `\nsecond, with webhooks waiting for receivers that take 14 s. The limits are the usual ones.`,
    lines: [],
    facts,
  }
}
