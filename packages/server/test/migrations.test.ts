import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { migrationsFolder } from '../src/open-store.ts'
import { migrate, readMigrations } from '../src/postgres/migrate.ts'
import { emptyDatabase } from './template.ts'

const database = await emptyDatabase()
after(() => database.drop())

const query = async (sql: string): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  return client.query(sql).finally(() => client.end())
}

test('four nodes that start at once on an empty database migrate it once', async () => {
  const all = (await readMigrations(migrationsFolder)).length
  const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, migrationsFolder)))
  assert.deepEqual(runs.map((run) => run.ran).sort(), [0, 0, 0, all])
  assert.deepEqual((await query('select count(*)::int as n from migrations')).rows, [{ n: all }])
  assert.deepEqual((await query('select count(*)::int as n from tally_progress')).rows, [{ n: 1 }])
})

test('a migration that was changed after it ran stops the start and changes nothing', async () => {
  await query(`update migrations set hash = 'another' where name like '0001%'`)
  await assert.rejects(migrate(database.url, migrationsFolder), /0001_house\.sql was changed after it ran/)
  await query('truncate migrations')
  await assert.rejects(
    migrate(database.url, migrationsFolder),
    /0001_house\.sql failed and changed nothing: .*already exists/,
  )
  assert.deepEqual((await query('select count(*)::int as n from migrations')).rows, [{ n: 0 }])
})
