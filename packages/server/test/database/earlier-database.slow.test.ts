/**
 * A database of the version before the migrations were squashed (docs/decisions/0031) is upgraded to this version and loses
 * nothing. That version made `fixtures/earlier-database.sql.gz`: its 27 migrations on PostgreSQL 15, the demo account, intents
 * of every status and alerts of every state, dumped by `pg_dump --inserts`. Its `sanad backup` wrote `fixtures/earlier.backup`
 * from the same database.
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
import { differences, type Rows, startAndPay } from '../backup/backup-story.ts'
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

/** Tables that later migrations added. They are empty after the upgrade. */
const addedTables = [
  'api_calls',
  'approvals',
  'checkout_intents',
  'checkout_keys',
  'checkout_pages',
  'checkouts',
  'claimed_payers',
  'counter_sales',
  'counters',
  'endpoint_hours',
  'handovers',
  'limit_requests',
  'node_clocks',
  'passkey_challenges',
  'passkeys',
  'payment_links',
  'phone_rhythms',
  'phone_setups',
  'pin_tries',
  'pins',
  'push_devices',
  'push_keys',
  'push_pending',
  'push_settings',
  'push_told',
  'reference_claims',
  'role_limits',
  'unique_amounts',
  'sample_events',
  'vouchers',
  'shifts',
  'takings',
  'member_wallets',
  'user_notices',
  'known_browsers',
  'sign_in_failures',
  'link_views',
  'service_hours',
  'backups',
  'retention_settings',
  'retention_progress',
  'account_erasures',
  'account_freezes',
  'account_moves',
  'intent_counts',
]
/** Columns that later migrations added, by table. */
const addedColumns: Readonly<Record<string, readonly string[]>> = {
  accounts: ['country', 'factor_rule_since', 'factor_grace_days'],
  api_keys: ['is_test', 'read_only', 'wallets', 'addresses', 'last_address', 'used_day', 'used_count'],
  alerts: ['sender_new', 'denied_by', 'taken_from', 'erased_at'],
  devices: [
    'heartbeat_at',
    'heartbeat_s',
    'self_test_at',
    'self_test_until',
    'ingest_adapter',
    'refused_app',
    'refused_app_at',
  ],
  events: ['trace'],
  providers: [
    'display_name_ar',
    'country',
    'pay_steps_ar',
    'pay_steps_en',
    'app_link',
    'number_lengths',
    'number_prefixes',
  ],
  sessions: ['kind', 'proved_at'],
  intents: ['arrived', 'forgiven', 'excess'],
  members: ['request_since', 'limited'],
  user_links: ['mail_token_hash', 'wallets'],
  users: ['proved_at', 'invited_by', 'invited_to'],
  webhook_endpoints: ['query_sealed'],
  wallets: [
    'unique_amounts',
    'unique_amounts_most',
    'first_received_at',
    'review_later_messages',
    'sender_at',
    'senders_had',
  ],
}

/** Columns that a migration changes, by table: a phone with a secret of its own loses the address of an app that does not sign. */
const changedColumns: Readonly<Record<string, readonly string[]>> = { devices: ['ingest_token_hash'] }

/** Every row of each table as JSON, with its columns by name, because their order may differ. Without the table that this
 *  version drops, which was empty, and without the columns and tables that it adds or changes. */
