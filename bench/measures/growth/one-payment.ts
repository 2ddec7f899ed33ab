/**
 * What one verified payment writes: bytes of WAL and bytes on the disk, over payments that are made by real calls, from the order to
 * the webhook that arrived.
 */
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../../packages/server/src/core/clock.ts'
import { phone } from '../../../packages/server/test/support/phone.ts'
import { inParallel, openCaller } from '../../harness/call.ts'
import { stop, temporaryFolder } from '../../harness/processes.ts'
import type { Fact } from '../../harness/report.ts'
import { startProgram, startService } from '../../harness/service-process.ts'
import { reportOf } from '../../rows/alert-pool.ts'
import { seed } from '../../rows/seed.ts'
import { addEndpoint } from '../../rows/webhook-shops.ts'

const api = '/api/v1/merchant/intents/'
const atOnce = 8

/** Tables that are emptied again after a day, a week or some months. */
const isTemporary = (table: string): boolean =>
  ['idempotency_keys', 'api_calls', 'device_requests', 'deliveries', 'endpoint_hours'].includes(table) ||
  table.startsWith('delivery_')

export const measureOnePayment = async (payments: number): Promise<Fact[]> => {
  const folder = await temporaryFolder()
  const service = await startService(join(folder, 'data'), { SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
  const receiver = await startProgram(
    [join(import.meta.dirname, '../webhook-receiver.ts'), '1'],
    {},
    join(folder, 'receiver.log'),
  )
  const caller = openCaller(atOnce)
  const { db, merchant } = service
  const { ports } = JSON.parse((await caller.call(receiver.origin)).text) as { ports: number[] }
  await addEndpoint(service, merchant.accountId, `http://127.0.0.1:${ports[0]}/ok`)
  await seed(db, merchant, Math.max(200, payments))
  const shopPhone = phone(service.origin, systemClock.now, merchant.demo.device)

  const ask = async (path: string, asked: Parameters<typeof caller.call>[1], expected: number): Promise<string> => {
    const { status, text } = await caller.call(`${service.origin}${path}`, { token: merchant.token, ...asked })
    if (status !== expected) throw new Error(`${path}: ${status} ${text}`)
    return text
  }
  let paid = 0
  const pay = async (count: number): Promise<void> => {
    const first = paid
    paid += count
    await inParallel(atOnce, count, async (n) => {
      const reference = String(600_000_000_000 + first + n)
      const body = { wallet: merchant.demo.wallets.main, amount: '1500.00', external_order_id: `order-${first + n}` }
      const headers = { 'SERVICE-IDEMPOTENCY-KEY': `payment-${first + n}` }
      const { id } = JSON.parse(await ask(api, { method: 'POST', headers, body }, 201)) as { id: string }
      await ask(`${api}${id}/`, { method: 'PATCH', body: { reference } }, 200)
      const { status, text } = await shopPhone.alerts([reportOf(reference)])
      if (status !== 200) throw new Error(`alert: ${status} ${text}`)
    })
    for (let tries = 0; ; tries++) {
      const { count: arrived } = JSON.parse((await caller.call(`${receiver.origin}/count`)).text) as { count: number }
      if (arrived >= paid) break
      if (tries === 600) throw new Error(`${paid} payments, ${arrived} webhooks arrived in a minute`)
      await delay(100)
    }
  }
  const number = async (text: string): Promise<number> => Number((await db.run({ text, values: [] }))[0]![0])
  const wal = () => number(`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')`)
  const fullPages = () => number('select wal_fpi from pg_stat_wal')
  const bytes = async (): Promise<Map<string, number>> => {
    await db.run({ text: 'vacuum', values: [] })
    const rows = await db.run({
      text: `select relname, pg_total_relation_size(oid) from pg_class
              where relkind = 'r' and relnamespace = 'public'::regnamespace`,
      values: [],
    })
    return new Map(rows.map(([name, size]) => [name!, Number(size)]))
  }

  await pay(Math.ceil(payments / 4))
  const before = await bytes()
  await service.asAdmin('checkpoint')
  const [walBefore, pagesBefore] = [await wal(), await fullPages()]
  await pay(payments)
  const [walAfter, pagesAfter] = [await wal(), await fullPages()]
  await pay(payments)
  const walLast = await wal()
  const after = await bytes()
  const grown = (of: (table: string) => boolean): number =>
    [...after].reduce((sum, [table, size]) => sum + (of(table) ? size - (before.get(table) ?? 0) : 0), 0)
  await caller.close()
  await service.stop()
  await stop(receiver.child)
  return [
    { name: 'one payment: WAL, right after a checkpoint', value: (walAfter - walBefore) / payments, unit: 'bytes' },
    { name: 'one payment: whole pages in it', value: (pagesAfter - pagesBefore) / payments, unit: 'pages' },
    { name: 'one payment: WAL, later', value: (walLast - walAfter) / payments, unit: 'bytes' },
    { name: 'one payment: disk, for good', value: grown((table) => !isTemporary(table)) / payments / 2, unit: 'bytes' },
    { name: 'one payment: disk, for some time', value: grown(isTemporary) / payments / 2, unit: 'bytes' },
  ]
}
