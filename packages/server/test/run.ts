/**
 * Runs the tests. `npm test` runs the types, lint and format, and every test that is not slow. `npm run test:slow` runs the files
 * named `*.slow.test.ts`, and the files that import support/runs.ts, which then repeat their random tests more often. With words
 * (runner/choose-files.ts), only the files that they name run, without the checks. PostgreSQL, Chromium and the built dashboard
 * are prepared once for all files, and only if one of the files needs them (runner/needs.ts). Each test file copies its own
 * database from a template.
 */
import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, relative, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { compileCache, keepDurations, readDurations } from './runner/cache-folder.ts'
import { filesNamed, isSlow, type Request, readRequest } from './runner/choose-files.ts'
import { collectFailures, type Failure, filesToRunAgain } from './runner/failures.ts'
import { root } from './runner/imports.ts'
import { needsOf } from './runner/needs.ts'
import {
  guessedDuration,
  ownProcessOf,
  planProcesses,
  type TestFile,
  type TestProcess,
} from './runner/plan-processes.ts'
import type { TestCluster } from './runner/test-cluster.ts'
import { childrenCpu_ms, type ProcessTime } from './runner/test-process.ts'

const bin = join(root, 'node_modules/.bin')
/** How many of the slowest processes and files are printed. */
const mostPrinted = Number(process.env.SANAD_TEST_SHOWN ?? 12)
/** More files than these share processes. */
const mostOwnProcesses = 6

/**
 * How many test processes run at once. With four of them, two processors were idle for a quarter of the time, since most
 * tests wait for a database, a browser or a timer. Slow tests start their own services and databases: there four is enough.
 */
const processesAtOnce = (slow: boolean): number => Number(process.env.SANAD_TEST_PROCESSES ?? (slow ? 4 : 6))

/** The test files that were asked for. */
const chosenFiles = (every: readonly string[], { words, name, slow }: Request): TestFile[] => {
  // npm changes to the root of the repository; a path is relative to where the user is.
  const here = relative(root, process.env.INIT_CWD ?? root)
  const asked = words.map((word) =>
    existsSync(resolve(root, here, word)) ? relative(root, resolve(root, here, word)) : word,
  )
  const named = words.length > 0 ? filesNamed(every, asked, slow) : every
  const withNeeds = named.map((path) => ({ path, needs: needsOf(path) }))
  const wanted = withNeeds.filter(({ path, needs }) => {
    if (words.length > 0) return true
    // Without words, a name is looked for in the files that contain it.
    if (name !== undefined && !new RegExp(name).test(readFileSync(join(root, path), 'utf8'))) return false
    return slow ? isSlow(path) || needs.runs : !isSlow(path)
  })
  if (wanted.length === 0) throw new Error(`No test file contains "${name}": name the file as well.`)
  const remembered = readDurations()
  return wanted.map((file) => ({
    ...file,
    duration_ms: remembered[file.path] ?? guessedDuration(file.path, file.needs),
  }))
}

/** The processes that run the files. In a shared process every file is a test, which a pattern of names would leave out. */
const processesFor = (files: readonly TestFile[], { words, name, watch }: Request, into: string): TestProcess[] => {
  const each = watch || name !== undefined || (words.length > 0 && files.length <= mostOwnProcesses)
  if (each) return files.map(ownProcessOf)
  // In a shared process the test runner starts the tests of a file without waiting for its top-level before().
  const withBefore = files.filter(
    ({ path, needs }) => !needs.ownProcess && readFileSync(join(root, path), 'utf8').includes('\nbefore('),
  )
  if (withBefore.length > 0)
    throw new Error(`instead of before(), await at the top of ${withBefore.map(({ path }) => path).join(', ')}`)
  return planProcesses(files, into)
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
    check('Types of the voucher’s page', 'tsc', ['--noEmit', '-p', 'packages/server/src/http/voucher/browser']),
    check('Lint and format', 'biome', ['check', '--error-on-warnings']),
  ])
}

type Run = {
  readonly processes: readonly TestProcess[]
  readonly request: Request
  readonly cluster: TestCluster | undefined
  readonly timesFile: string
  readonly signal: AbortSignal
  readonly atOnce: number
}

/** `testTimes`: how long the tests of each file took. */
type Outcome = {
  readonly failures: readonly Failure[]
  readonly tests: number
  readonly testTimes: ReadonlyMap<string, number>
}

const runTests = ({ processes, request, cluster, timesFile, signal, atOnce }: Run): Promise<Outcome> =>
  new Promise((done, fail) => {
    const { slow, name, watch } = request
    const tests = run({
      files: processes.map(({ path }) => path),
      cwd: root,
      concurrency: atOnce,
      execArgv: ['--import', join(import.meta.dirname, 'runner/test-process.ts')],
      // The limit for one test. A shared machine may be several times slower.
      timeout: slow ? 900_000 : 300_000,
      signal,
      watch,
      ...(name === undefined ? {} : { testNamePatterns: name }),
      env: {
        ...process.env,
        ...(cluster === undefined
          ? {}
          : { SANAD_TEST_PG: cluster.adminUrl, SANAD_TEST_DEMO: JSON.stringify(cluster.demo) }),
        SANAD_TEST_WITHOUT_PG: JSON.stringify(processes.filter(({ postgres }) => !postgres).map(({ path }) => path)),
        SANAD_TEST_SLOW: slow ? '1' : '0',
        SANAD_TEST_TIMES: timesFile,
        NODE_COMPILE_CACHE: compileCache(),
      },
    })
    let count = 0
    const testTimes = new Map<string, number>()
    const { failures, add: addFailure } = collectFailures()
    tests.on('test:fail', (failed) => {
      if (failed.todo === undefined) addFailure(failed)
    })
    const add = (path: string, ms: number): void => void testTimes.set(path, (testTimes.get(path) ?? 0) + ms)
    for (const event of ['test:pass', 'test:fail'] as const)
      tests.on(event, ({ file, name, nesting, details }) => {
        // In a process that several files share, each file is a test (runner/plan-processes.ts).
        if (nesting === 0 && file !== undefined)
          add(file.endsWith('.mjs') ? name : relative(root, file), details.duration_ms)
      })
    tests.on('test:summary', ({ file, counts }) => {
      if (file !== undefined) count += counts.tests
    })
    tests.on('error', fail)
    tests.on('end', () => done({ failures, tests: count, testTimes }))
    tests.compose(new spec()).pipe(process.stdout)
  })

