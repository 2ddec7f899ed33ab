/**
 * `npm test`: types, lint and format, then every test, with one real PostgreSQL for all of them. Each test file makes a
 * database of its own from a template that is migrated once. Arguments name single test files, each then in a process of
 * its own.
 */
import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { findChromium } from '../../dashboard/test/chromium.ts'
import { builtDashboard } from '../src/built-dashboard.ts'
import { openEmbedded } from '../src/postgres/embedded/open-embedded.ts'
import type { ProcessTime } from './support/measure-process.ts'
import { dropTemplate, prepareTemplate } from './support/template.ts'

const root = resolve(import.meta.dirname, '../../..')
const bin = join(root, 'node_modules/.bin')
const only = process.argv.slice(2)
/** How many of the slowest are printed. */
const shown = Number(process.env.SANAD_TEST_SHOWN ?? 12)

/**
 * What takes longest begins first, or the others would wait for it at the end. Between those that keep a processor busy
 * stand those that wait, for a lease to lapse or a process to start.
 */
const longest = [
  'packages/server/test/crashes/webhook-faults.test.ts',
  'packages/server/test/operations/master-key.test.ts',
  'packages/server/test/operations/ending.test.ts',
  'packages/server/test/operations/process.test.ts',
  'packages/server/test/operations/install.test.ts',
  'packages/server/test/crashes/crash.test.ts',
  'packages/server/test/backup/backup-crash.test.ts',
  'packages/server/test/backup/dump-and-restore.test.ts',
  'packages/server/test/backup/grow.test.ts',
  'packages/server/test/plans/list-plans.test.ts',
  'packages/server/test/phones/phone.test.ts',
  'packages/server/test/dashboard-api/stream.test.ts',
  'packages/server/test/limits/rate-limits.test.ts',
  'packages/server/test/matching/races.test.ts',
  'packages/server/test/merchant-api/transport.test.ts',
  'packages/server/test/webhooks/listen.test.ts',
]

/** Those in the browser, the longest first: two processes share them, each with one browser for all of its files. */
const inBrowser = [
  'packages/dashboard/test/every-screen.test.ts',
  'packages/dashboard/test/settings.test.ts',
  'packages/dashboard/test/booking.test.ts',
  'packages/dashboard/test/settings-pages.test.ts',
  'packages/dashboard/test/templates.test.ts',
  'packages/dashboard/test/money.test.ts',
  'packages/dashboard/test/things.test.ts',
  'packages/dashboard/test/webhooks.test.ts',
  'packages/dashboard/test/sign-in.test.ts',
]

/** Those that measure time, or whose fault is another process's: nothing else runs in theirs. Short, and so at the end. */
const alone = [
  'packages/server/src/alerts/templates/template-speed.test.ts',
  'packages/server/src/webhooks/calling/call-receiver.test.ts',
  'packages/server/test/crashes/database-away.test.ts',
  'packages/server/test/database/embedded.test.ts',
  'packages/server/test/crashes/failover.test.ts',
  'packages/server/test/limits/limits-redis.test.ts',
  'packages/server/test/people/mail.test.ts',
  'packages/server/test/crashes/silent-database.test.ts',
  'packages/server/test/webhooks/wake.test.ts',
]

/**
 * The files one after another in one process: to load the house takes longer than most of its stories. No test begins
 * before the last file is loaded, or the runner would take the end of the first file's tests for the end of all.
 */
const together = (files: readonly string[], into: string, name: string): string => {
  const path = join(into, `${name}.mjs`)
  const lines = [
    "import { before } from 'node:test'",
    'const loaded = Promise.withResolvers()',
    'before(() => loaded.promise)',
    ...files.map((file) => `await import(${JSON.stringify(join(root, file))})`),
    'loaded.resolve()',
  ]
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

/** So many hands, dealt like cards: neighbours are alike, and go to different ones. */
const deal = (files: readonly string[], count: number): string[][] =>
  Array.from({ length: count }, (_, n) => files.filter((_, at) => at % count === n))

const usesBrowser = (path: string): boolean => readFileSync(resolve(root, path), 'utf8').includes("from './browser.ts'")

/** Every test file as the processes that run it, the longest first. */
const everyFile = (into: string): string[] => {
  const all = globSync('packages/*/{src,test}/**/*.test.ts', { cwd: root }).sort()
  const named = [...longest, ...inBrowser, ...alone]
  const gone = named.filter((path) => !all.includes(path))
  if (gone.length > 0) throw new Error(`run.ts names files that are not there: ${gone.join(', ')}`)
  const others = all.filter((path) => !named.includes(path))
  const screens = [...inBrowser, ...others.filter(usesBrowser)]
  const rules = others.filter((path) => path.includes('/src/'))
  const stories = others.filter((path) => !rules.includes(path) && !screens.includes(path))
  const [first, ...rest] = longest
  return [
    first!,
    ...deal(screens, 2).map((hand, n) => together(hand, into, `screens-${n + 1}`)),
    ...rest,
    together(rules, into, 'rules'),
    ...deal(stories, Math.ceil(stories.length / 8)).map((hand, n) => together(hand, into, `stories-${n + 1}`)),
    ...alone,
  ]
}

/** A check of all sources. It says something only when something is wrong. */
const check = (what: string, command: string, args: readonly string[]): Promise<void> =>
  new Promise((done, fail) => {
    let said = ''
    const child = spawn(join(bin, command), args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        said += chunk
      })
    child.on('error', fail)
    child.on('close', (code) => (code === 0 ? done() : fail(new Error(`${what}: failed\n${said}`))))
  })

