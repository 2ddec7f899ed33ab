import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

test('accounts from before the testing wallets have one afterwards, and those that had one keep it', async () => {
  const old = await emptyDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'sanad-migrations-'))
  after(async () => {
    rmSync(folder, { recursive: true })
    await old.drop()
  })
  const all = readdirSync(migrationsFolder).sort()
  const since = all.findIndex((name) => name.endsWith('_things.sql'))
  for (const name of all.slice(0, since)) cpSync(join(migrationsFolder, name), join(folder, name))
  await migrate(old.url, folder)
  const client = new pg.Client({ connectionString: old.url })
  await client.connect()
  try {
    await client.query(`
      insert into accounts (id, name, created_at) select md5(n::text)::uuid, 'Shop', now() from generate_series(1, 2) n;
      insert into providers (id, name, display_name, theme_color) values (md5('p')::uuid, 'p', 'P', '#000000');
      insert into wallets (id, account_id, provider_id, name, account_number, is_test, created_at)
      values (md5('w')::uuid, md5('1')::uuid, md5('p')::uuid, 'Ours', '7', true, now())`)
    await migrate(old.url, migrationsFolder)
    const { rows } = await client.query(
      `select account_id = md5('1')::uuid as first, name, is_test, active from wallets order by first desc`,
    )
    assert.deepEqual(rows, [
      { first: true, name: 'Ours', is_test: true, active: true },
      { first: false, name: 'Test wallet', is_test: true, active: true },
    ])
  } finally {
    await client.end()
  }
})
