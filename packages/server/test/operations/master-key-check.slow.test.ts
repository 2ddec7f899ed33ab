/** The master key and the database: a wrong key is refused, one node creates the key, and a key file is rotated. */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { readConfig } from '../../src/config.ts'
import { systemClock } from '../../src/core/clock.ts'
import { loadMasterKeys } from '../../src/master-key.ts'
import { phone } from '../support/phone.ts'
import { slowTest } from '../support/runs.ts'
import { outputOf, untilReady } from '../support/servers/run-sanad.ts'
import { openTestService } from '../support/story.ts'
import { freshDatabase } from '../support/test-databases.ts'
import {
  assertRefused,
  enableSecondFactor,
  keyText,
  missingKeySentence,
  newDataDir,
  newKey,
  onDatabase,
  otherKeySentence,
  sanad,
  signIn,
} from './master-key-commands.ts'

test('a wrong master key is refused, and a missing one is not created, on a database with secrets', async () => {
  const service = await openTestService()
  const env = { DATABASE_URL: service.databaseUrl, SANAD_DATA_DIR: newDataDir(), SANAD_ROLE: 'serve' }
  await assertRefused(['start'], { ...env, SANAD_MASTER_KEY: keyText(newKey()) }, otherKeySentence)
  await assertRefused(['start'], env, missingKeySentence)
  assert.ok(!existsSync(join(env.SANAD_DATA_DIR, 'master.key')), 'no key was created')
})

test('several processes start at once on an empty database, each with its own data directory: one creates the key', async () => {
  const database = await freshDatabase()
  const dirs = [newDataDir(), newDataDir(), newDataDir()]
  const runs = dirs.map((dir) => sanad(['master-key', 'check'], { DATABASE_URL: database.url, SANAD_DATA_DIR: dir }))
  const codes = await Promise.all(runs.map((run) => run.ended))
  assert.deepEqual([...codes].sort(), [0, 1, 1], runs.map((run) => run.output()).join('\n'))
  assert.equal(
    dirs.filter((dir) => existsSync(join(dir, 'master.key'))).length,
    1,
    'a key that seals nothing was created',
  )
  await database.drop()
})

test('a master key of one repeated byte is refused, in the environment and in the file', async () => {
  const guessed = /is one byte repeated 32 times, which anybody can guess/
  for (const byte of [0, 7, 255]) {
    const key = Buffer.alloc(32, byte).toString('base64')
    assert.throws(() => readConfig({ SANAD_MASTER_KEY: key }), guessed)
    const dataDir = newDataDir()
    mkdirSync(dataDir, { recursive: true })
    writeFileSync(join(dataDir, 'master.key'), `${key}\n`)
    await assert.rejects(loadMasterKeys(readConfig({ SANAD_DATA_DIR: dataDir })), guessed)
  }
  const key = Buffer.alloc(32, 7).toString('base64')
  await assertRefused(
    ['start'],
    { SANAD_DATA_DIR: newDataDir(), SANAD_MASTER_KEY: key },
    /^SANAD_MASTER_KEY is one byte repeated/,
  )
})

slowTest('the rotation of a key file restarts no node: the new file is made beside it, then replaces it', async () => {
  const database = await freshDatabase()
  const dataDir = newDataDir()
  const env = { DATABASE_URL: database.url, SANAD_DATA_DIR: dataDir, SANAD_ROLE: 'serve' }
  const node = sanad(['start'], env)
  const origin = await untilReady(node)
  const demo = JSON.parse(/^\{.*\}$/m.exec(await outputOf(sanad(['demo', '--json'], env)))![0])
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const { rows } = await client.query(
    `update devices set secret_sealed = '\\x00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff'
      where id = (select id from devices where name = 'Old phone' order by id limit 1) returning id`,
  )
  await client.end()
  const codes = await enableSecondFactor(origin, demo.dashboard)
  const before = readFileSync(join(dataDir, 'master.key'), 'utf8')
  const rotated = sanad(['master-key', 'rotate'], env)
  assert.equal(await rotated.ended, 0, rotated.output())
  assert.match(
    rotated.output(),
    new RegExp(
      `^Neither key opens devices\\.secret_sealed ${rows[0].id}: it was lost before, and has to be set anew\\.$`,
      'm',
    ),
  )
  const entries = await onDatabase(database.url, (db) =>
    db.query(`select action, kind, account_id, via, after ->> 'generation' as generation
                 from audit_log where kind = 'master_key' order by id`),
  )
  const entry = { kind: 'master_key', account_id: null, via: 'command', generation: '2' }
  assert.deepEqual(entries.rows, [
    { action: 'master_key.rotate_begin', ...entry },
    { action: 'master_key.rotate_done', ...entry },
  ])
  assert.notEqual(readFileSync(join(dataDir, 'master.key'), 'utf8'), before)
  assert.equal(readFileSync(join(dataDir, 'master.key.previous'), 'utf8'), before)
  const kept = readdirSync(dataDir).filter((name) => name !== 'compile-cache')
  assert.deepEqual(kept.sort(), ['master.key', 'master.key.previous'])
  const shopPhone = phone(origin, () => systemClock.now(), demo.device)
  assert.equal((await shopPhone.heartbeat()).status, 200)
  assert.equal((await signIn(origin, demo.dashboard, codes[0])).status, 200)
  node.child.kill('SIGTERM')
  assert.equal(await node.ended, 0)
  rmSync(join(dataDir, 'master.key.previous'))
  await storePlain(database.url, demo.dashboard.email, codes[2]!)
  const next = sanad(['start'], env)
  const newOrigin = await untilReady(next)
  assert.equal((await phone(newOrigin, () => systemClock.now(), demo.device).heartbeat()).status, 200)
  // The start has re-hashed the code of the older version with the key; it works once.
  assert.deepEqual(await plainCodes(database.url), 0)
  for (const [code, status] of [
    [codes[0], 401],
    [codes[2], 200],
    [codes[2], 401],
  ] as const)
    assert.equal((await signIn(newOrigin, demo.dashboard, code)).status, status)
  next.child.kill('SIGTERM')
  await next.ended
  await database.drop()
})

/** Stores a recovery code as an older version did: hashed without a key. */
const storePlain = (url: string, email: string, code: string) =>
  onDatabase(url, (client) =>
    client.query(`update users set recovery = array[sha256((id || ' ' || $2)::bytea)] where email = $1`, [
      email,
      code.replace('-', ''),
    ]),
  )

const plainCodes = (url: string): Promise<number> =>
  onDatabase(url, async (client) => {
    const { rows } = await client.query('select from users, unnest(recovery) as h where length(h) = 32')
    return rows.length
  })
