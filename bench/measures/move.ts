/**
 * How long an account stands still while it is moved to another cell (`sanad account move`): two whole services on this machine, each with
 * its embedded PostgreSQL as `npm start` makes it, an account as large as asked that is at work until it is frozen, and a neighbour of the
 * old cell who goes on. `--keep DIR` keeps the rows of the old cell; what is moved is a copy of that folder.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as delay } from 'node:timers/promises'
import { hour_ms } from '../../packages/server/src/core/duration.ts'
import { type Db, openDatabase } from '../../packages/server/src/postgres/connection/database.ts'
import { urlOf } from '../../packages/server/src/postgres/embedded/embedded.ts'
import { clusterDirOf, readPostmaster } from '../../packages/server/src/postgres/embedded/embedded-cluster.ts'
import { freePort } from '../../packages/server/test/support/servers/free-port.ts'
import { type Caller, openCaller } from '../harness/call.ts'
import { peakMemory_mb } from '../harness/memory.ts'
import type { Bench } from '../harness/options.ts'
import { output, start, stop, temporaryFolder } from '../harness/processes.ts'
import { type Fact, factText, type Section } from '../harness/report.ts'
import {
  highLimits,
  type Merchant,
  type ServiceProcess,
  startProgram,
  startService,
} from '../harness/service-process.ts'
import { type SteadyResult, startSteady } from '../harness/steady.ts'
import { addMerchants } from '../rows/add-merchants.ts'
import { seedGrown } from '../rows/grown/seed-grown.ts'
import { shapeOfOne } from '../rows/grown/shape.ts'

const root = resolve(import.meta.dirname, '../..')
const main = join(root, 'packages/server/src/main.ts')
/** A million intents stand still for two minutes at most. */
const most_s = 120
const smallIntents = 3_000
/** Calls of the neighbour in a second. */
const perSecond = 20
const intents = '/api/v1/merchant/intents/'

/** The old cell, with its rows; its service is stopped. */
const seededFolder = async (bench: Bench, size: number): Promise<string> => {
  const kept = bench.keep === undefined ? undefined : resolve(bench.keep, `move-${size}`)
  const folder = await temporaryFolder()
  const made = kept ?? folder
  await mkdir(made, { recursive: true, mode: 0o711 })
  const seeded = join(made, 'seeded')
  if (!existsSync(seeded)) {
    const dataDir = join(made, 'data')
    const first = await startService(dataDir, { SANAD_ROLE: 'serve' })
    await first.stop()
    await seedGrown(dataDir, first.merchant, shapeOfOne(size))
    writeFileSync(seeded, `${size}\n`)
  }
  if (kept !== undefined) await output('cp', ['-a', `${kept}/.`, folder])
  return folder
}

type NewCell = {
  readonly origin: string
  readonly databaseUrl: string
  readonly db: Db
  stop(): Promise<void>
}

/** A cell without an account: in production the first start makes no demo shop. */
const startNewCell = async (masterKey: string): Promise<NewCell> => {
  const folder = await temporaryFolder()
  const dataDir = join(folder, 'data')
  const port = String(await freePort())
  const { child } = await startProgram(
    [main, 'start'],
    {
      PORT: port,
      HOST: '127.0.0.1',
      NODE_ENV: 'production',
      PUBLIC_URL: 'https://cell.example',
      SANAD_MASTER_KEY: masterKey,
      SANAD_DATA_DIR: dataDir,
      SANAD_LIMITS: highLimits,
      LOG_LEVEL: 'info',
    },
    join(folder, 'service.log'),
  )
  const postmaster = await readPostmaster(clusterDirOf(dataDir))
  if (postmaster?.socketDir === undefined) throw new Error(`no PostgreSQL in ${dataDir}`)
  const databaseUrl = urlOf(postmaster.socketDir)
  const db = openDatabase({
    url: databaseUrl,
    connections: 1,
    application: 'sanad bench',
    statement_timeout_ms: hour_ms,
    onFault: () => {},
  })
  return {
    origin: `http://127.0.0.1:${port}`,
    databaseUrl,
    db,
    async stop() {
      await db.close()
      await stop(child)
    },
  }
}

type Moved = { readonly lines: readonly string[]; readonly peak_mb: number }

