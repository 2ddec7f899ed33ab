/**
 * A real Prometheus reads a running service every 15 seconds, for an hour, while shops, phones and strangers use it. The bar: no
 * reading fails, no series is added in the second half, and memory at the end is at most 1.1 times that after a sixth
 * of the time. `node bench/scrape.ts [--minutes N]`. Strangers send paths, methods, names, addresses and senders that never occur twice:
 * none of them may become a label.
 */
import { randomBytes, randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { systemClock } from '../packages/server/src/core/clock.ts'
import { phone } from '../packages/server/test/support/phone.ts'
import { findProgram } from '../packages/server/test/support/programs/find-program.ts'
import { freePort } from '../packages/server/test/support/servers/free-port.ts'
import { transferText } from '../packages/server/test/support/sms-texts.ts'
import { memory_mb } from './harness/memory.ts'
import { cleanUp, start, stop, temporaryFolder } from './harness/processes.ts'
import { median } from './harness/rounds.ts'
import { startProgram, startService } from './harness/service-process.ts'
import { addEndpoint } from './rows/webhook-shops.ts'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '60' } } })
const minutes = Number(values.minutes)
if (!Number.isInteger(minutes) || minutes < 3) throw new Error('--minutes must be a whole number from 3 on.')
const every_s = 15
const round_ms = 2_000
const mostGrowth = 1.1

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const prometheus = findProgram('prometheus')
const folder = await temporaryFolder()
const metricsPort = await freePort()
const service = await startService(join(folder, 'data'), {
  SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
  SANAD_METRICS_PORT: String(metricsPort),
})
const receiver = await startProgram(
  [join(import.meta.dirname, 'measures/webhook-receiver.ts'), '1'],
  {},
  join(folder, 'receiver.log'),
)
const { ports } = (await (await fetch(`${receiver.origin}/`)).json()) as { ports: number[] }
const { merchant, origin, pid } = service
await addEndpoint(service, merchant.accountId, `http://127.0.0.1:${ports[0]}/ok`)

writeFileSync(
  join(folder, 'prometheus.yml'),
  JSON.stringify({
    global: { scrape_interval: `${every_s}s`, scrape_timeout: '10s' },
    scrape_configs: [{ job_name: 'sanad', static_configs: [{ targets: [`127.0.0.1:${metricsPort}`] }] }],
  }),
)
const listen = `127.0.0.1:${await freePort()}`
const server = start(
  prometheus,
  [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'prometheus')}`,
    `--web.listen-address=${listen}`,
  ],
  { stdio: ['ignore', 'ignore', 'ignore'] },
)

/** The value of a query that has one; NaN: none yet. */
const ask = async (query: string, at = Date.now()): Promise<number> => {
  const answer = await fetch(`http://${listen}/api/v1/query?time=${at / 1_000}&query=${encodeURIComponent(query)}`)
  const { data } = (await answer.json()) as { data: { result: { value: [number, string] }[] } }
  return Number(data.result[0]?.value[1] ?? Number.NaN)
}

const word = (): string => randomBytes(6).toString('hex')
const statuses = new Map<string, number>()
const count = (what: string): void => void statuses.set(what, (statuses.get(what) ?? 0) + 1)

/** One request by Node's own client: fetch() does not send methods that do not exist. */
const send = (method: string, path: string, headers: Record<string, string> = {}, body?: string): Promise<void> =>
  new Promise((done) => {
    const sent = request(`${origin}${path}`, { method, headers }, (answer) => {
      answer.resume().once('end', () => {
        count(String(answer.statusCode))
        done()
      })
    })
    sent.once('error', () => {
      count('broken')
      done()
    })
    sent.end(body)
  })

const handset = phone(origin, systemClock.now, merchant.demo.device)
const json = { 'content-type': 'application/json', origin }
const own = { ...json, authorization: `Bearer ${merchant.token}` }
const intents = '/api/v1/merchant/intents/'
let paid = 0

