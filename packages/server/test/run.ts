/**
 * Runs the tests, with one real PostgreSQL for all of them. Each test file copies its own database from a template, which is
 * migrated once per run.
 *
 * - `npm test`: types, lint and format, and every test that is not slow.
 * - `npm run test:slow`: files named `*.slow.test.ts`; and files that import support/runs.ts, which then repeat their random
 *   tests more often.
 * - `npm test -- <files>`: these files, each in its own process.
 */
import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { findChromium } from '../../dashboard/test/chromium.ts'
import { builtDashboard } from '../src/built-dashboard.ts'
import type { Demo } from '../src/commands/shop/demo.ts'
import { openEmbedded } from '../src/postgres/embedded/open-embedded.ts'
import { childrenCpu_ms, type ProcessTime } from './support/measure-process.ts'
import { dropTemplates, prepareTemplates } from './support/test-databases.ts'

const root = resolve(import.meta.dirname, '../../..')
const bin = join(root, 'node_modules/.bin')
const browserModule = join(root, 'packages/dashboard/test/browser.ts')
const isSlowRun = process.argv.includes('--slow')
const only = process.argv.slice(2).filter((word) => word !== '--slow')
/**
 * How many test processes run at once. With four of them, two processors were idle for a quarter of the time, since most
 * tests wait for a database, a browser or a timer. Slow tests start their own services and databases: there four is enough.
 */
const processes = Number(process.env.SANAD_TEST_PROCESSES ?? (isSlowRun ? 4 : 6))
/** How many of the slowest processes and files are printed. */
const mostPrinted = Number(process.env.SANAD_TEST_SHOWN ?? 12)

/** Files that take long. Each runs in its own process and starts early: otherwise the run would wait for it at the end. */
const longest = [
  'packages/server/test/crashes/webhook-faults.slow.test.ts',
  'packages/server/test/public-tools/public-tools.slow.test.ts',
  'packages/server/test/crashes/end-events.slow.test.ts',
  'packages/server/test/operations/master-key.slow.test.ts',
  'packages/server/test/operations/process.slow.test.ts',
  'packages/server/test/operations/shutdown.slow.test.ts',
  'packages/server/test/operations/install.slow.test.ts',
  'packages/server/test/operations/master-key-check.slow.test.ts',
  'packages/server/test/crashes/crash.slow.test.ts',
  'packages/server/test/backup/backup-crash.slow.test.ts',
  'packages/server/test/backup/dump-and-restore.slow.test.ts',
  'packages/server/test/backup/embedded-to-own.slow.test.ts',
  'packages/server/test/plans/list-plans.slow.test.ts',
  'packages/server/test/phones/agent.slow.test.ts',
  'packages/server/test/webhooks/listen.test.ts',
  'packages/server/test/database/embedded.test.ts',
  'packages/sdk/test/runtimes.slow.test.ts',
]

/** The number of processes that share the browser tests, each with one browser, and that share the stories over HTTP. */
const browserProcesses = 3
const storyProcesses = 6

/**
 * Files that take much longer than their size suggests, with about how many seconds. For other files the time is estimated
 * from their size, so that the processes that share the files end at about the same time.
 */
const secondsOf: Readonly<Record<string, number>> = {
  'packages/dashboard/test/every-screen.slow.test.ts': 90,
  'packages/dashboard/test/buyer/pay-page.slow.test.ts': 90,
  'packages/dashboard/test/settings/settings.slow.test.ts': 60,
  'packages/dashboard/test/settings/settings-pages.slow.test.ts': 45,
  'packages/dashboard/test/settings/keys-phones-roles.slow.test.ts': 25,
  'packages/dashboard/test/buyer/pay-page.test.ts': 20,
  'packages/dashboard/test/settings/sign-in.test.ts': 16,
  'packages/dashboard/test/payments/unique-amounts.test.ts': 10,
  'packages/server/test/people/endpoint-mail.slow.test.ts': 30,
  'packages/server/test/people/second-factor.test.ts': 28,
  'packages/server/test/phones/simulated-phone.test.ts': 30,
  'packages/server/test/dashboard-api/every-call/every-operation.test.ts': 40,
  'packages/server/test/dashboard-api/stream/stream.test.ts': 15,
  'packages/server/test/phones/agent-killed.slow.test.ts': 12,
}
const charactersPerSecond = { browser: 800, stories: 2_500 } as const

