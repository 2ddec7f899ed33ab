/**
 * Measures the service's memory during ten minutes of mixed load: creating, patching, retrieving, listing and searching intents,
 * alerts that verify them, and webhooks. The bar: after ten minutes at most 1.1 times the memory after one minute. `npm run soak
 * [-- --minutes N]`. A refused or broken request is an error.
 */
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../packages/server/src/core/clock.ts'
import { phone } from '../packages/server/test/support/phone.ts'
import { findTools } from './harness/find-tools.ts'
import { type Load, runLoad } from './harness/load.ts'
import { memory_mb } from './harness/memory.ts'
import { cleanUp, stop, temporaryFolder } from './harness/processes.ts'
import { median } from './harness/rounds.ts'
import { startProgram, startService } from './harness/service-process.ts'
import { referencedPool, referenceOf, reportOf } from './rows/alert-pool.ts'
import { makeOpen, seed } from './rows/seed.ts'
import { addEndpoint } from './rows/webhook-shops.ts'

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } })
const minutes = Number(values.minutes)
if (!Number.isInteger(minutes) || minutes < 2) throw new Error('--minutes must be a whole number from 2 on.')
const mostGrowth = 1.1
const api = '/api/v1/merchant/intents/'
const connections = 8
const turn_s = 3

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const folder = await temporaryFolder()
const tools = { ...(await findTools()), folder }
const service = await startService(join(folder, 'data'), { SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
const receiver = await startProgram(
  [join(import.meta.dirname, 'measures/webhook-receiver.ts'), '1'],
  {},
  join(folder, 'receiver.log'),
)
const { db, merchant, pid } = service
await seed(db, merchant, 10_000)
const { ports } = (await (await fetch(`${receiver.origin}/`)).json()) as { ports: number[] }
await addEndpoint(service, merchant.accountId, `http://127.0.0.1:${ports[0]}/ok`)
const rows = await db.run({
  text: 'select id, code from intents where account_id = $1 order by md5(code) limit 1000',
  values: [merchant.accountId],
})
const handset = phone(service.origin, systemClock.now, merchant.demo.device)

const alerts = async (): Promise<void> => {
  const count = 300
  const pool = await referencedPool(service, count)
  for (let from = 0; from < count; from += 50) {
    const batch = Array.from({ length: 50 }, (_, n) => reportOf(referenceOf(pool, from + n)))
    const { status, text } = await handset.alerts(batch)
    if (status !== 200) throw new Error(`${status}: ${text}`)
  }
}

const body = JSON.stringify({ wallet: merchant.demo.wallets.main, amount: '1500.00', external_order_id: 'ORDER' })
const load = async (requestLoad: Load): Promise<number> => {
  const target = { origin: service.origin, token: merchant.token }
  return (await runLoad(tools, target, requestLoad, connections, turn_s)).requests
}
const turns: (() => Promise<number>)[] = [
  () => load({ kind: 'create', lines: [api, body] }),
  () => load({ kind: 'get', lines: [api, ...rows.map(([id]) => `${api}${id}/`)] }),
  async () => {
    const { ids } = await makeOpen(db, merchant, 2_000 * (turn_s + 1), systemClock.now())
    return load({ kind: 'patch', lines: ids.map((id) => `${api}${id}/`) })
  },
  () => load({ kind: 'get', lines: rows.map(([, code]) => `${api}?search=${code}`) }),
  async () => {
    await alerts()
    return 300
  },
]

const began = performance.now()
const minutesNow = (): number => (performance.now() - began) / 60_000
const samples: { readonly at: number; readonly mb: number }[] = []
const sampler = setInterval(() => samples.push({ at: minutesNow(), mb: memory_mb(pid) }), 500)
let requests = 0
let printedMinutes = 0
for (let n = 0; minutesNow() < minutes; n++) {
  requests += await turns[n % turns.length]!()
  if (minutesNow() >= printedMinutes + 1) {
    printedMinutes = Math.floor(minutesNow())
    print(`minute ${printedMinutes}: ${requests.toLocaleString('en')} requests, ${memory_mb(pid).toFixed(0)} MB`)
  }
}
clearInterval(sampler)
// The median over half a minute, so that a recent garbage collection does not matter.
const memoryAt = (minute: number): number => {
  const values_mb = samples.filter(({ at }) => at > minute - 0.5 && at <= minute).map(({ mb }) => mb)
  return median(values_mb)
}
const [first, last] = [memoryAt(1), memoryAt(minutes)]
const ratio = last / first
const verdict = ratio <= mostGrowth ? 'ok' : 'MISSED'
print(
  `after one minute ${first.toFixed(0)} MB, after ${minutes} ${last.toFixed(0)} MB: ${ratio.toFixed(2)}, bar ${mostGrowth}, ${verdict}`,
)
await service.stop()
await stop(receiver.child)
await cleanUp()
process.exitCode = ratio <= mostGrowth ? 0 : 1
