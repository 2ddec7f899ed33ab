/**
 * `npm test`: types, lint and format, then every test, with one real PostgreSQL for all of them. Each test file makes a
 * database of its own from a template that is migrated once. Arguments name single test files.
 */
import { spawn, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { builtDashboard } from '../src/built-dashboard.ts'
import { openEmbedded } from '../src/postgres/open-embedded.ts'
import { dropTemplate, prepareTemplate } from './template.ts'

const root = resolve(import.meta.dirname, '../../..')
const bin = join(root, 'node_modules/.bin')
const only = process.argv.slice(2)

const step = (what: string, command: string, args: string[]): void => {
  process.stdout.write(`${what}\n`)
  const { status } = spawnSync(join(bin, command), args, { cwd: root, stdio: 'inherit' })
  if (status !== 0) {
    process.stderr.write(`${what}: failed\n`)
    process.exit(1)
  }
}

if (only.length === 0) {
  step('Types', 'tsc', ['--noEmit'])
  step('Types of the dashboard', 'tsc', ['--noEmit', '-p', 'packages/dashboard'])
  step('Lint and format', 'biome', ['check', '--error-on-warnings'])
}

await builtDashboard((line) => void process.stdout.write(`${line}\n`))

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
let status = 1
try {
  await prepareTemplate(postgres.url)
  const files = only.length > 0 ? only : globSync('packages/*/{src,test}/**/*.test.ts', { cwd: root }).sort()
  // Not spawnSync: PostgreSQL's log must go on being read.
  const tests = spawn(
    process.execPath,
    ['--test', '--test-concurrency=3', '--test-timeout=180000', '--test-reporter=spec', ...files],
    { cwd: root, stdio: 'inherit', env: { ...process.env, SANAD_TEST_PG: postgres.url, NODE_COMPILE_CACHE: compiled } },
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => tests.kill(signal))
  status = await new Promise<number>((done) => tests.on('exit', (code) => done(code ?? 1)))
} finally {
  await postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
  rmSync(compiled, { recursive: true, force: true })
}
process.exitCode = status
