/**
 * A database of the version before the migrations were squashed (docs/decisions/0031) becomes one of this version, and loses
 * nothing. `fixtures/earlier-database.sql.gz` was really made by that version: its 27 migrations on PostgreSQL 15, the demo
 * account, intents of every status, alerts of every state; dumped by `pg_dump --inserts`. `fixtures/earlier.backup` is what
 * its own `sanad backup` wrote of the same database.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import pg from 'pg'
import type { Demo } from '../../src/commands/shop/demo.ts'
import { migrationsFolder } from '../../src/open-store.ts'
import { backup } from '../../src/postgres/backup/backup.ts'
import { restore } from '../../src/postgres/backup/restore.ts'
import { migrate, readMigrations } from '../../src/postgres/maintenance/migrate.ts'
import { differences, paysOn, type Rows } from '../backup/backup-story.ts'
import { dumpSchema } from '../support/schema-dump.ts'
import { startRealPostgres } from '../support/servers/real-postgres.ts'
import { copyOf, emptyDatabase, freshDatabase, type TestDatabase } from '../support/test-databases.ts'

const fixture = (name: string): string => join(import.meta.dirname, '../fixtures', name)
const earlierSql = gunzipSync(readFileSync(fixture('earlier-database.sql.gz'))).toString('utf8')
const { master_key, ...demo } = JSON.parse(readFileSync(fixture('earlier-demo.json'), 'utf8')) as Demo & {
  master_key: string
}
const shop = { demo, masterKey: new Uint8Array(Buffer.from(master_key, 'base64')) }
const folder = mkdtempSync(join(tmpdir(), 'sanad-earlier-'))
after(() => rmSync(folder, { recursive: true }))

const query = async (url: string, sql: string): Promise<pg.QueryResult> => {
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC' })
  await client.connect()
  return client.query(sql).finally(() => client.end())
}

/** Tables that later migrations added: they are empty. */
const addedTables = [
  'api_calls',
  'checkout_intents',
  'checkout_keys',
  'checkout_pages',
  'checkouts',
  'claimed_payers',
  'endpoint_hours',
  'payment_links',
  'phone_rhythms',
  'phone_setups',
  'unique_amounts',
  'sample_events',
]
/** Columns that later migrations added, by table. */
const addedColumns: Readonly<Record<string, readonly string[]>> = {
  accounts: ['country'],
  devices: ['heartbeat_at', 'heartbeat_s', 'self_test_at', 'self_test_until'],
  providers: ['display_name_ar', 'country', 'pay_steps_ar', 'pay_steps_en', 'app_link'],
  sessions: ['kind'],
  wallets: ['unique_amounts', 'unique_amounts_most'],
}

/** Every row as JSON, its columns by name: their order may be another. Without what this version drops, which was empty, and
 *  without the columns that it adds. */
const rowsOf = async (url: string): Promise<Rows> => {
  const tables = await query(
    url,
    `select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'webhook_notices' order by 1`,
  )
  const rows = new Map<string, readonly string[]>()
  for (const { name } of tables.rows) {
    if (addedTables.includes(name)) continue
    const added = (addedColumns[name] ?? []).map((column) => ` - '${column}'`).join('')
    const found = await query(url, `select (to_jsonb(t)${added})::text as row from only public.${name} t order by 1`)
    rows.set(
      name,
      found.rows.map(({ row }) => row),
    )
  }
  return rows
}

/** The schema without the order of columns, and without the partitions of single days. */
const shapeOf = async (url: string): Promise<string[]> =>
  (await dumpSchema(url))
    .split('\n\n')
    .filter((part) => !/^create table delivery_(attempts|ends)_d\d/m.test(part))
    .map((part) => part.split('\n').sort().join('\n'))

const first = await emptyDatabase()
await query(first.url, earlierSql)
after(first.drop)
const earlierDatabase = (): Promise<TestDatabase> => copyOf(first)

const all = (await readMigrations(migrationsFolder)).length
const ledgerOf = async (url: string): Promise<string[]> =>
  (await query(url, 'select name from public.migrations order by name')).rows.map(({ name }) => name)

/** Takes it over and holds it against what it was and against a database that is new. */
const isTakenOver = async (url: string, fresh: string): Promise<void> => {
  const before = await rowsOf(url)
  assert.equal((await migrate(url, migrationsFolder)).ran, all)
  assert.deepEqual(await shapeOf(url), await shapeOf(fresh))
  assert.deepEqual(differences(before, await rowsOf(url)), [])
  // A node of the version before counts its 27 migrations to know whether it is ready.
  assert.equal((await ledgerOf(url)).length, 27 + all)
  assert.equal((await migrate(url, migrationsFolder)).ran, 0)
}

