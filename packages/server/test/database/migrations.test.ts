import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import pg from 'pg'
import { migrationsFolder } from '../../src/open-store.ts'
import { migrate, readMigrations, readReleased } from '../../src/postgres/maintenance/migrate.ts'
import { emptyDatabase } from '../support/test-databases.ts'

const database = await emptyDatabase()
after(() => database.drop())

const query = async (sql: string, values: unknown[] = []): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  return client.query(sql, values).finally(() => client.end())
}

test('four nodes that start at once on an empty database migrate it once', async () => {
  const all = (await readMigrations(migrationsFolder)).length
  const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(database.url, migrationsFolder)))
  assert.deepEqual(runs.map((run) => run.ran).sort(), [0, 0, 0, all])
  assert.deepEqual((await query('select count(*)::int as n from migrations')).rows, [{ n: all }])
  assert.deepEqual((await query('select count(*)::int as n from tally_progress')).rows, [{ n: 1 }])
})

test('every table has a comment, and so has every unique index that is not a constraint', async () => {
  const { rows } = await query(`
    select c.relname as name from pg_class c left join pg_index i on i.indexrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and obj_description(c.oid, 'pg_class') is null
       and (c.relkind in ('r', 'p')
            or i.indisunique and not exists (select from pg_constraint o where o.conindid = c.oid))
     order by 1`)
  assert.deepEqual(rows, [])
})

/** Columns that need no comment in any table: ids, times, and words that explain themselves. */
const selfExplanatory =
  /^(id|\w+_id|at|began_at|created_at|claimed_at|dismissed_at|expires_at|ran_at|verified_at|name|email|currency|status|version|method|url|description|notes|customer_(name|phone)|logo_(type|width|height))$/

test('every column has a comment, unless its name explains itself', async () => {
  const { rows } = await query(`
    select c.relname as table, a.attname as column
      from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and a.attnum > 0 and not a.attisdropped and col_description(c.oid, a.attnum) is null
     order by 1, 2`)
  const missing = rows.filter(({ column }) => !selfExplanatory.test(column))
  assert.deepEqual(
    missing.map(({ table, column }) => `${table}.${column}`),
    [],
  )
})

test('no migration is changed any more, and none is left out of the list of their hashes', async () => {
  const released = await readReleased(migrationsFolder)
  const files = await readMigrations(migrationsFolder)
  assert.deepEqual(
    files.map(({ name, hash }) => [name, hash]),
    Object.entries(released).map(([name, [hash]]) => [name, hash]),
    'A migration that others may have run is never edited. Put a new one into migrations/released.json when it is finished.',
  )
})

test('a database that ran a file before its comments were changed starts as it is', async () => {
  const released = await readReleased(migrationsFolder)
  for (const [name, [hash, former]] of Object.entries(released)) {
    if (former === undefined) continue
    await query('update migrations set hash = $1 where name = $2', [former, name])
    assert.deepEqual(await migrate(database.url, migrationsFolder), { ran: 0, all: Object.keys(released).length })
    await query('update migrations set hash = $1 where name = $2', [hash, name])
  }
})

test('a migration that was changed after it ran stops the start and changes nothing', async () => {
  await query(`update migrations set hash = 'another' where name like '0001%'`)
  await assert.rejects(migrate(database.url, migrationsFolder), /ran another text of migrations\/0001_accounts\.sql/)
  await query('truncate migrations')
  await assert.rejects(
    migrate(database.url, migrationsFolder),
    /0001_accounts\.sql failed and changed nothing: .*already exists/,
  )
  assert.deepEqual((await query('select count(*)::int as n from migrations')).rows, [{ n: 0 }])
})
