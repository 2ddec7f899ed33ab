/**
 * The dashboard's API with a million intents in one account and a long queue: the time of the usual queries; the delay
 * of the live stream until ten clients have received a new intent; and the account as CSV, with the time of its first
 * byte and the service's memory.
 * `node bench/dashboard.ts [intents] [--keep DIR]`. No time limits; it fails when an answer is not 200, the CSV is not
 * complete, or memory grows with it.
 */
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { memory_mb } from './harness/memory.ts'
import { cleanUp, temporaryFolder } from './harness/processes.ts'
import { startService } from './harness/service-process.ts'
import { insertQueue } from './rows/queue.ts'
import { seed } from './rows/seed.ts'

const { positionals, values: options } = parseArgs({
  options: { keep: { type: 'string' } },
  allowPositionals: true,
})
const total = Number(positionals[0] ?? 1_000_000)
const queued = Math.round(total / 20)
const times = 15
/** The most streams that one user may have open. */
const clients = 10
/** After this time a hint counts as lost. */
const receivedWithin_ms = 10_000
/** How much the service's memory may grow while it streams a CSV of any length. */
const mostGrowth_mb = 200

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const folder = options.keep === undefined ? await temporaryFolder() : resolve(options.keep)
await mkdir(join(folder, 'data'), { recursive: true })
const service = await startService(join(folder, 'data'))
let failures = 0
try {
  const { merchant, origin, pid, db } = service
  await seed(db, merchant, total)
  await insertQueue(service, queued)
  await db.run({ text: 'vacuum analyze alerts', values: [] })
  const headers = { authorization: `Bearer ${merchant.demo.dashboard.user_token}` }
  const closeStreams = new AbortController()
  const get = (path: string, signal?: AbortSignal) =>
    fetch(`${origin}/api/v1/dashboard${path}`, { headers, ...(signal && { signal }) })
  const [row] = await db.run({
    text: `select id, external_order_id, code from intents where account_id = $1 and status = 'EXPIRED' order by id limit 1`,
    values: [merchant.accountId],
  })
  const queries = {
    'list, page 1': '/intents/',
    'list, one wallet, expired': `/intents/?wallet=${merchant.demo.wallets.main}&status=EXPIRED`,
    'list, search': `/intents/?search=${row![2]}`,
    'one intent with near alerts': `/intents/${row![0]}/`,
    'the queue with likely intents': '/unmatched/',
    'the queue, counted': '/unmatched/counts/',
    overview: '/overview/',
    'charts of 92 days': '/overview/charts/?days=92',
    'day close': `/day-close/?wallet=${merchant.demo.wallets.main}`,
    'audit log': '/audit/',
  }
  print(`${total.toLocaleString('en')} intents in one account, ${queued.toLocaleString('en')} alerts in its queue`)
  for (const [name, path] of Object.entries(queries)) {
    const took: number[] = []
    for (let i = 0; i < times; i++) {
      const began = performance.now()
      const answer = await get(path)
      await answer.arrayBuffer()
      took.push(performance.now() - began)
      if (answer.status !== 200) {
        failures++
        print(`${name}: ${answer.status}`)
      }
    }
    took.sort((a, b) => a - b)
    print(`${name.padEnd(36)} p50 ${took[times >> 1]!.toFixed(1)} ms, slowest ${took.at(-1)!.toFixed(1)} ms`)
  }
  const streams = await Promise.all(
    Array.from({ length: clients }, async () => {
      const { status, body } = await get('/stream/', closeStreams.signal)
      if (status !== 200) throw new Error(`the stream answered ${status}`)
      const received = { text: '' }
      const read = async (): Promise<void> => {
        for await (const chunk of body!) received.text += Buffer.from(chunk).toString('latin1')
      }
      // The request ends with an error, because it is aborted at the end.
      void read().catch(() => {})
      return received
    }),
  )
  const waited: number[] = []
  for (let i = 0; i < times; i++) {
    const created = await fetch(`${origin}/api/v1/merchant/intents/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${merchant.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ wallet: merchant.demo.wallets.main, amount: '1500.00' }),
    })
    const { id } = (await created.json()) as { id: string }
    const began = performance.now()
    while (!streams.every(({ text }) => text.includes(id)) && performance.now() - began < receivedWithin_ms)
      await delay(1)
    waited.push(performance.now() - began)
  }
  waited.sort((a, b) => a - b)
  if (waited.at(-1)! >= receivedWithin_ms) failures++
  print(
    `${'stream, received by all ten'.padEnd(36)} p50 ${waited[times >> 1]!.toFixed(1)} ms, slowest ${waited.at(-1)!.toFixed(1)} ms`,
  )
  closeStreams.abort()
  const before = memory_mb(pid)
  const began = performance.now()
  const answer = await get('/intents/csv/')
  let first_ms = 0
  let lines = 0
  let bytes = 0
  let peak = before
  for await (const chunk of answer.body!) {
    first_ms ||= performance.now() - began
    bytes += chunk.length
    for (const byte of chunk) if (byte === 10) lines++
    if (bytes % 50 === 0) peak = Math.max(peak, memory_mb(pid))
  }
  peak = Math.max(peak, memory_mb(pid))
  const seconds = (performance.now() - began) / 1000
  print(
    `CSV: first byte after ${first_ms.toFixed(0)} ms; ${lines.toLocaleString('en')} lines in ${seconds.toFixed(1)} s`,
  )
  print(`memory of the service: ${before.toFixed(0)} MB before, at most ${peak.toFixed(0)} MB while it streamed`)
  if (lines < total || peak - before > mostGrowth_mb) failures++
} finally {
  await service.stop()
  await cleanUp()
}
print(failures === 0 ? 'ok' : `${failures} failures`)
process.exitCode = failures === 0 ? 0 : 1