/** Short files that measure time or change the state of their process. Each runs in its own process, at the end. */
const alone = [
  'packages/server/src/alerts/templates/template-speed.test.ts',
  'packages/server/src/webhooks/calling/call-receiver.test.ts',
  'packages/server/test/crashes/database-away.slow.test.ts',
  'packages/server/test/crashes/failover.slow.test.ts',
  'packages/server/test/crashes/silent-database.test.ts',
  'packages/server/test/limits/limits-redis.test.ts',
  'packages/server/test/people/mail.test.ts',
  'packages/server/test/webhooks/wake.test.ts',
  'packages/server/test/webhooks/work-node.slow.test.ts',
]

/**
 * Writes a file that runs several test files in one process, one after another, because loading the service takes longer than
 * most tests; returns its path. Each test file becomes one test with subtests. A file is loaded when the file before it has
 * ended, and its hooks run at its own end, so that its services close their connections. A module that several files import
 * must register hooks inside its functions: a hook at its top level would belong to the first file only.
 */
const combinedFile = (files: readonly string[], into: string, name: string): string => {
  const path = join(into, `${name}.mjs`)
  const lines = [
    "import { after, beforeEach, test } from 'node:test'",
    // The time limit applies to each test, not to the file. No test starts before its file is loaded.
    'const testFile = (name, path) =>',
    '  test(name, { timeout: Infinity }, async () => {',
    '    const loaded = Promise.withResolvers()',
    '    beforeEach(() => loaded.promise)',
    '    await import(path).finally(loaded.resolve)',
    '  })',
    ...files.map((file) => `testFile(${JSON.stringify(basename(file))}, ${JSON.stringify(resolve(root, file))})`),
    ...(files.some(usesBrowser)
      ? [`after(async () => (await import(${JSON.stringify(browserModule)})).closeBrowser())`]
      : []),
  ]
  writeFileSync(path, `${lines.join('\n')}\n`)
  return path
}

/** Distributes the files over lists of about the same duration: the longest file first, each to the shortest list. */
const spread = (files: readonly string[], count: number, perSecond: number): string[][] => {
  const seconds = (path: string): number => secondsOf[path] ?? statSync(resolve(root, path)).size / perSecond
  const lists = Array.from({ length: count }, () => ({ files: [] as string[], seconds: 0 }))
  for (const path of files.toSorted((one, other) => seconds(other) - seconds(one))) {
    const least = lists.reduce((one, other) => (other.seconds < one.seconds ? other : one))
    least.files.push(path)
    least.seconds += seconds(path)
  }
  return lists.map((list) => list.files).filter((list) => list.length > 0)
}

const holds = (path: string, text: string): boolean => readFileSync(resolve(root, path), 'utf8').includes(text)
const usesBrowser = (path: string): boolean => path.includes('packages/dashboard/test/') && holds(path, "/browser.ts'")
const isSlow = (path: string): boolean => path.endsWith('.slow.test.ts')
/** Whether the file repeats tests with random values, more often in the slow run. */
const hasRuns = (path: string): boolean => holds(path, "support/runs.ts'")

