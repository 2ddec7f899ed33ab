/**
 * What following requests costs while traces are off: the processor time of the hooks that follow a request, measured in turns with and
 * without them in one process, as a part of what a whole request costs the service (retrieving an intent, one connection after the
 * other). Prints both and their ratio. Run: `node bench/call-context.ts`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fastify } from 'fastify'
import { followCalls, reportAnswers } from '../packages/server/src/http/app/follow-calls.ts'
import { openMetrics } from '../packages/server/src/http/metrics.ts'
import { temporaryFolder } from './harness/processes.ts'
import { startService } from './harness/service-process.ts'

const rounds = 30
const calls = 2_000
const log = { info: () => {} }

/** A route that waits a few times, as a request that asks the database does. */
const serverWith = async (follows: boolean) => {
  const app = fastify({ logger: false })
  const metrics = openMetrics()
  if (follows) {
    followCalls(app, undefined)
    reportAnswers(app, log, metrics)
  } else
    app.addHook('onResponse', (request, reply, done) => {
      metrics.answered(request.method, request.routeOptions.url ?? '', reply.statusCode, reply.elapsedTime)
      log.info()
      done()
    })
  app.get('/x', async () => {
    let sum = 0
    for (let i = 0; i < 20; i++) sum += await new Promise<number>((done) => setImmediate(done, i))
    return { sum }
  })
  await app.ready()
  return app
}

const apps = { with: await serverWith(true), without: await serverWith(false) }
/** Microseconds of processor a call. */
const measure = async (app: Awaited<ReturnType<typeof serverWith>>): Promise<number> => {
  const before = process.cpuUsage()
  for (let i = 0; i < calls / 50; i++)
    await Promise.all(Array.from({ length: 50 }, () => app.inject({ method: 'GET', url: '/x' })))
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}
const middleOf = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const costs: number[] = []
for (let round = 0; round < rounds; round++) {
  const first = round % 2 === 0
  const one = await measure(first ? apps.with : apps.without)
  const two = await measure(first ? apps.without : apps.with)
  if (round >= 4) costs.push(first ? one - two : two - one)
}

const service = await startService(join(await temporaryFolder(), 'data'))
/** Processor time of the process, in ticks of 10 ms. */
const ticks = (): number => {
  const fields = readFileSync(`/proc/${service.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return Number(fields[11]) + Number(fields[12])
}
const headers = { authorization: `Bearer ${service.merchant.token}`, 'content-type': 'application/json' }
const base = `${service.origin}/api/v1/merchant`
const body = JSON.stringify({ wallet: service.merchant.demo.wallets.main, amount: '1500.00' })
const { id } = (await (await fetch(`${base}/intents/`, { method: 'POST', headers, body })).json()) as { id: string }
const retrieve = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await (await fetch(`${base}/intents/${id}/`, { headers })).arrayBuffer()
}
await retrieve(2_000)
const before = ticks()
await retrieve(4_000)
const whole_us = ((ticks() - before) * 10_000) / 4_000
await service.stop()
const own_us = Math.max(0, middleOf(costs))
process.stdout.write(
  `Following a request, traces off: ${own_us.toFixed(1)} us of the ${whole_us.toFixed(0)} us of a retrieve: ${((own_us / whole_us) * 100).toFixed(1)} %.\n`,
)
process.exit(0)
