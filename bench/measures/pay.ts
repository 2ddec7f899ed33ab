/**
 * The buyer's page: how fast it opens, compared with a bare Fastify route that sends the same bytes; and what ten thousand open
 * pages cost a node: its memory, and how soon a page is notified that its payment is VERIFIED.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../packages/server/src/core/clock.ts'
import { phone } from '../../packages/server/test/support/phone.ts'
import { watchProcessors } from '../harness/cpu-shares.ts'
import { runLoad, type Target } from '../harness/load.ts'
import { memory_mb } from '../harness/memory.ts'
import type { Bench } from '../harness/options.ts'
import { start, stop, temporaryFolder } from '../harness/processes.ts'
import { type Fact, factText, type Line, lineText, type Section } from '../harness/report.ts'
import { inRounds, percentile, type Runner } from '../harness/rounds.ts'
import { type ServiceProcess, startProgram, startService } from '../harness/service-process.ts'
import { referenceOf, reportOf } from '../rows/alert-pool.ts'
import { newPages, waitingPages } from '../rows/open-pages.ts'

const connections = 32
/** How many payments come in a second while the pages are open. */
const paidPerSecond = 50
const mostMemory_mb = 600
const mostWait_ms = 100
const firstWarmUp_s = 5
const warmUp_s = 1
const sizes = {
  full: { links: 2_000, openPages: 10_000, paidPages: 1_000, open_ms: 26_000 },
  small: { links: 20, openPages: 100, paidPages: 20, open_ms: 500 },
} as const
const sizesOf = ({ small }: Bench) => sizes[small ? 'small' : 'full']

const pageOf = async (origin: string, path: string): Promise<Buffer> => {
  // Node's own fetch decompresses: the bytes are needed as they are sent.
  const { request } = await import('node:http')
  return new Promise((done, fail) => {
    request(`${origin}${path}`, { headers: { 'accept-encoding': 'gzip' } }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part: Buffer) => parts.push(part))
      answer.on('end', () => {
        if (answer.statusCode === 200) done(Buffer.concat(parts))
        else fail(new Error(`${path}: ${answer.statusCode}`))
      })
    })
      .on('error', fail)
      .end()
  })
}

const measureOpening = async (bench: Bench, service: ServiceProcess, folder: string): Promise<Line[]> => {
  const tools = { ...bench.tools, folder }
  const { links } = sizesOf(bench)
  const lines: Line[] = []
  const kinds = {
    'open a page: choose a wallet': (await newPages(service, links)).tokens,
    'open a page: waiting': (await waitingPages(service, links)).tokens,
  }
  for (const [name, tokens] of Object.entries(kinds)) {
    bench.print(`${name}, ${connections} connections`)
    const load = { kind: 'page', lines: tokens.map((token) => `/pay/${token}`) } as const
    const file = join(folder, 'page.gz')
    const bytes = await pageOf(service.origin, load.lines[0]!)
    writeFileSync(file, bytes)
    const bare = await startProgram(
      [join(import.meta.dirname, '../baselines/bare-page.ts'), file],
      {},
      join(folder, 'bare-page.log'),
    )
    const warm = new Set<string>()
    const runnerFor =
      (to: Target, pid: number): Runner =>
      async () => {
        if (!bench.small) await runLoad(tools, to, load, connections, warm.has(to.origin) ? warmUp_s : firstWarmUp_s)
        warm.add(to.origin)
        const watched = watchProcessors(pid, service.postmasterPid)
        const figures = await runLoad(tools, to, load, connections, bench.seconds)
        return { ...figures, shares: watched() }
      }
    const { page, route } = await inRounds(bench.rounds, {
      page: runnerFor({ origin: service.origin, token: '' }, service.pid),
      route: runnerFor({ origin: bare.origin, token: '' }, bare.child.pid!),
    })
    await stop(bare.child)
    const line: Line = {
      name: `${name} (${bytes.length} bytes)`,
      connections,
      result: page,
      ratioOf: 'rate',
      baseline: { name: 'bare Fastify', result: route },
      bar: { least: 0.3 },
    }
    lines.push(line)
    bench.print(lineText(line))
  }
  return lines
}

