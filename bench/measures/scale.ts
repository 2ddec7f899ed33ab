/**
 * What a large account costs: the median time with a million intents compared with ten thousand, each in its own
 * database, both running at once and measured in turn, over one connection.
 */

import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import { watchProcessors } from '../harness/cpu-shares.ts'
import { type Load, runLoad } from '../harness/load.ts'
import type { Bench } from '../harness/options.ts'
import { temporaryFolder } from '../harness/processes.ts'
import { type Line, lineText, type Section } from '../harness/report.ts'
import { inRounds, type Runner } from '../harness/rounds.ts'
import { type ServiceProcess, startService } from '../harness/service-process.ts'
import { makeOpen, seed } from '../rows/seed.ts'

const api = '/api/v1/merchant/intents/'
const small = 10_000
const sampleSize = 1000

/** A sample of the account's intents, from its whole past. */
const sampleIntents = async ({
  db,
  merchant,
}: ServiceProcess): Promise<{ id: string; order: string; reference: string; code: string }[]> => {
  const rows = await db.run({
    text: `select id, external_order_id, reference, code from intents
            where account_id = $1 and created_by = 'seed' and reference <> '' order by md5(code) limit ${sampleSize}`,
    values: [merchant.accountId],
  })
  return rows.map(([id, order, reference, code]) => ({ id: id!, order: order!, reference: reference!, code: code! }))
}

const loadsOf = async (service: ServiceProcess, seconds: number): Promise<Record<string, () => Promise<Load>>> => {
  const { db, merchant } = service
  const samples = await sampleIntents(service)
  const get = (paths: readonly string[]) => async (): Promise<Load> => ({ kind: 'get', lines: paths })
  const weekAgo = new Date(systemClock.now() - 7 * 86_400_000).toISOString()
  const { main } = merchant.demo.wallets
  const body = JSON.stringify({ wallet: main, amount: '1500.00', external_order_id: 'ORDER' })
  return {
    retrieve: get(samples.map(({ id }) => `${api}${id}/`)),
    'list, page 1': get([api]),
    'list, PENDING': get([`${api}?status=PENDING`]),
    'list, EXPIRED': get([`${api}?status=EXPIRED`]),
    'list, VERIFIED': get([`${api}?status=VERIFIED`]),
    'list, one wallet': get([`${api}?wallet=${main}`]),
    'list, since a week': get([`${api}?created_after=${weekAgo}`]),
    'list, by amount': get([`${api}?ordering=-payable_amount`]),
    'list, by verified_at': get([`${api}?ordering=verified_at`]),
    'list, by status': get([`${api}?ordering=status`]),
    'order id, exact': get(samples.map(({ order }) => `${api}?external_order_id=${order}`)),
    'reference, exact': get(samples.map(({ reference }) => `${api}?reference=${reference}`)),
    'search, a reference': get(samples.map(({ reference }) => `${api}?search=${reference}`)),
    'search, a code': get(samples.map(({ code }) => `${api}?search=${code}`)),
    'search, 6 letters of an order': get(samples.map(({ order }) => `${api}?search=${order.slice(0, 6)}`)),
    create: async () => ({ kind: 'create', lines: [api, body] }),
    patch: async () => {
      const pool = await makeOpen(db, merchant, Math.round(1500 * (seconds + 1)), systemClock.now())
      return { kind: 'patch', lines: pool.ids.map((id) => `${api}${id}/`) }
    },
  }
}

const open = async (bench: Bench, total: number): Promise<ServiceProcess> => {
  const folder = bench.keep === undefined ? await temporaryFolder() : resolve(bench.keep, String(total))
  await mkdir(folder, { recursive: true, mode: 0o711 })
  const service = await startService(join(folder, 'data'))
  await seed(service.db, service.merchant, total)
  return service
}

export const measureScale = async (bench: Bench): Promise<Section> => {
  const folder = await temporaryFolder()
  const few = await open(bench, small)
  const many = await open(bench, bench.large)
  const runnerFor =
    (service: ServiceProcess, load: () => Promise<Load>): Runner =>
    async () => {
      const builtLoad = await load()
      const target = { origin: service.origin, token: service.merchant.token }
      await runLoad({ ...bench.tools, folder }, target, builtLoad, 1, 1)
      const watched = watchProcessors(service.pid, service.postmasterPid)
      const figures = await runLoad({ ...bench.tools, folder }, target, builtLoad, 1, bench.seconds / 2)
      return { ...figures, shares: watched() }
    }
  const [loadsOfFew, loadsOfMany] = [await loadsOf(few, bench.seconds / 2), await loadsOf(many, bench.seconds / 2)]
  const lines: Line[] = []
  for (const name of Object.keys(loadsOfMany)) {
    bench.print(`scale: ${name}`)
    const { atMany, atFew } = await inRounds(bench.rounds, {
      atMany: runnerFor(many, loadsOfMany[name]!),
      atFew: runnerFor(few, loadsOfFew[name]!),
    })
    const line: Line = {
      name,
      connections: 1,
      result: atMany,
      ratioOf: 'p50',
      baseline: { name: 'at 10,000', result: atFew },
      bar: { most: 1.5 },
    }
    lines.push(line)
    bench.print(lineText(line))
  }
  await Promise.all([few.stop(), many.stop()])
  return {
    title: 'Scale',
    note: `The median time of an answer with ${bench.large.toLocaleString('en')} intents in the account (and a tenth as many in others), compared with ten thousand.`,
    lines,
  }
}