test('a database of the version before becomes one of this version, and a payment verifies on it', async () => {
  const [old, fresh] = [await earlierDatabase(), await freshDatabase()]
  await isTakenOver(old.url, fresh.url)
  const intents = 'select count(*)::int as n from intents'
  const before = (await query(old.url, intents)).rows[0].n
  await paysOn(old.url, shop)
  assert.equal((await query(old.url, intents)).rows[0].n, before + 1)
  assert.equal((await migrate(old.url, migrationsFolder)).ran, 0)
  await old.drop()
  await fresh.drop()
})

test('the first start of this version takes it over', async () => {
  const old = await earlierDatabase()
  await paysOn(old.url, shop)
  assert.equal((await ledgerOf(old.url)).length, 27 + all)
  await old.drop()
})

test('the same on a PostgreSQL of the operator', async () => {
  const server = await startRealPostgres()
  try {
    const [old, fresh] = [await server.create('old'), await server.create('fresh')]
    await query(old, earlierSql)
    await migrate(fresh, migrationsFolder)
    await isTakenOver(old, fresh)
  } finally {
    await server.stop()
  }
})

test('rows of every table were there to be lost', async () => {
  const old = await earlierDatabase()
  const rows = await rowsOf(old.url)
  // Single days without a delivery.
  const empty = [...rows].filter(([name, found]) => found.length === 0 && !/^delivery_/.test(name))
  assert.deepEqual(empty, [])
  const values = async (sql: string) => (await query(old.url, sql)).rows.map(({ value }) => value)
  assert.equal((await values('select distinct status as value from public.intents')).length, 5)
  assert.equal((await values('select distinct state as value from public.alerts')).length, 11)
  await old.drop()
})

test('several nodes that start at once take it over once', async () => {
  const old = await earlierDatabase()
  const runs = await Promise.all([1, 2, 3].map(() => migrate(old.url, migrationsFolder)))
  assert.deepEqual(runs.map(({ ran }) => ran).sort(), [0, 0, all])
  await old.drop()
})

test('a database that stopped half-way, or whose migrations were others, is refused and left as it is', async () => {
  const old = await earlierDatabase()
  await query(old.url, `update public.migrations set hash = 'another' where name = '0003_webhooks.sql'`)
  await assert.rejects(migrate(old.url, migrationsFolder), /0003_webhooks\.sql was not as Sanad wrote it when it ran/)
  await query(old.url, `delete from public.migrations where name >= '0003'`)
  const before = await dumpSchema(old.url)
  await assert.rejects(
    migrate(old.url, migrationsFolder),
    /Only 2 of the 27 migrations .* up to 0002_money_seen\.sql: start the last version that has 0027_master_keys\.sql/,
  )
  assert.equal(await dumpSchema(old.url), before)
  assert.deepEqual(await ledgerOf(old.url), ['0001_house.sql', '0002_money_seen.sql'])
  await old.drop()
})

test('a backup that the version before made is restored, and a payment verifies on it', async () => {
  const [old, bare, started] = [await earlierDatabase(), await emptyDatabase(), await freshDatabase()]
  const before = await rowsOf(old.url)
  const file = fixture('earlier.backup')
  await restore({ url: bare.url, file, migrationsFolder })
  assert.deepEqual(differences(before, await rowsOf(bare.url)), [])
  // The restore runs the migrations that are newer than the backup.
  assert.equal((await migrate(bare.url, migrationsFolder)).ran, 0)
  assert.deepEqual(differences(before, await rowsOf(bare.url)), [])
  await assert.rejects(restore({ url: started.url, file, migrationsFolder }), /into a database without tables/)
  await paysOn(bare.url, shop)
  for (const database of [old, bare, started]) await database.drop()
})

test('this version backs up a database of the version before, and restores into one that is empty', async () => {
  const [old, bare, empty] = [await earlierDatabase(), await emptyDatabase(), await earlierDatabase()]
  const file = join(folder, 'made-today')
  const made = await backup({
    url: old.url,
    file,
    migrationsFolder,
    sanadVersion: 'test',
    masterKeyFingerprint: null,
    now: Date.parse('2026-01-03T00:00:00Z'),
  })
  assert.deepEqual(made.leftOut, [])
  const before = await rowsOf(old.url)
  await restore({ url: bare.url, file, migrationsFolder })
  assert.deepEqual(differences(before, await rowsOf(bare.url)), [])

  // As the first start of the version before leaves it.
  await query(
    empty.url,
    `set session_replication_role = replica;
     do $$ declare name text; begin
       for name in select tablename from pg_tables where schemaname = 'public' and tablename <> 'migrations' loop
         execute format('delete from public.%I', name);
       end loop; end $$`,
  )
  await restore({ url: empty.url, file, migrationsFolder })
  assert.deepEqual(differences(before, await rowsOf(empty.url)), [])
  assert.equal((await ledgerOf(empty.url)).length, 27 + all)
  for (const database of [old, bare, empty]) await database.drop()
})