/** What a shop, its phone and strangers do within one round. */
const round = async (n: number): Promise<void> => {
  const order = JSON.stringify({ wallet: merchant.demo.wallets.main, amount: '1500.00', external_order_id: word() })
  await send('POST', intents, { ...own, 'x-request-id': word() }, order)
  await send('GET', `${intents}?search=${word()}`, own)
  await send('GET', `${intents}${word()}/`, own)
  await handset.alerts([
    {
      client_id: word(),
      kind: 'sms',
      sender: n % 2 === 0 ? 'Jawali' : word(),
      text: transferText(`${randomInt(1, 9_999)}.00`, '1', word()),
      sim_slot: 'SIM1',
      received_at: new Date().toISOString(),
    },
  ])
  paid++
  if (n % 10 === 0) await handset.heartbeat()
  await send('GET', `/${word()}/${word()}?${word()}=${word()}`, { 'user-agent': word(), host: `${word()}.example` })
  await send('GET', `/api/v1/merchant/${word()}/`, own)
  await send(['PROPFIND', 'REPORT', 'TRACE', 'QUERY', 'LOCK'][n % 5]!, `/${word()}`)
  await send(
    'POST',
    '/api/v1/dashboard/session/',
    json,
    JSON.stringify({ email: `${word()}@shop.example`, password: word() }),
  )
  await send('POST', '/api/v1/merchant/token', { 'SERVICE-CLIENT-ID': word(), 'SERVICE-CLIENT-SECRET': word() })
  await send('GET', `/pay/${word()}`)
  await send('GET', intents, { authorization: `Bearer ${word()}`, traceparent: word() })
}

const began = Date.now()
const minutesNow = (): number => (Date.now() - began) / 60_000
const memory: { readonly at: number; readonly mb: number }[] = []
const sampler = setInterval(() => memory.push({ at: minutesNow(), mb: memory_mb(pid) }), 1_000)
const cpu_s = (): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
const cpuAtBegin = cpu_s()
let printed = 0
for (let n = 0; minutesNow() < minutes; n++) {
  const until = Date.now() + round_ms
  await round(n)
  if (minutesNow() >= printed + 5) {
    printed += 5
    print(`minute ${printed}: ${await ask('scrape_samples_scraped')} series, ${memory_mb(pid).toFixed(0)} MB`)
  }
  await delay(Math.max(0, until - Date.now()))
}
clearInterval(sampler)

const window = `[${minutes + 5}m]`
const readings = await ask(`count_over_time(up{job="sanad"}${window})`)
const failed = readings - (await ask(`sum_over_time(up{job="sanad"}${window})`))
const slowest = await ask(`max_over_time(scrape_duration_seconds${window})`)
const early = await ask('scrape_samples_scraped', began + (minutes / 2) * 60_000)
const late = await ask('scrape_samples_scraped')
const most = await ask(`max_over_time(scrape_samples_scraped${window})`)
const { data } = (await (await fetch(`http://${listen}/api/v1/status/tsdb`)).json()) as {
  data: { headStats: { numSeries: number } }
}
// A garbage collection a moment ago must not decide: the median over two minutes.
const memoryAt = (minute: number): number =>
  median(memory.filter(({ at }) => at > minute - 2 && at <= minute).map(({ mb }) => mb))
const [first, last] = [memoryAt(Math.max(2, minutes / 6)), memoryAt(minutes)]
print(
  `requests by status: ${[...statuses].map(([status, times]) => `${status} ${times}`).join(', ')}; messages ${paid}`,
)
print(`readings ${readings}, failed ${failed}, slowest ${(slowest * 1_000).toFixed(0)} ms`)
print(
  `series ${early} after half of the time, ${late} at the end, at most ${most}; kept by Prometheus ${data.headStats.numSeries}`,
)
print(`memory ${first.toFixed(0)} MB, then ${last.toFixed(0)} MB: ${(last / first).toFixed(2)}, bar ${mostGrowth}`)
print(`processor ${(cpu_s() - cpuAtBegin).toFixed(0)} s`)
// Prometheus adds five series of its own about each target.
const isGood = failed === 0 && most === early && data.headStats.numSeries <= most + 10 && last / first <= mostGrowth
print(isGood ? 'ok' : 'MISSED')
await stop(server)
await service.stop()
await stop(receiver.child)
await cleanUp()
process.exitCode = isGood ? 0 : 1
