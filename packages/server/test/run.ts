/**
 * `npm test`: types, lint and format, then every test, with one real PostgreSQL for all of them. Each test file makes a
 * database of its own from a template that is migrated once. Arguments name single test files, each then in a process of
 * its own.
 */
import { spawn } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { findChromium } from '../../dashboard/test/chromium.ts'
import { builtDashboard } from '../src/built-dashboard.ts'
import { openEmbedded } from '../src/postgres/embedded/open-embedded.ts'
import { dropTemplate, prepareTemplate } from './template.ts'

const root = resolve(import.meta.dirname, '../../..')
const bin = join(root, 'node_modules/.bin')
const only = process.argv.slice(2)

/**
 * What takes longest begins first, or the others would wait for it at the end. Between those that keep a processor busy
 * stand those that wait, for a lease to lapse or a process to start.
 */
const longest = [
  'packages/server/test/webhook-faults.test.ts',
  'packages/server/test/master-key.test.ts',
  'packages/server/test/ending.test.ts',
  'packages/server/test/process.test.ts',
  'packages/server/test/install.test.ts',
  'packages/server/test/crash.test.ts',
  'packages/server/test/backup-crash.test.ts',
  'packages/server/test/dump-and-restore.test.ts',
  'packages/server/test/grow.test.ts',
  'packages/server/test/list-plans.test.ts',
  'packages/server/test/phone.test.ts',
  'packages/server/test/stream.test.ts',
  'packages/server/test/rate-limits.test.ts',
  'packages/server/test/races.test.ts',
  'packages/server/test/transport.test.ts',
  'packages/server/test/listen.test.ts',
]

/** Those in the browser, the longest first: two processes share them, each with one browser for all of its files. */
const inBrowser = [
  'packages/dashboard/test/every-screen.test.ts',
  'packages/dashboard/test/settings.test.ts',
  'packages/dashboard/test/booking.test.ts',
  'packages/dashboard/test/settings-pages.test.ts',
  'packages/dashboard/test/templates.test.ts',
  'packages/dashboard/test/money.test.ts',
  'packages/dashboard/test/management.test.ts',
  'packages/dashboard/test/webhooks.test.ts',
  'packages/dashboard/test/sign-in.test.ts',
]

/** Those that measure time, or whose fault is another process's: nothing else runs in theirs. Short, and so at the end. */
const alone = [
  'packages/server/src/alerts/templates/template-speed.test.ts',
  'packages/server/src/webhooks/calling/call-receiver.test.ts',
  'packages/server/test/database-away.test.ts',
  'packages/server/test/embedded.test.ts',
  'packages/server/test/failover.test.ts',
  'packages/server/test/limits-redis.test.ts',
  'packages/server/test/mail.test.ts',
  'packages/server/test/silent-database.test.ts',
  'packages/server/test/wake.test.ts',
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

const usesBrowser = (path: string): boolean => readFileSync(join(root, path), 'utf8').includes("from './browser.ts'")

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

/** How long each process took, and in those of several files the tests of each. */
const took = new Map<string, number>()

/** Where the time went: what to look at when the whole takes too long. */
const saySlowest = (): void => {
  const ten = [...took].sort(([, one], [, other]) => other - one).slice(0, 10)
  const lines = ten.map(([name, ms]) => `${(ms / 1000).toFixed(1).padStart(8)} s  ${name}`)
  process.stdout.write(`The slowest, with all of them at once on this machine:\n${lines.join('\n')}\n`)
}

const runTests = (files: readonly string[]): Promise<boolean> =>
  new Promise((done, fail) => {
    const tests = run({
      files: files.map((path) => resolve(root, path)),
      cwd: root,
      // More than there are processors on a small machine: some of them always wait.
      concurrency: 4,
      timeout: 300_000,
      signal: stopped.signal,
      env: { ...process.env, SANAD_TEST_PG: postgres.adminUrl, NODE_COMPILE_CACHE: compiled },
    })
    let right = true
    tests.on('test:fail', ({ todo }) => {
      if (todo === undefined) right = false
    })
    const add = (file: string | undefined, ms: number): void => {
      if (file !== undefined) took.set(basename(file), (took.get(basename(file)) ?? 0) + ms)
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
  if (only.length === 0) saySlowest()
} catch (fault) {
  process.stderr.write(`${(fault as Error).message}\n`)
} finally {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(compiled, { recursive: true, force: true })
}
process.exitCode = status
