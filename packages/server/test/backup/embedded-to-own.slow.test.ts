/**
 * Moving from the embedded PostgreSQL to the operator's own: a backup is made while the service runs and restored into
 * `DATABASE_URL`. The same phone and API key work there.
 */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Demo } from '../../src/commands/shop/demo.ts'
import { systemClock } from '../../src/core/clock.ts'
import { openEmbedded } from '../../src/postgres/embedded/open-embedded.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { columnsWithoutValue, fillEveryTable } from '../support/every-table.ts'
import { dumpSchema } from '../support/schema-dump.ts'
import { startRealPostgres } from '../support/servers/real-postgres.ts'
import { allRows, differences, payAt, type Rows, startService, withoutRecordOf } from './backup-story.ts'

const main = join(import.meta.dirname, '../../src/main.ts')
const dataDir = mkdtempSync(join(tmpdir(), 'sanad-grow-'))
const folder = mkdtempSync(join(tmpdir(), 'sanad-grow-file-'))
const server = await startRealPostgres()
after(async () => {
  await server.stop()
  for (const path of [dataDir, folder]) rmSync(path, { recursive: true, force: true })
})

const sanad = (
  env: Readonly<Record<string, string>>,
  ...args: string[]
): Promise<{ code: number; out: string; err: string }> =>
  new Promise((done) => {
    execFile(process.execPath, [main, ...args], { env: { ...bareEnvironment, ...env } }, (fault, out, err) =>
      done({ code: fault === null ? 0 : Number(fault.code ?? 1), out, err }),
    )
  })

const embedded = { SANAD_DATA_DIR: dataDir }
const inEmbedded = async <T>(work: (url: string) => Promise<T>): Promise<T> => {
  const own = await openEmbedded({ dataDir, role: 'looking in' })
  try {
    return await work(own.url)
  } finally {
    await own.stop()
  }
}
const rowsOfEmbedded = (): Promise<{ rows: Rows; schema: string }> =>
  inEmbedded(async (url) => ({ rows: await allRows(url), schema: await dumpSchema(url) }))

test('embedded to own PostgreSQL: every row is there, and payments verify', async () => {
  const service = await startService(embedded)
  const online = join(folder, 'online.backup')
  let demo: Demo
  try {
    demo = JSON.parse((await sanad(embedded, 'demo', '--json')).out)
    await payAt(service.origin, demo)
    const backup = await sanad(embedded, 'backup', online)
    assert.equal(backup.code, 0, backup.err)
    assert.match(backup.out, /The master key \(.*master\.key\) is not in this file/)
  } finally {
    await service.stop()
  }
  const checked = await sanad({}, 'restore', '--check', online)
  assert.equal(checked.code, 0, checked.err)
  assert.match(checked.out, /Whole and undamaged/)

  const file = join(folder, 'still.backup')
  const SANAD_MASTER_KEY = readFileSync(join(dataDir, 'master.key'), 'utf8').trim()
  await inEmbedded(async (url) => {
    await fillEveryTable(url, Buffer.from(SANAD_MASTER_KEY, 'base64'), systemClock.now())
    assert.deepEqual(await columnsWithoutValue(url), [])
  })
  assert.equal((await sanad(embedded, 'backup', file)).code, 0)
  const { rows, schema } = await rowsOfEmbedded()
  const url = await server.create('grown')
  const restored = await sanad({ DATABASE_URL: url, SANAD_MASTER_KEY }, 'restore', file)
  assert.equal(restored.code, 0, restored.err)
  assert.match(restored.out, /The master key here \(SANAD_MASTER_KEY\) is the one the backup was made with\./)
  assert.deepEqual(differences(withoutRecordOf(rows, file), await allRows(url)), [])
  assert.equal(await dumpSchema(url), schema)

  const grown = await startService({ DATABASE_URL: url, SANAD_MASTER_KEY, SANAD_DATA_DIR: join(dataDir, 'other') })
  try {
    await payAt(grown.origin, demo)
  } finally {
    await grown.stop()
  }
})

test('from PostgreSQL 15 back to the embedded PostgreSQL of a later version: every row is there', async () => {
  const file = join(folder, 'back.backup')
  assert.equal((await sanad({ DATABASE_URL: server.urlOf('grown') }, 'backup', file)).code, 0)
  const other = mkdtempSync(join(tmpdir(), 'sanad-grow-'))
  try {
    const restored = await sanad({ SANAD_DATA_DIR: other }, 'restore', file)
    assert.equal(restored.code, 0, restored.err)
    assert.match(restored.out, /There is no master key here yet \(.*master\.key\): put the one/)
    const own = await openEmbedded({ dataDir: other, role: 'looking in' })
    const found = await allRows(own.url).finally(() => own.stop())
    assert.deepEqual(differences(withoutRecordOf(await allRows(server.urlOf('grown')), file), found), [])
  } finally {
    rmSync(other, { recursive: true, force: true })
  }
})

test('a role that is not superuser can restore; a master key that differs from that of the backup gives a warning', async () => {
  const file = join(folder, 'still.backup')
  await server.run(
    'psql',
    '-q',
    '-c',
    'create role plain login',
    '-c',
    'create database other_key owner plain',
    server.url,
  )
  const url = server.urlOf('other_key').replace('//sanad@', '//plain@')
  const SANAD_MASTER_KEY = randomBytes(32).toString('base64')
  const restored = await sanad({ DATABASE_URL: url, SANAD_MASTER_KEY }, 'restore', file)
  assert.equal(restored.code, 0, restored.err)
  assert.match(restored.out, /WARNING: the master key here .* is not the one the backup was made with/)
  const again = await sanad({ DATABASE_URL: url }, 'backup', join(folder, 'plain.backup'))
  assert.equal(again.code, 0, again.err)
})

test('a backup can be restored into a database on which a service was started once, after it has stopped', async () => {
  const url = await server.create('started_once')
  const env = {
    DATABASE_URL: url,
    NODE_ENV: 'production',
    PUBLIC_URL: 'https://pay.example.com',
    SANAD_MASTER_KEY: readFileSync(join(dataDir, 'master.key'), 'utf8').trim(),
    SANAD_DATA_DIR: join(dataDir, 'other'),
  }
  const service = await startService(env)
  const running = await sanad(env, 'restore', join(folder, 'still.backup'))
  assert.equal(running.code, 1)
  assert.match(running.err, /A service runs on this database: stop it/)
  await service.stop()
  const restored = await sanad(env, 'restore', join(folder, 'still.backup'))
  assert.equal(restored.code, 0, restored.err)
})