/** Runs `sanad account move` of the old cell to its end. */
const move = async (from: ServiceProcess, to: NewCell, print: (line: string) => void): Promise<Moved> => {
  const child = start(
    process.execPath,
    [main, 'account', 'move', '--account', from.merchant.accountId, '--to', 'b', '--prepare'],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        SANAD_DATA_DIR: from.dataDir,
        SANAD_CELLS: JSON.stringify({ b: { url: to.origin, database_url: to.databaseUrl } }),
      },
    },
  )
  const lines: string[] = []
  for (const stream of [child.stdout!, child.stderr!])
    createInterface({ input: stream }).on('line', (line) => {
      lines.push(line)
      print(`  ${line}`)
    })
  let isOver = false
  const closed = new Promise<void>((done) =>
    child.once('close', () => {
      isOver = true
      done()
    }),
  )
  let peak_mb = 0
  while (!isOver) {
    peak_mb = Math.max(peak_mb, peakMemory_mb(child.pid!))
    await Promise.race([delay(50), closed])
  }
  if (child.exitCode !== 0) throw new Error(`the move ended with ${child.exitCode}: ${lines.join('\n')}`)
  return { lines, peak_mb }
}

/** The numbers in the lines that match. */
const numbersIn = (lines: readonly string[], pattern: RegExp): number[] =>
  lines.flatMap((line) => {
    const found = pattern.exec(line)?.[1]
    return found === undefined ? [] : [Number(found)]
  })

/** The calls of the account itself: the same as those of a neighbour, but 503 is an answer while it stands still. */
const ownCalls = (caller: Caller, origin: string, merchant: Merchant) => {
  const call = neighbourCalls(caller, origin, merchant)
  let refused = 0
  return {
    refused: () => refused,
    call: (n: number): Promise<void> =>
      call(n).catch((fault: Error) => {
        if (!fault.message.includes(': 503 ')) throw fault
        refused++
      }),
  }
}

/** Seconds from the begin of the freeze in the old cell to the thaw in the new one, by the clock of the command. */
const frozen_s = async (from: ServiceProcess, to: NewCell): Promise<number> => {
  const { accountId } = from.merchant
  const at = async (db: Db, text: string): Promise<number> =>
    Number((await db.run({ text, values: [accountId] }))[0]![0])
  const began = await at(
    from.db,
    'select extract(epoch from began_at)::float8 from account_freezes where account_id = $1',
  )
  const thawed = await at(
    to.db,
    `select extract(epoch from at)::float8 from audit_log where action = 'account.arrive' and object_id = $1::text`,
  )
  return thawed - began
}