const checks = async (): Promise<void> => {
  process.stdout.write('Types, lint and format\n')
  // Checkers that work side by side learn everything twice: one each takes half of the processors' time.
  await Promise.all([
    check('Types', 'tsc', ['--noEmit', '--checkers', '1']),
    check('Types of the dashboard', 'tsc', ['--noEmit', '--checkers', '1', '-p', 'packages/dashboard']),
    check('Lint and format', 'biome', ['check', '--error-on-warnings']),
  ])
}

const dataDir = mkdtempSync(join(tmpdir(), 'sanad-test-'))
// Every file is a process that loads the whole house: what one has compiled the others need not.
const compiled = mkdtempSync(join(tmpdir(), 'sanad-compiled-'))
// Nothing here outlives the run, so nothing is flushed, nor vacuumed but by those that ask for it; the tests of crashes
// start a PostgreSQL of their own.
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  autovacuum: 'off',
  max_connections: 600,
}
// SANAD_TEST_SERVER: the stories on another PostgreSQL, such as the oldest that is supported.
const own = process.env.SANAD_TEST_SERVER
const postgres =
  own === undefined
    ? await openEmbedded({ dataDir, role: 'tests', settings })
    : { adminUrl: own, stop: async () => dropTemplate(own) }

const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort())

/** How long the tests of each file took. */
const testTimes = new Map<string, number>()
const timesFile = join(compiled, 'process-times')

/** Where the time went. A process takes longer than its tests: it starts, loads the service, and ends. */
const printSlowest = (): void => {
  const seconds = (ms: number | undefined): string => (ms === undefined ? '' : (ms / 1000).toFixed(1)).padStart(9)
  const write = (title: string, rows: readonly string[]): void =>
    void process.stdout.write(`${title}\n${rows.join('\n')}\n`)
  const processes: ProcessTime[] = existsSync(timesFile)
    ? readFileSync(timesFile, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []
  write(
    'Slowest processes: seconds from start to end, of processor, of tests',
    processes
      .sort((one, other) => other.wall_ms - one.wall_ms)
      .slice(0, shown)
      .map(({ file, wall_ms, cpu_ms }) =>
        [wall_ms, cpu_ms, testTimes.get(basename(file))]
          .map(seconds)
          .concat(`  ${basename(file)}`)
          .join(''),
      ),
  )
  write(
    'Slowest files: seconds of tests',
    [...testTimes]
      .sort(([, one], [, other]) => other - one)
      .slice(0, shown)
      .map(([name, ms]) => `${seconds(ms)}  ${name}`),
  )
}

const runTests = (files: readonly string[]): Promise<boolean> =>
  new Promise((done, fail) => {
    const tests = run({
      files: files.map((path) => resolve(root, path)),
      cwd: root,
      // More than there are processors on a small machine: some of them always wait.
      concurrency: Number(process.env.SANAD_TEST_PROCESSES ?? 4),
      execArgv: ['--import', join(import.meta.dirname, 'support/measure-process.ts')],
      timeout: 300_000,
      signal: stopped.signal,
      env: {
        ...process.env,
        SANAD_TEST_PG: postgres.adminUrl,
        SANAD_TEST_TIMES: timesFile,
        NODE_COMPILE_CACHE: compiled,
      },
    })
    let right = true
    tests.on('test:fail', ({ todo }) => {
      if (todo === undefined) right = false
    })
    const add = (file: string | undefined, ms: number): void => {
      if (file !== undefined) testTimes.set(basename(file), (testTimes.get(basename(file)) ?? 0) + ms)
    }
    for (const event of ['test:pass', 'test:fail'] as const)
      tests.on(event, ({ file, nesting, details }) => {
        if (nesting === 0) add(file, details.duration_ms)
      })
    tests.on('error', fail)
    tests.on('end', () => done(right))
    tests.compose(new spec()).pipe(process.stdout)
  })

let status = 1
try {
  await Promise.all([
    only.length === 0 ? checks() : undefined,
    builtDashboard((line) => void process.stdout.write(`${line}\n`)),
    prepareTemplate(postgres.adminUrl),
  ])
  // Before the tests, and once: two of their processes that installed it at once would stand in each other's way.
  if (only.length === 0 || only.some(usesBrowser)) findChromium()
  if (await runTests(only.length > 0 ? only : everyFile(compiled))) status = 0
  printSlowest()
} catch (fault) {
  process.stderr.write(`${(fault as Error).message}\n`)
} finally {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(compiled, { recursive: true, force: true })
}
process.exitCode = status
