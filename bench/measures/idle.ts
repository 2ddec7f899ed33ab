/**
 * What the service costs a small machine: processor time of a start and of a minute in which nothing happens, and memory. With the
 * embedded PostgreSQL, all of whose processes are counted.
 */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { processorTime_s } from '../harness/cpu-shares.ts'
import { childrenOf, memory_mb, ownMemory_mb, shareOfMemory_mb } from '../harness/memory.ts'
import type { Bench } from '../harness/options.ts'
import { output, start, stop, temporaryFolder } from '../harness/processes.ts'
import { type Fact, factText, type Section } from '../harness/report.ts'
import { median } from '../harness/rounds.ts'
import { type ServiceProcess, startProgram, startService } from '../harness/service-process.ts'
import { waitingPages } from '../rows/open-pages.ts'

const server = resolve(import.meta.dirname, '../../packages/server')
const compiler = join(server, 'src/commands/service/compile-service.ts')
const entries = {
  'compiled, as npm start': join(server, 'bin/sanad.js'),
  'from the sources': join(server, 'src/main.ts'),
} as const

const mostIdle_percent = 0.5
const mostStart_s = 1.5

/** The processes of the service, from those of PostgreSQL apart. */
const familyOf = (pid: number): { readonly node: number[]; readonly postgres: number[] } => {
  const children = childrenOf(pid)
  const postmaster = children.find(({ title }) => title.includes('postgres'))?.pid
  return {
    node: [pid, ...children.map((child) => child.pid).filter((child) => child !== postmaster)],
    postgres: postmaster === undefined ? [] : [postmaster, ...childrenOf(postmaster).map((child) => child.pid)],
  }
}

/** Processor time of processes, with those of their children that have ended. */
const timesOf = (pid: number): { readonly node_s: number; readonly postgres_s: number } => {
  const { node, postgres } = familyOf(pid)
  return { node_s: processorTime_s(node), postgres_s: processorTime_s(postgres) }
}

const measureStarts = async ({ small, print }: Bench, dataDir: string): Promise<Fact[]> => {
  const facts: Fact[] = []
  const times = small ? 1 : 5
  const env = { PORT: '0', HOST: '127.0.0.1', SANAD_DATA_DIR: dataDir, LOG_LEVEL: 'info' }
  for (const [name, entry] of Object.entries(entries)) {
    const took: number[] = []
    // The first fills the cache of compiled code, and does not count.
    for (let n = 0; n <= times; n++) {
      const { child } = await startProgram([entry, 'start'], env, join(dataDir, '..', 'starts.log'))
      const { node_s, postgres_s } = timesOf(child.pid!)
      if (n > 0) took.push(node_s + postgres_s)
      await stop(child)
    }
    const isUsual = entry === entries['compiled, as npm start']
    facts.push({
      name: `start, warm, ${name}: processor time until ready`,
      value: median(took),
      unit: 's',
      ...(isUsual && !small ? { most: mostStart_s } : {}),
    })
    print(`  ${factText(facts.at(-1)!)} (${took.map((one) => one.toFixed(2)).join(', ')})`)
  }
  return facts
}

const measureIdle = async ({ small, print }: Bench, pid: number): Promise<Fact[]> => {
  const [before_s, for_s] = small ? [1, 2] : [60, 120]
  await delay(before_s * 1000)
  const [began, before] = [performance.now(), timesOf(pid)]
  await delay(for_s * 1000)
  const after = timesOf(pid)
  const percent = 100 / ((performance.now() - began) / 1000)
  const node = (after.node_s - before.node_s) * percent
  const postgres = (after.postgres_s - before.postgres_s) * percent
  const facts: Fact[] = [
    { name: 'idle: Node', value: node, unit: '%' },
    { name: 'idle: PostgreSQL', value: postgres, unit: '%' },
    {
      name: 'idle: both, of one processor',
      value: node + postgres,
      unit: '%',
      ...(small ? {} : { most: mostIdle_percent }),
    },
  ]
  for (const fact of facts) print(`  ${factText(fact)}`)
  return facts
}

