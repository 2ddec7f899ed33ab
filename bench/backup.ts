/**
 * Compares `sanad backup` and `sanad restore` with pg_dump and pg_restore on the same PostgreSQL and the same rows:
 * time, and memory with a tenth of the rows and with all of them. `npm run bench:backup [-- --intents N]`; one million
 * by default. Exit code 1 when a bar is missed.
 */
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createDemo } from '../packages/server/src/commands/shop/demo.ts'
import { systemClock } from '../packages/server/src/core/clock.ts'
import { migrationsFolder } from '../packages/server/src/open-store.ts'
import { openDatabase } from '../packages/server/src/postgres/connection/database.ts'
import { migrate } from '../packages/server/src/postgres/maintenance/migrate.ts'
import { startRealPostgres } from '../packages/server/test/support/servers/real-postgres.ts'
import { peakMemory_mb } from './harness/memory.ts'
import { BenchRefused, cleanUp, start, temporaryFolder } from './harness/processes.ts'
import { seed } from './rows/seed.ts'

const { values } = parseArgs({ options: { intents: { type: 'string', default: '1000000' } } })
const intents = Number(values.intents)
if (!Number.isInteger(intents) || intents < 1000)
  throw new BenchRefused('--intents must be a whole number from 1000 on.')

/**
 * The highest allowed ratios: time relative to PostgreSQL's own tool, and memory relative to a tenth of the rows. The small run ends
 * before the garbage collector has reached its steady state, so a little more is no growth; memory that grows with the rows would
 * be ten times as much.
 */
const bars = { backup: 1.5, restore: 1.5, memory: 1.5 }

const main = resolve(import.meta.dirname, '../packages/server/src/main.ts')
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const folder = await temporaryFolder()
// PostgreSQL's tools run as another user.
await chmod(folder, 0o777)
const server = await startRealPostgres({ shared_buffers: '256MB', max_wal_size: '2GB' })

type Run = { readonly seconds: number; readonly peak_mb: number }

const sanad = async (url: string, ...args: string[]): Promise<Run> => {
  const began = performance.now()
  const child = start(process.execPath, [main, ...args], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { PATH: process.env.PATH, DATABASE_URL: url, SANAD_DATA_DIR: folder },
  })
  const ended = once(child, 'exit')
  let peak_mb = 0
  while (child.exitCode === null && child.signalCode === null) {
    // The kernel records the peak, so that polling misses only the last moment.
    peak_mb = Math.max(peak_mb, peakMemory_mb(child.pid!))
    await Promise.race([delay(50), ended])
  }
  if (child.exitCode !== 0) throw new BenchRefused(`sanad ${args.join(' ')} ended with ${child.exitCode}.`)
  return { seconds: (performance.now() - began) / 1000, peak_mb }
}

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now()
  await work()
  return (performance.now() - began) / 1000
}

const mb = (path: string): string => `${(statSync(path).size / 1_000_000).toFixed(0)} MB`

const run = async (): Promise<number> => {
  const url = await server.create('shop')
  await migrate(url, migrationsFolder)
  const db = openDatabase({
    url,
    connections: 2,
    application: 'bench',
    statement_timeout_ms: 3_600_000,
    onFault: () => {},
  })
  const demo = await createDemo(db, new Uint8Array(32).fill(7), 'http://127.0.0.1', systemClock.now())
  const [row] = await db.run({ text: 'select account_id from wallets where id = $1', values: [demo.wallets.main] })
  const merchant = { accountId: row![0]!, token: '', demo }

  const few = Math.round(intents / 10)
  await seed(db, merchant, few)
  const smallBackup = await sanad(url, 'backup', join(folder, 'small'))
  const smallRestored = await sanad(await server.create('small'), 'restore', join(folder, 'small'))
  await seed(db, merchant, intents)
  const [counted] = await db.run({ text: 'select count(*) from intents', values: [] })
  const rows = Number(counted![0])

  const [file, dump] = [join(folder, 'large'), join(folder, 'dump')]
  const dumped_s = await timed(() => server.run('pg_dump', '-Fc', '-f', dump, url))
  const backedUp = await sanad(url, 'backup', file)
  const target = await server.create('by_pg_restore')
  const loaded_s = await timed(() => server.run('pg_restore', '--exit-on-error', '-d', target, dump))
  const restored = await sanad(await server.create('by_sanad'), 'restore', file)
  await db.close()

  const lines: readonly (readonly [name: string, value: number, bar: number, details: string])[] = [
    [
      'backup / pg_dump -Fc, time',
      backedUp.seconds / dumped_s,
      bars.backup,
      `${backedUp.seconds.toFixed(1)} s, ${mb(file)} / ${dumped_s.toFixed(1)} s, ${mb(dump)}`,
    ],
    [
      'restore / pg_restore, time',
      restored.seconds / loaded_s,
      bars.restore,
      `${restored.seconds.toFixed(1)} s, compared and analysed / ${loaded_s.toFixed(1)} s, neither`,
    ],
    [
      'backup, peak memory / at a tenth of the rows',
      backedUp.peak_mb / smallBackup.peak_mb,
      bars.memory,
      `${backedUp.peak_mb.toFixed(0)} MB / ${smallBackup.peak_mb.toFixed(0)} MB`,
    ],
    [
      'restore, peak memory / at a tenth of the rows',
      restored.peak_mb / smallRestored.peak_mb,
      bars.memory,
      `${restored.peak_mb.toFixed(0)} MB / ${smallRestored.peak_mb.toFixed(0)} MB`,
    ],
  ]
  print(`\n${rows.toLocaleString('en')} intents with their timelines`)
  for (const [name, value, bar, details] of lines)
    print(
      `${name.padEnd(46)} ${value.toFixed(2).padStart(5)}  <= ${bar.toFixed(2)}  ${value <= bar ? 'ok' : 'MISSED'}  ${details}`,
    )
  print(
    `per intent: backup ${((backedUp.seconds / rows) * 1e6).toFixed(1)} µs, restore ${((restored.seconds / rows) * 1e6).toFixed(1)} µs`,
  )
  return lines.every(([, value, bar]) => value <= bar) ? 0 : 1
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cleanUp().finally(() => process.exit(130)))

try {
  process.exitCode = await run()
} catch (fault) {
  process.stderr.write(`${fault instanceof BenchRefused ? fault.message : (fault as Error).stack}\n`)
  process.exitCode = 1
} finally {
  await server.stop()
  await cleanUp()
}