const reportPayment = async ({ origin, merchant }: ServiceProcess, reference: string): Promise<void> => {
  const { status, text } = await phone(origin, systemClock.now, merchant.demo.device).alerts([reportOf(reference)])
  if (status !== 200) throw new Error(`a report was refused: ${status} ${text}`)
}

const measureOpenPages = async (bench: Bench, service: ServiceProcess, folder: string): Promise<Fact[]> => {
  const { openPages, paidPages, open_ms } = sizesOf(bench)
  const { tokens, pool } = await waitingPages(service, openPages)
  const file = join(folder, 'tokens.txt')
  writeFileSync(file, `${tokens.join('\n')}\n`)
  const before_mb = memory_mb(service.pid)
  const began = performance.now()
  const client = start(process.execPath, [join(import.meta.dirname, 'open-pages-client.ts'), service.origin, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const notifiedAt = new Map<number, number>()
  let opened = (): void => {}
  const allOpen = new Promise<void>((done, fail) => {
    opened = done
    client.once('exit', (code) => fail(new Error(`the pages ended with ${code}`)))
  })
  createInterface({ input: client.stdout! }).on('line', (line) => {
    if (line === 'open') return opened()
    const [n, time] = line.split(' ').map(Number)
    notifiedAt.set(n!, time!)
  })
  await allOpen
  bench.print(`  ${openPages} pages opened in ${((performance.now() - began) / 1000).toFixed(1)} s`)
  let most_mb = memory_mb(service.pid)
  const updateMost = (): void => {
    most_mb = Math.max(most_mb, memory_mb(service.pid))
  }
  const watch = setInterval(updateMost, 200)
  // Long enough for every page to get a keep-alive message.
  await delay(open_ms)
  const sending: Promise<void>[] = []
  for (let n = 0; n < paidPages; n++) {
    sending.push(reportPayment(service, referenceOf(pool, n)))
    await delay(1_000 / paidPerSecond)
  }
  await Promise.all(sending)
  for (let tries = 0; notifiedAt.size < paidPages && tries < 100; tries++) await delay(100)
  clearInterval(watch)
  client.removeAllListeners('exit')
  await stop(client)
  if (notifiedAt.size !== paidPages)
    throw new Error(`${paidPages} payments were verified, but ${notifiedAt.size} pages were notified`)
  const rows = await service.db.run({
    text: `select (extract(epoch from verified_at) * 1000)::bigint from intents
            where account_id = $1 and id between $2 and $3 order by id`,
    values: [service.merchant.accountId, pool.ids[0], pool.ids[paidPages - 1]],
  })
  // `verified_at` is the time at which the alert arrived: matching and the commit are included in the wait.
  const waits = rows.map(([verified], n) => notifiedAt.get(n)! - Number(verified))
  return [
    { name: `memory of the node, ${openPages} open pages`, value: most_mb, unit: 'MB', most: mostMemory_mb },
    { name: 'memory of the node before', value: before_mb, unit: 'MB' },
    { name: 'page notified of VERIFIED, p50', value: percentile(waits, 0.5), unit: 'ms', most: mostWait_ms },
    { name: 'page notified of VERIFIED, p99', value: percentile(waits, 0.99), unit: 'ms', most: mostWait_ms },
  ]
}

export const measurePay = async (bench: Bench): Promise<Section> => {
  const folder = await temporaryFolder()
  const service = await startService(join(folder, 'data'))
  const { links, openPages } = sizesOf(bench)
  const lines = await measureOpening(bench, service, folder)
  bench.print(`${openPages} open pages`)
  const facts = await measureOpenPages(bench, service, folder)
  for (const fact of facts) bench.print(`  ${factText(fact)}`)
  await service.stop()
  return {
    title: "The buyer's page",
    note:
      `Pages of ${links} links, compared with a bare Fastify route with the same bytes; then ${openPages} pages that are open on one` +
      `\nnode while ${paidPerSecond} payments a second are verified. The time until a page is notified begins when the alert arrives.`,
    lines,
    facts,
  }
}