const memoryFacts = ({ print }: Bench, when: string, pid: number): Fact[] => {
  const { node, postgres } = familyOf(pid)
  const sum = (pids: readonly number[], of: (pid: number) => number): number =>
    pids.reduce((total, one) => total + of(one), 0)
  const facts: Fact[] = [
    { name: `memory, ${when}: Node, resident`, value: sum(node, memory_mb), unit: 'MB' },
    { name: `memory, ${when}: Node, private`, value: sum(node, ownMemory_mb), unit: 'MB' },
    { name: `memory, ${when}: PostgreSQL, its share`, value: sum(postgres, shareOfMemory_mb), unit: 'MB' },
  ]
  for (const fact of facts) print(`  ${factText(fact)}`)
  return facts
}

const createMany = async ({ origin, merchant: { token, demo } }: ServiceProcess, size: number): Promise<void> => {
  let left = size
  const createNext = async (): Promise<void> => {
    while (left-- > 0) {
      const answer = await fetch(`${origin}/api/v1/merchant/intents/`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ wallet: demo.wallets.main, amount: '1500.00' }),
      })
      if (answer.status !== 201) throw new Error(`a create was refused: ${answer.status} ${await answer.text()}`)
      await answer.arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: 16 }, createNext))
}

const withOpenPages = async (service: ServiceProcess, size: number, folder: string): Promise<() => Promise<void>> => {
  const { tokens } = await waitingPages(service, size)
  const file = join(folder, 'tokens.txt')
  writeFileSync(file, `${tokens.join('\n')}\n`)
  const client = start(process.execPath, [join(import.meta.dirname, 'open-pages-client.ts'), service.origin, file], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const line of createInterface({ input: client.stdout! })) if (line === 'open') break
  return () => stop(client)
}

export const measureIdleService = async (bench: Bench): Promise<Section> => {
  const { small } = bench
  const folder = await temporaryFolder()
  const dataDir = join(folder, 'data')
  const facts: Fact[] = []
  // Creates the cluster and the merchant.
  await (await startService(dataDir)).stop()
  await output(process.execPath, [compiler, join(dataDir, 'compiled')])
  bench.print('starts')
  facts.push(...(await measureStarts(bench, dataDir)))
  bench.print('idle')
  const env = { PORT: '0', HOST: '127.0.0.1', SANAD_DATA_DIR: dataDir, LOG_LEVEL: 'info' }
  const { child } = await startProgram([entries['compiled, as npm start'], 'start'], env, join(folder, 'idle.log'))
  facts.push(...(await measureIdle(bench, child.pid!)), ...memoryFacts(bench, 'idle', child.pid!))
  await stop(child)

  bench.print('memory')
  const service = await startService(dataDir)
  const creates = small ? 100 : 10_000
  await createMany(service, creates)
  facts.push(...memoryFacts(bench, `after ${creates} creates`, service.pid))
  for (const size of small ? [20] : [1_000, 10_000]) {
    const close = await withOpenPages(service, size, folder)
    facts.push(...memoryFacts(bench, `with ${size} open buyer's pages`, service.pid))
    await close()
  }
  await service.stop()
  const two = await startProgram(
    [entries['compiled, as npm start'], 'start'],
    { ...env, SANAD_PROCESSES: '2' },
    join(folder, 'two.log'),
  )
  await delay(small ? 500 : 10_000)
  facts.push(...memoryFacts(bench, 'idle, SANAD_PROCESSES=2 (four processes of Node)', two.child.pid!))
  await stop(two.child)
  return {
    title: 'Idle and start',
    note: 'With the embedded PostgreSQL. Idle: a minute after the start, over two minutes. Start: median of five, the caches filled.',
    lines: [],
    facts,
  }
}
