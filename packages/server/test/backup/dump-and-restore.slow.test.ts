/**
 * PostgreSQL's own tools on a real PostgreSQL: pg_restore and psql bring back every row that pg_dump wrote, and the service
 * verifies a payment on the restored database. This file changes the environment, so it runs in its own process.
 */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { dumpSchema } from '../support/schema-dump.ts'
import { startRealPostgres } from '../support/servers/real-postgres.ts'
import { openTestService } from '../support/story.ts'
import { prepareTemplates } from '../support/test-databases.ts'
import { allRows, differences, fillShop, startAndPay } from './backup-story.ts'

const server = await startRealPostgres()
process.env.SANAD_TEST_PG = server.url
process.env.SANAD_TEST_DEMO = JSON.stringify(await prepareTemplates(server.url))
const service = await openTestService({ SANAD_LIMITS: 'off' })
const folder = mkdtempSync(join(tmpdir(), 'sanad-dump-'))
chmodSync(folder, 0o777)
after(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

await fillShop(service)
const [before, schema] = [await allRows(service.databaseUrl), await dumpSchema(service.databaseUrl)]

const assertSameAndPays = async (url: string): Promise<void> => {
  assert.deepEqual(differences(before, await allRows(url)), [])
  assert.equal(await dumpSchema(url), schema)
  await startAndPay(url, service)
}

test('pg_dump -Fc and pg_restore bring back every row, and a payment verifies on the copy', async () => {
  const file = join(folder, 'custom')
  await server.run('pg_dump', '-Fc', '-f', file, service.databaseUrl)
  const url = await server.create('from_custom')
  await server.run('pg_restore', '--exit-on-error', '-d', url, file)
  await assertSameAndPays(url)
})

test('pg_restore with two jobs brings back every row', async () => {
  const file = join(folder, 'parallel')
  await server.run('pg_dump', '-Fc', '-f', file, service.databaseUrl)
  const url = await server.create('from_parallel')
  await server.run('pg_restore', '--exit-on-error', '--jobs=2', '-d', url, file)
  assert.deepEqual(differences(before, await allRows(url)), [])
})

test('plain pg_dump and psql bring back every row, and a payment verifies on the copy', async () => {
  const file = join(folder, 'plain.sql')
  await server.run('pg_dump', '-f', file, service.databaseUrl)
  const url = await server.create('from_plain')
  await server.run('psql', '-q', '-v', 'ON_ERROR_STOP=1', '-f', file, url)
  await assertSameAndPays(url)
})

test('no function of the schema uses another function or a table without its schema name', async () => {
  const client = new pg.Client({ connectionString: service.databaseUrl })
  await client.connect()
  const { rows } = await client
    .query<{ name: string; body: string }>(
      `select p.proname as name, p.prosrc as body from pg_proc p
        where p.pronamespace = 'public'::regnamespace
          and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e')`,
    )
    .finally(() => client.end())
  const tables = [...before.keys()]
  const ours = [
    ...rows.map(({ name }) => `${name}\\s*\\(`),
    ...tables.map((name) => `(?:from|join|into|update)\\s+${name}\\b`),
  ]
  assert.ok(rows.length >= 3)
  const calls = rows.flatMap(({ name, body }) =>
    ours.filter((other) => new RegExp(`(?<![.\\w])${other}`, 'i').test(body)).map((other) => `${name}: ${other}`),
  )
  assert.deepEqual(calls, [])
})

test('the compared tables have rows', () => {
  for (const name of ['intents', 'alerts', 'events', 'intent_moves', 'delivery_attempts_other', 'audit_log', 'users'])
    assert.ok(before.get(name)!.length > 0, name)
  assert.ok([...before].filter(([name, rows]) => /^delivery_attempts_d/.test(name) && rows.length > 0).length >= 3)
})