const rowsOf = async (url: string): Promise<Rows> => {
  const tables = await query(
    url,
    `select c.relname as name from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'webhook_notices' order by 1`,
  )
  const rows = new Map<string, readonly string[]>()
  for (const { name } of tables.rows) {
    if (addedTables.includes(name)) continue
    const left = [...(addedColumns[name] ?? []), ...(changedColumns[name] ?? [])]
    const without = left.map((column) => ` - '${column}'`).join('')
    const found = await query(url, `select (to_jsonb(t)${without})::text as row from only public.${name} t order by 1`)
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

/** The number of migrations of this version. */
const migrationCount = (await readMigrations(migrationsFolder)).length
const migrationNames = async (url: string): Promise<string[]> =>
  (await query(url, 'select name from public.migrations order by name')).rows.map(({ name }) => name)

/** Upgrades the database. Its rows must be the same as before, and its schema the same as that of a new database. */
const assertUpgraded = async (url: string, fresh: string): Promise<void> => {
  const before = await rowsOf(url)
  assert.equal((await migrate(url, migrationsFolder)).ran, migrationCount)
  assert.deepEqual(await shapeOf(url), await shapeOf(fresh))
  assert.deepEqual(differences(before, await rowsOf(url)), [])
  // A node of the earlier version is ready only if it finds its 27 migrations.
  assert.equal((await migrationNames(url)).length, 27 + migrationCount)
  assert.equal((await migrate(url, migrationsFolder)).ran, 0)
}

test('a database of the earlier version is upgraded, and a payment verifies on it', async () => {
  const [old, fresh] = [await earlierDatabase(), await freshDatabase()]
  await assertUpgraded(old.url, fresh.url)
  const intents = 'select count(*)::int as n from intents'
  const before = (await query(old.url, intents)).rows[0].n
  const unsigned = `select 1 from public.devices
                     where secret_sealed is not null and signing_key_sealed is null and ingest_token_hash is not null`
  assert.deepEqual((await query(old.url, unsigned)).rows, [], 'no phone that signs is heard unsigned')
  await startAndPay(old.url, shop)
  assert.equal((await query(old.url, intents)).rows[0].n, before + 1)
  assert.equal((await migrate(old.url, migrationsFolder)).ran, 0)
  await old.drop()
  await fresh.drop()
})

test('the first start of this version upgrades the database', async () => {
  const old = await earlierDatabase()
  await startAndPay(old.url, shop)
  assert.equal((await migrationNames(old.url)).length, 27 + migrationCount)
  await old.drop()
})

test('the upgrade works on a PostgreSQL of the operator', async () => {
  const server = await startRealPostgres()
  try {
    const [old, fresh] = [await server.create('old'), await server.create('fresh')]
    await query(old, earlierSql)
    await migrate(fresh, migrationsFolder)
    await assertUpgraded(old, fresh)
  } finally {
    await server.stop()
  }
})

test('the earlier database has rows in every table', async () => {
  const old = await earlierDatabase()
  const rows = await rowsOf(old.url)
  // Partitions of days without a delivery are empty.
  const empty = [...rows].filter(([name, found]) => found.length === 0 && !/^delivery_/.test(name))
  assert.deepEqual(empty, [])
  const values = async (sql: string) => (await query(old.url, sql)).rows.map(({ value }) => value)
  assert.equal((await values('select distinct status as value from public.intents')).length, 5)
  assert.equal((await values('select distinct state as value from public.alerts')).length, 11)
  await old.drop()
})

test('several nodes that start at once upgrade the database once', async () => {
  const old = await earlierDatabase()
  const runs = await Promise.all([1, 2, 3].map(() => migrate(old.url, migrationsFolder)))
  assert.deepEqual(runs.map(({ ran }) => ran).sort(), [0, 0, migrationCount])
  await old.drop()
})

test('a database with changed or missing earlier migrations is refused and left unchanged', async () => {
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
  assert.deepEqual(await migrationNames(old.url), ['0001_house.sql', '0002_money_seen.sql'])
  await old.drop()
})

test('a backup of the earlier version is restored, and a payment verifies on it', async () => {
  const [old, bare, started] = [await earlierDatabase(), await emptyDatabase(), await freshDatabase()]
  const before = await rowsOf(old.url)
  const file = fixture('earlier.backup')
  await restore({ url: bare.url, file, migrationsFolder })
  assert.deepEqual(differences(before, await rowsOf(bare.url)), [])
  // The restore has already run the migrations that are newer than the backup.
  assert.equal((await migrate(bare.url, migrationsFolder)).ran, 0)
  assert.deepEqual(differences(before, await rowsOf(bare.url)), [])
  await assert.rejects(restore({ url: started.url, file, migrationsFolder }), /into a database without tables/)
  await startAndPay(bare.url, shop)
  for (const database of [old, bare, started]) await database.drop()
})

test('this version backs up a database of the earlier version, and restores the backup into an empty database', async () => {
  const [old, bare, empty] = [await earlierDatabase(), await emptyDatabase(), await earlierDatabase()]
  const file = join(folder, 'made-today')
  const written = await backup({
    url: old.url,
    file,
    migrationsFolder,
    sanadVersion: 'test',
    masterKeyFingerprint: null,
    now: Date.parse('2026-01-03T00:00:00Z'),
  })
  assert.deepEqual(written.leftOut, [])
  const before = await rowsOf(old.url)
  await restore({ url: bare.url, file, migrationsFolder })
  assert.deepEqual(differences(before, await rowsOf(bare.url)), [])

  // The state after the first start of the earlier version.
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
  assert.equal((await migrationNames(empty.url)).length, 27 + migrationCount)
  for (const database of [old, bare, empty]) await database.drop()
})