/** The files to pass to the test runner, one for each process, the longest first. */
const chosenFiles = (into: string): string[] => {
  const every = globSync('packages/*/{src,test}/**/*.test.ts', { cwd: root }).sort()
  const missing = [...longest, ...Object.keys(secondsOf), ...alone].filter((path) => !every.includes(path))
  if (missing.length > 0) throw new Error(`run.ts names files that do not exist: ${missing.join(', ')}`)
  const chosen = every.filter((path) => (isSlowRun ? isSlow(path) || hasRuns(path) : !isSlow(path)))
  const chosenOf = (list: readonly string[]): string[] => list.filter((path) => chosen.includes(path))
  const others = chosen.filter((path) => ![...longest, ...alone].includes(path))
  // In a combined file the test runner starts the tests of a file without waiting for its top-level before().
  const withBefore = others.filter((path) => holds(path, '\nbefore('))
  if (withBefore.length > 0) throw new Error(`instead of before(), await at the top of ${withBefore.join(', ')}`)
  const inBrowser = others.filter(usesBrowser)
  const rules = others.filter((path) => path.includes('/src/'))
  const stories = others.filter((path) => !rules.includes(path) && !inBrowser.includes(path))
  const [first, ...rest] = chosenOf(longest)
  const shared = (name: string, files: readonly string[], count: number, perSecond: number): string[] =>
    spread(files, count, perSecond).map((some, n) => combinedFile(some, into, `${name}-${n + 1}`))
  return [
    ...(first === undefined ? [] : [first]),
    ...shared('browser', inBrowser, browserProcesses, charactersPerSecond.browser),
    ...rest,
    ...shared('stories', stories, Math.min(storyProcesses, Math.ceil(stories.length / 6)), charactersPerSecond.stories),
    ...(rules.length === 0 ? [] : [combinedFile(rules, into, 'rules')]),
    ...chosenOf(alone),
  ]
}

/** Runs a check of all sources. It prints something only if the check fails. */
const check = (name: string, command: string, args: readonly string[]): Promise<void> =>
  new Promise((done, fail) => {
    let output = ''
    const child = spawn(join(bin, command), args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk) => {
        output += chunk
      })
    child.on('error', fail)
    child.on('close', (code) => (code === 0 ? done() : fail(new Error(`${name}: failed\n${output}`))))
  })

const checks = async (): Promise<void> => {
  process.stdout.write('Types, lint and format\n')
  // With several checkers tsc reads the sources several times; with one it takes half the processor time.
  await Promise.all([
    check('Types', 'tsc', ['--noEmit', '--checkers', '1']),
    check('Types of the dashboard', 'tsc', ['--noEmit', '--checkers', '1', '-p', 'packages/dashboard']),
    check('Types of the buyer’s page', 'tsc', ['--noEmit', '-p', 'packages/server/src/http/pay/browser']),
    check('Types of the set-up page', 'tsc', ['--noEmit', '-p', 'packages/server/src/http/pair/browser']),
    check('Lint and format', 'biome', ['check', '--error-on-warnings']),
  ])
}

const dataDir = mkdtempSync(join(tmpdir(), 'sanad-test-'))
// Every process loads the whole service. With the compile cache, code that one process has compiled is not compiled again.
const compiled = mkdtempSync(join(tmpdir(), 'sanad-compiled-'))
// The data does not outlive the run, so nothing is flushed to disk or vacuumed. Tests of crashes start their own PostgreSQL.
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: 0,
  autovacuum: 'off',
  max_connections: 600,
}
// SANAD_TEST_SERVER: the URL of another PostgreSQL to run against, such as the oldest supported version.
const otherServer = process.env.SANAD_TEST_SERVER
const postgres =
  otherServer === undefined
    ? await openEmbedded({ dataDir, role: 'tests', settings })
    : { adminUrl: otherServer, stop: async () => dropTemplates(otherServer) }

const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort())

/** How long the tests of each file took. */
const testTimes = new Map<string, number>()
const timesFile = join(compiled, 'process-times')