/** Prints where the time went. A process takes longer than its tests: it starts, loads the service, and exits. */
const printSlowest = (timesFile: string, testTimes: ReadonlyMap<string, number>): void => {
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

/** Starts what the files need. The modules are loaded only then: they are most of the service. */
const prepare = async (files: readonly TestFile[], dataDir: string): Promise<TestCluster | undefined> => {
  const isNeeded = (need: 'postgres' | 'browser' | 'dashboard'): boolean => files.some(({ needs }) => needs[need])
  // Installed once, before the tests: two processes that install it at the same time would disturb each other.
  if (isNeeded('browser')) (await import('../../dashboard/test/chromium.ts')).findChromium()
  const [cluster] = await Promise.all([
    isNeeded('postgres')
      ? import('./runner/test-cluster.ts').then(({ otherServer, startCluster }) =>
          // SANAD_TEST_SERVER: the URL of another PostgreSQL to run against, such as the oldest supported version.
          process.env.SANAD_TEST_SERVER === undefined
            ? startCluster(dataDir)
            : otherServer(process.env.SANAD_TEST_SERVER),
        )
      : undefined,
    isNeeded('dashboard')
      ? import('../src/built-dashboard.ts').then(({ builtDashboard }) =>
          builtDashboard((line) => void process.stdout.write(`${line}\n`)),
        )
      : undefined,
  ])
  return cluster
}

const main = async (): Promise<boolean> => {
  const request = readRequest(process.argv.slice(2))
  const tests = [
    'packages/*/{src,test}/**/*.test.ts',
    'release/*.test.ts',
    'bench/**/*.test.ts',
    'plugins/*/test/units.test.ts',
    'sdks/test/*.test.ts',
  ]
  const every = globSync(tests, {
    cwd: root,
  }).sort()
  const files = chosenFiles(every, request)
  const stopped = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort())
  const dataDir = mkdtempSync(join(tmpdir(), 'sanad-test-'))
  const forRun = mkdtempSync(join(tmpdir(), 'sanad-run-'))
  let cluster: TestCluster | undefined
  try {
    cluster = await prepare(files, dataDir)
    const processes = processesFor(files, request, forRun)
    const all = request.words.length === 0 && request.name === undefined
    // The checks run beside the tests, which often wait. A failed check stops the tests.
    const checked = all && !request.slow ? checks() : Promise.resolve()
    checked.catch(() => stopped.abort())
    const timesFile = join(forRun, 'process-times')
    const forAll = { request, cluster, timesFile, signal: stopped.signal }
    const { failures, tests, testTimes } = await runTests({
      ...forAll,
      processes,
      atOnce: processesAtOnce(request.slow),
    })
    if (all || files.length > 1) printSlowest(timesFile, testTimes)
    if (request.name === undefined && !stopped.signal.aborted) keepDurations(testTimes, (path) => every.includes(path))
    await checked
    // A process that ended early may have left files of its list to none.
    const isShared = processes.some(({ path }) => path.endsWith('.mjs'))
    const lost = isShared ? files.filter(({ path, needs }) => !needs.ownProcess && !testTimes.has(path)) : []
    if (lost.length > 0) throw new Error(`These files did not run: ${lost.map(({ path }) => path).join(', ')}`)
    if (request.name !== undefined && tests === 0 && !request.watch)
      throw new Error(`No test of these files has a name that matches "${request.name}".`)
    const again = all && !stopped.signal.aborted ? filesToRunAgain(failures) : []
    if (again.length === 0) return failures.length === 0
    process.stdout.write(
      `These tests ran out of time; their files run once more, alone:\n${failures.map(({ file, name }) => `  ${file}: ${name}\n`).join('')}`,
    )
    const repeated = files.filter(({ path }) => again.includes(path)).map(ownProcessOf)
    // A file that is not in the list did not fail: its process did.
    if (repeated.length < again.length) return false
    return (await runTests({ ...forAll, processes: repeated, atOnce: 1 })).failures.length === 0
  } finally {
    const tests_ms = childrenCpu_ms()
    await cluster?.stop()
    const all_ms = childrenCpu_ms()
    // A run takes at least this sum divided by the number of processors.
    if (tests_ms !== undefined && all_ms !== undefined)
      process.stdout.write(
        `Seconds of processor: ${(tests_ms / 1000).toFixed(1)} tests and checks, ${((all_ms - tests_ms) / 1000).toFixed(1)} PostgreSQL\n`,
      )
    for (const folder of [dataDir, forRun]) rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = await main().then(
  (passed) => (passed ? 0 : 1),
  (fault: Error) => {
    process.stderr.write(`${fault.message}\n`)
    return 1
  },
)
// After an abort the test runner may still hold the pipe of a process that it has killed.
setTimeout(() => process.exit(), 5_000).unref()
