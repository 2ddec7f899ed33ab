/**
 * `npm test`: types, lint and format, then every test, with one real PostgreSQL for all of them. Each test file makes a
 * database of its own from a template that is migrated once. Arguments name single test files.
 */
import { spawn } from 'node:child_process'
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { builtDashboard } from '../src/built-dashboard.ts'
import { openEmbedded } from '../src/postgres/open-embedded.ts'
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
  'packages/dashboard/test/settings.test.ts',
  'packages/dashboard/test/every-screen.test.ts',
  'packages/server/test/process.test.ts',
  'packages/dashboard/test/settings-pages.test.ts',
  'packages/server/test/operator-commands.test.ts',
  'packages/server/test/crash.test.ts',
  'packages/dashboard/test/templates.test.ts',
  'packages/server/test/list-plans.test.ts',
  'packages/dashboard/test/money.test.ts',
  'packages/server/test/people-commands.test.ts',
  'packages/dashboard/test/things.test.ts',
  'packages/server/test/phone.test.ts',
  'packages/dashboard/test/webhooks.test.ts',
  'packages/server/test/listen.test.ts',
  'packages/dashboard/test/sign-in.test.ts',
]

/** Every test file, the longest first. */
const everyFile = (): string[] => {
  const gone = longest.filter((path) => !existsSync(join(root, path)))
  if (gone.length > 0) throw new Error(`run.ts begins with files that are not there: ${gone.join(', ')}`)
  return [...new Set([...longest, ...globSync('packages/*/{src,test}/**/*.test.ts', { cwd: root }).sort()])]
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
  await Promise.all([
    check('Types', 'tsc', ['--noEmit']),
    check('Types of the dashboard', 'tsc', ['--noEmit', '-p', 'packages/dashboard']),
    check('Lint and format', 'biome', ['check', '--error-on-warnings']),
  ])
}

const dataDir = mkdtempSync(join(tmpdir(), 'sanad-test-'))
// Every file is a process that loads the whole house: what one has compiled the others need not.
const compiled = mkdtempSync(join(tmpdir(), 'sanad-compiled-'))
// Nothing here outlives the run, so nothing is flushed; the tests of crashes start a PostgreSQL of their own.
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: 200 }
// SANAD_TEST_SERVER: the stories on another PostgreSQL, such as the oldest that is supported.
const own = process.env.SANAD_TEST_SERVER
const postgres =
  own === undefined
    ? await openEmbedded({ dataDir, role: 'tests', settings })
    : { url: own, stop: async () => dropTemplate(own) }

const stopped = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort())

const runTests = (files: readonly string[]): Promise<boolean> =>
  new Promise((done, fail) => {
    const tests = run({
      files: files.map((path) => resolve(root, path)),
      cwd: root,
      // More than there are processors on a small machine: some of them always wait.
      concurrency: 4,
      timeout: 180_000,
      signal: stopped.signal,
      env: { ...process.env, SANAD_TEST_PG: postgres.url, NODE_COMPILE_CACHE: compiled },
    })
    let right = true
    tests.on('test:fail', ({ todo }) => {
      if (todo === undefined) right = false
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
    prepareTemplate(postgres.url),
  ])
  if (await runTests(only.length > 0 ? only : everyFile())) status = 0
} catch (fault) {
  process.stderr.write(`${(fault as Error).message}\n`)
} finally {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(compiled, { recursive: true, force: true })
}
process.exitCode = status