/** Creates, reads and lists in turn, as the server of a small shop does. */
const neighbourCalls = (caller: Caller, origin: string, { token, demo }: Merchant) => {
  let last: string | undefined
  let made = 0
  const expect = async (status: number, path: string, asked: object = {}): Promise<string> => {
    const answer = await caller.call(`${origin}${path}`, { token, ...asked })
    if (answer.status !== status) throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 300)}`)
    return answer.text
  }
  return async (n: number): Promise<void> => {
    if (n % 3 === 0 || last === undefined) {
      const body = { wallet: demo.wallets.main, amount: '1500.00', external_order_id: `order-${++made}` }
      last = (JSON.parse(await expect(201, intents, { method: 'POST', body })) as { id: string }).id
    } else await expect(200, n % 3 === 1 ? `${intents}${last}/` : `${intents}?page_size=10`)
  }
}

/** Nodes notice the switch and the thaw within a second. */
const noticed_ms = 30_000

/** Waits until a cell answers for the account: the new one by itself, the old one by forwarding. */
const answersAt = async (caller: Caller, origin: string, { token }: Merchant): Promise<void> => {
  for (const deadline = AbortSignal.timeout(noticed_ms); ; await delay(50)) {
    const { status, text } = await caller.call(`${origin}${intents}?page_size=1`, { token })
    if (status === 200) return
    if (status !== 503 || deadline.aborted)
      throw new Error(`after the move ${origin} answers ${status}: ${text.slice(0, 300)}`)
  }
}

const loadText = (): string =>
  loadavg()
    .map((value) => value.toFixed(1))
    .join(' ')

export const measureMove = async (bench: Bench): Promise<Section> => {
  const size = bench.small ? smallIntents : bench.large
  bench.print(`move: an account of ${size.toLocaleString('en')} intents`)
  const folder = await seededFolder(bench, size)
  const from = await startService(join(folder, 'data'))
  const to = await startNewCell(readFileSync(join(from.dataDir, 'master.key'), 'utf8').trim())
  const [neighbour] = await addMerchants(from, 1)
  const [counted] = await from.db.run({
    text: 'select count(*) from intents where account_id = $1',
    values: [from.merchant.accountId],
  })
  const moved = Number(counted![0])
  // The services do what they do after a start.
  await delay(bench.small ? 500 : 20_000)

  const caller = openCaller(16)
  const load = () => startSteady(perSecond, neighbourCalls(caller, from.origin, neighbour!))
  const alone = load()
  await delay(bench.small ? 1_000 : bench.seconds * 5_000)
  const before: SteadyResult = await alone.end()
  const loadBefore = loadText()
  const beside = load()
  const own = ownCalls(caller, from.origin, from.merchant)
  const atWork = startSteady(perSecond, own.call)
  const { lines, peak_mb } = await move(from, to, bench.print)
  const ended = performance.now()
  await Promise.all([from, to].map(({ origin }) => answersAt(caller, origin, from.merchant)))
  const answered_s = (performance.now() - ended) / 1000
  const during: SteadyResult = await beside.end()
  const atWorkDuring: SteadyResult = await atWork.end()
  const loadAfter = loadText()
  const stood_s = await frozen_s(from, to)
  await caller.close()
  await Promise.all([from.stop(), to.stop()])

  for (const fault of [...before.faults, ...during.faults, ...atWorkDuring.faults].slice(0, 10))
    bench.print(`  failed: ${fault}`)
  /** How long the parts of this name took, in their order; none: NaN, which fails the run. */
  const partsOf = (name: string): number[] => numbersIn(lines, new RegExp(`^${name}: ([\\d.]+) s$`))
  const first = (numbers: readonly number[]): number => numbers[0] ?? Number.NaN
  const changes = partsOf('Copying what has changed')
  const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0)
  const million_s = (stood_s / moved) * 1e6
  const facts: Fact[] = [
    { name: 'moved', value: moved, unit: 'intents' },
    { name: 'copied', value: first(numbersIn(lines, /^(\d+) rows are there/)), unit: 'rows' },
    { name: 'frozen, from the freeze to the thaw', value: stood_s, unit: 's' },
    { name: 'both cells answered for it, after the command', value: answered_s, unit: 's' },
    { name: 'at work: copied in', value: first(partsOf('Copying rows')), unit: 's' },
    { name: 'at work: changes copied in', value: sum(changes.slice(0, -1)), unit: 's' },
    { name: 'frozen: changes copied in', value: changes.at(-1) ?? Number.NaN, unit: 's' },
    { name: 'frozen: rows without a key copied in', value: partsOf('Copying rows')[1] ?? Number.NaN, unit: 's' },
    { name: 'frozen: compared in', value: first(partsOf('Comparing counts and sums')), unit: 's' },
    { name: 'frozen: tallied in', value: first(partsOf('Tallying')), unit: 's' },
    { name: `seconds a million / ${most_s}`, value: million_s / most_s, unit: '', most: 1 },
    { name: 'memory of the command, at most', value: peak_mb, unit: 'MB' },
    { name: 'its own calls during the move', value: atWorkDuring.calls, unit: 'calls' },
    { name: 'its own calls that got 503', value: own.refused(), unit: 'calls' },
    { name: 'its own calls that failed', value: atWorkDuring.faults.length, unit: 'calls', most: 0 },
    { name: 'neighbour: before', value: before.calls, unit: 'calls' },
    { name: 'neighbour: during the move', value: during.calls, unit: 'calls' },
    { name: 'neighbour: failed', value: before.faults.length + during.faults.length, unit: 'calls', most: 0 },
    { name: 'neighbour: p50 before', value: before.p50_ms, unit: 'ms' },
    { name: 'neighbour: p50 during the move', value: during.p50_ms, unit: 'ms' },
    { name: 'neighbour: p99 before', value: before.p99_ms, unit: 'ms' },
    { name: 'neighbour: p99 during the move', value: during.p99_ms, unit: 'ms' },
    { name: 'neighbour: slowest during the move', value: during.slowest_ms, unit: 'ms' },
  ]
  for (const fact of facts) bench.print(`  ${factText(fact)}`)
  return {
    title: 'An account is moved to another cell',
    note:
      `Two services and two PostgreSQL on this machine, with their flushes. Scaled to a million intents, the account may stand still for ${most_s} s.` +
      `\nIt made ${perSecond} calls a second itself, until the freeze and after the switch.` +
      `\nA neighbour in the old cell made ${perSecond} calls a second. Load of the machine (1, 5, 15 minutes) before ${loadBefore}, after ${loadAfter}.`,
    lines: [],
    facts,
  }
}
