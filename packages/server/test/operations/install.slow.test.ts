/**
 * An install as an operator does it: the code belongs to one user, and another user, who owns only the data directory, runs
 * it. If the tests run as root, that other user is nobody.
 */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, globSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type Embedded, startEmbedded } from '../../src/postgres/embedded/embedded.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { askAt } from '../support/story.ts'

const root = resolve(import.meta.dirname, '../../../..')
const main = join(root, 'packages/server/src/main.ts')
const built = join(root, 'packages/dashboard/dist')
const testFolder = mkdtempSync(join(tmpdir(), 'sanad-install-'))
chmodSync(testFolder, 0o755)
after(() => rmSync(testFolder, { recursive: true, force: true }))

const nobody = 65_534
const reachable = spawnSync('setpriv', [`--reuid=${nobody}`, `--regid=${nobody}`, '--clear-groups', 'test', '-r', main])
/** The user nobody, if the tests run as root and nobody can read the checkout; otherwise the user of the tests. */
const asUser: { readonly uid: number; readonly gid: number } | undefined =
  process.getuid?.() === 0 && reachable.status === 0 ? { uid: nobody, gid: nobody } : undefined

type Ended = { readonly code: number | null; readonly out: string; readonly err: string }

const sanad = (args: readonly string[], env: Record<string, string>, user: object = {}) => {
  const child = spawn(process.execPath, [main, ...args], {
    cwd: testFolder,
    env: { ...bareEnvironment, NODE_COMPILE_CACHE: '', PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  child.stderr.on('data', (chunk) => {
    err += chunk
  })
  const ended = new Promise<Ended>((done) => child.on('close', (code) => done({ code, out, err })))
  const ready = new Promise<string>((done, fail) => {
    child.stdout.on('data', () => {
      const found = /Sanad is ready at (\S+)[\s\S]*Stop it with Ctrl-C/.exec(out)?.[1]
      if (found !== undefined) done(found)
    })
    ended.then(({ code }) => fail(new Error(`it ended with ${code}: ${out}${err}`)))
  })
  ready.catch(() => {})
  return { child, ended, ready }
}

test('sanad build leaves files that every user can read, even in a folder that was closed before', async () => {
  chmodSync(built, 0o700)
  const build = await sanad(['build'], {}).ended
  assert.equal(build.code, 0, build.err)
  assert.match(build.out, /The dashboard is built: \S+\nThe embedded PostgreSQL is complete\.\n$/)
  assert.equal(statSync(built).mode & 0o777, 0o755)
  for (const path of globSync('**/*', { cwd: built })) {
    const { mode } = statSync(join(built, path))
    assert.equal(mode & 0o444, 0o444, path)
  }
})

test('a user who owns only the data directory can run the service, and nothing is built again', async () => {
  const dataDir = join(testFolder, 'data')
  mkdirSync(dataDir, { mode: 0o700 })
  if (asUser !== undefined) chownSync(dataDir, asUser.uid, asUser.gid)
  const before = statSync(join(built, '.stamp')).mtimeMs
  const service = sanad(['start'], { SANAD_DATA_DIR: dataDir }, asUser)
  const origin = await service.ready
  const page = await askAt(`${origin}/`, 'GET', { headers: { accept: 'text/html' } })
  assert.equal(page.status, 200)
  const [file] = /\/assets\/[\w.-]+\.js/.exec(page.text)!
  assert.equal((await askAt(`${origin}${file}`, 'GET', {})).status, 200)
  service.child.kill('SIGTERM')
  const { code, out } = await service.ended
  assert.equal(code, 0)
  assert.doesNotMatch(out, /Building/)
  assert.equal(statSync(join(built, '.stamp')).mtimeMs, before)
  assert.equal(statSync(join(dataDir, 'master.key')).mode & 0o777, 0o600)
})

let postgres: Embedded

before(async () => {
  const dataDir = join(testFolder, 'rows')
  mkdirSync(dataDir)
  const rules = join(testFolder, 'pg_hba.conf')
  writeFileSync(rules, 'local all clerk scram-sha-256\nlocal all stranger reject\nlocal all all trust\n', {
    mode: 0o644,
  })
  postgres = await startEmbedded({ dataDir, settings: { fsync: 'off', shared_buffers: '16MB', hba_file: rules } })
  const client = new pg.Client({ connectionString: postgres.adminUrl })
  await client.connect()
  await client.query(`create role clerk login password 'right'; create role stranger login`)
  await client.end()
})
after(() => postgres.stop())

test('an unreachable database is reported in one sentence: which database, what failed, what to do', async () => {
  const socket = encodeURIComponent(postgres.socketDir)
  const at = (role: string, database: string) => `postgresql://${role}@/${database}?host=${socket}&port=5432`
  const rows: [fault: string, url: string, sentence: RegExp][] = [
    [
      'nothing listens',
      'postgresql://sanad:hidden@127.0.0.1:9/sanad',
      /^The database "sanad" at 127\.0\.0\.1, port 9 cannot be reached: nothing listens there: start PostgreSQL, or correct the host and port in DATABASE_URL\.\n$/,
    ],
    [
      'no such host',
      'postgresql://sanad:hidden@no-such-host.invalid/sanad',
      /^The database "sanad" at no-such-host\.invalid, port 5432 cannot be reached: (no such host is known|its name could not be looked up): .*\.\n$/,
    ],
    [
      'no such socket',
      'postgresql://sanad:hidden@/sanad?host=/nonexistent',
      /^The database "sanad" at \/nonexistent, port 5432 cannot be reached: there is no such socket: .*\.\n$/,
    ],
    [
      'a wrong password',
      at('clerk:hidden', 'sanad'),
      /cannot be reached: the password is wrong: correct the user or the password in DATABASE_URL\.\n$/,
    ],
    [
      'no password',
      at('clerk', 'sanad'),
      /cannot be reached: it asks for a password, and DATABASE_URL has none: add it\.\n$/,
    ],
    ['a user who is not let in', at('stranger', 'sanad'), /cannot be reached: it refuses this user: .*\.\n$/],
    [
      'no such database',
      at('sanad_service', 'hidden_db'),
      /^The database "hidden_db" at \S+, port 5432 cannot be reached: there is no such database: create it \("createdb"\), or correct its name in DATABASE_URL\.\n$/,
    ],
  ]
  for (const args of [['start'], ['account', 'list'], ['migrate']])
    for (const [fault, url, sentence] of args[0] === 'start' ? rows : rows.slice(0, 1)) {
      const env = { DATABASE_URL: url, SANAD_DATA_DIR: join(testFolder, 'none'), LOG_LEVEL: 'fatal' }
      const { code, err } = await sanad(args, env).ended
      assert.equal(code, 1, fault)
      assert.match(err, sentence, fault)
      assert.doesNotMatch(err.replace('hidden_db', ''), /hidden|\n {4}at /, fault)
    }
})