/** Prints where the time went. A process takes longer than its tests: it starts, loads the service, and exits. */
const printSlowest = (): void => {
  const seconds = (ms: number): string => (ms / 1000).toFixed(1).padStart(9)
  const write = (title: string, rows: readonly string[]): void =>
    void process.stdout.write(`${title}\n${rows.join('\n')}\n`)
  const times: ProcessTime[] = existsSync(timesFile)
    ? readFileSync(timesFile, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    : []
  write(
    'Slowest processes: seconds from start to end, of processor, of processor of the programs that it started',
    times
      .sort((one, other) => other.wall_ms - one.wall_ms)
      .slice(0, mostPrinted)
      .map(({ file, wall_ms, cpu_ms, children_ms }) =>
        [wall_ms, cpu_ms, children_ms]
          .map(seconds)
          .concat(`  ${basename(file)}`)
          .join(''),
      ),
  )
  write(
    'Slowest files: seconds of tests',
    [...testTimes]
      .sort(([, one], [, other]) => other - one)
      .slice(0, mostPrinted)
      .map(([name, ms]) => `${seconds(ms)}  ${name}`),
  )
}

const runTests = (files: readonly string[], demo: Demo): Promise<boolean> =>
  new Promise((done, fail) => {
    const tests = run({
      files: files.map((path) => resolve(root, path)),
      cwd: root,
      concurrency: processes,
      execArgv: ['--import', join(import.meta.dirname, 'support/measure-process.ts')],
      // The limit for one test. A shared machine may be several times slower.
      timeout: isSlowRun ? 900_000 : 300_000,
      signal: stopped.signal,
      env: {
        ...process.env,
        SANAD_TEST_PG: postgres.adminUrl,
        SANAD_TEST_DEMO: JSON.stringify(demo),
        SANAD_TEST_SLOW: isSlowRun ? '1' : '0',
        SANAD_TEST_TIMES: timesFile,
        NODE_COMPILE_CACHE: compiled,
      },
    })
    let passed = true
    tests.on('test:fail', ({ todo }) => {
      if (todo === undefined) passed = false
    })
    const add = (file: string, ms: number): void => void testTimes.set(file, (testTimes.get(file) ?? 0) + ms)
    for (const event of ['test:pass', 'test:fail'] as const)
      tests.on(event, ({ file, name, nesting, details }) => {
        // In a process that several files share, each file is a test (see `combinedFile`).
        if (nesting === 0 && file !== undefined) add(file.endsWith('.mjs') ? name : basename(file), details.duration_ms)
      })
    tests.on('error', fail)
    tests.on('end', () => done(passed))
    tests.compose(new spec()).pipe(process.stdout)
  })

let status = 1
try {
  const [, demo] = await Promise.all([
    builtDashboard((line) => void process.stdout.write(`${line}\n`)),
    prepareTemplates(postgres.adminUrl),
  ])
  const files =
    only.length > 0
      ? only.map((path) => (usesBrowser(path) ? combinedFile([path], compiled, basename(path)) : path))
      : chosenFiles(compiled)
  // Installed once, before the tests: two processes that install it at the same time would disturb each other.
  if (only.length === 0 || only.some(usesBrowser)) findChromium()
  // The checks run beside the tests, which often wait. A failed check stops the tests.
  const checked = only.length === 0 && !isSlowRun ? checks() : Promise.resolve()
  checked.catch(() => stopped.abort())
  const passed = await runTests(files, demo)
  printSlowest()
  await checked
  if (passed) status = 0
} catch (fault) {
  process.stderr.write(`${(fault as Error).message}\n`)
} finally {
  const tests_ms = childrenCpu_ms()
  await postgres.stop()
  const all_ms = childrenCpu_ms()
  // A run takes at least this sum divided by the number of processors.
  if (tests_ms !== undefined && all_ms !== undefined)
    process.stdout.write(
      `Seconds of processor: ${(tests_ms / 1000).toFixed(0)} tests and checks, ${((all_ms - tests_ms) / 1000).toFixed(0)} PostgreSQL\n`,
    )
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(compiled, { recursive: true, force: true })
}
process.exitCode = status
// After an abort the test runner may still hold the pipe of a process that it has killed.
setTimeout(() => process.exit(), 5_000).unref()
