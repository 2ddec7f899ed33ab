/** Migrations: run once, never changed, and what they do to old rows. */
import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import type { DeliveryId } from '../../src/core/ids.ts'
import { migrationsFolder } from '../../src/open-store.ts'
import { migrate, readMigrations } from '../../src/postgres/maintenance/migrate.ts'
import { eventsOfDelivery } from '../../src/webhooks/log/delivery-id.ts'
import { emptyDatabase } from '../support/test-databases.ts'

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

/** A database as it was before that migration, its rows then, and its rows when it is up to date. */
const upToDate = async (before: string, filled: string, ...asked: string[]): Promise<readonly unknown[]> => {
  const old = await emptyDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'sanad-migrations-'))
  const client = new pg.Client({ connectionString: old.url })
  try {
    const all = readdirSync(migrationsFolder).sort()
    const since = all.findIndex((name) => name.endsWith(before))
    for (const name of all.slice(0, since)) cpSync(join(migrationsFolder, name), join(folder, name))
    await migrate(old.url, folder)
    await client.connect()
    await client.query(filled)
    await migrate(old.url, migrationsFolder)
    const answers: unknown[] = []
    for (const question of asked) answers.push(...(await client.query(question)).rows)
    return answers
  } finally {
    await client.end()
    rmSync(folder, { recursive: true })
    await old.drop()
  }
}

test('accounts from before test wallets existed have one afterwards, and those that had one keep it', async () => {
  const rows = await upToDate(
    '_things.sql',
    `insert into accounts (id, name, created_at) select md5(n::text)::uuid, 'Shop', now() from generate_series(1, 2) n;
     insert into providers (id, name, display_name, theme_color) values (md5('p')::uuid, 'p', 'P', '#000000');
     insert into wallets (id, account_id, provider_id, name, account_number, is_test, created_at)
     values (md5('w')::uuid, md5('1')::uuid, md5('p')::uuid, 'Ours', '7', true, now())`,
    `select account_id = md5('1')::uuid as first, name, is_test, active from wallets order by first desc`,
  )
  assert.deepEqual(rows, [
    { first: true, name: 'Ours', is_test: true, active: true },
    { first: false, name: 'Test wallet', is_test: true, active: true },
  ])
})

test('deliveries from before ids contained their event can be found by id afterwards, with their attempts', async () => {
  const event = '019b7cab-76aa-7f10-8b2d-6c8e0a2c4e5f'
  const [waiting, gone] = ['5d0f0e6a-1111-4222-8333-444455556666', '5d0f0e6a-1111-4222-9333-777788889999']
  const rows = await upToDate(
    '_ids_of_deliveries.sql',
    `set session_replication_role = replica;
     insert into deliveries (id, account_id, event_id, endpoint_id, attempt, due_at, created_at)
     values ('${waiting}', md5('a')::uuid, '${event}', md5('e')::uuid, 1, now(), now());
     insert into delivery_attempts (at, account_id, delivery_id, event_id, endpoint_id, attempt, outcome, request, response, took)
     select now(), md5('a')::uuid, id::uuid, '${event}', md5('e')::uuid, 1, 'ok', '{}', '{}', '{}'
       from unnest(array['${waiting}', '${gone}']) as id;
     insert into delivery_ends (at, account_id, delivery_id, event_id, endpoint_id, replay, attempts, ending)
     values (now(), md5('a')::uuid, '${gone}', '${event}', md5('e')::uuid, 1, 1, 'delivered')`,
    // A node of the version before, not yet replaced, still adds payments to the queue.
    `with older as (
       insert into deliveries (account_id, event_id, endpoint_id, replay, due_at, created_at)
       values (md5('a')::uuid, '${event}', md5('e')::uuid, 2, now(), now()))
     select 'waiting' as what, id from deliveries
     union all select 'ended', delivery_id from delivery_ends
     union all select 'tried', delivery_id from delivery_attempts order by 1, 2`,
  )
  const [first, second] = ['019b7cab-76aa-7f10-8333-444455556666', '019b7cab-76aa-7f10-9333-777788889999']
  assert.deepEqual(rows, [
    { what: 'ended', id: second },
    { what: 'tried', id: first },
    { what: 'tried', id: second },
    { what: 'waiting', id: first },
  ])
  const [from, to] = eventsOfDelivery(first as DeliveryId)
  assert.ok(from < event && event < to)
})

test('notices of failing endpoints are in the one table of notices afterwards, also those that an older node writes', async () => {
  const [told, waiting, late] = [1, 2, 3].map((n) => `019b7cab-76aa-7f10-8333-00000000000${n}`)
  const rows = await upToDate(
    '_owner_notices.sql',
    `insert into accounts (id, name, created_at) values (md5('a')::uuid, 'Shop', now());
     insert into webhook_endpoints (account_id, id, url, kinds, secret_sealed, created_at)
     values (md5('a')::uuid, md5('e')::uuid, 'https://shop.example:8443/hook?token=hunter2', '{payment.verified}', '', now());
     insert into webhook_notices (account_id, id, endpoint_id, kind, failing_since, failures, disables_at, at, told_at, told_users)
     values (md5('a')::uuid, '${told}', md5('e')::uuid, 'gone', null, 1, null, '2026-01-02Z', '2026-01-03Z', array[md5('u')::uuid]),
            (md5('a')::uuid, '${waiting}', md5('e')::uuid, 'failing', '2026-01-02Z', 12, '2026-01-07Z', '2026-01-05Z', null, '{}')`,
    // A node of the version before, not yet replaced, finds out about another one.
    `with older as (
       insert into webhook_notices (account_id, id, endpoint_id, kind, failures, at)
       values (md5('a')::uuid, '${late}', md5('e')::uuid, 'disabled', 20, '2026-01-07Z'))
     select 1 where false`,
    `select id, kind, object_id = md5('e')::uuid::text as of_it, facts, told_at is not null as told, cardinality(told_users) as users
       from owner_notices order by id`,
    'select count(*)::int as left from webhook_notices',
  )
  const day = 86_400_000
  const since = Date.parse('2026-01-02T00:00:00Z')
  const facts = { to: 'https://shop.example:8443', failing_since: null, disables_at: null }
  assert.deepEqual(rows, [
    { id: told, kind: 'webhook_gone', of_it: true, facts: { ...facts, failures: 1 }, told: true, users: 1 },
    {
      id: waiting,
      kind: 'webhook_failing',
      of_it: true,
      facts: { ...facts, failures: 12, failing_since: since, disables_at: since + 5 * day },
      told: false,
      users: 0,
    },
    { id: late, kind: 'webhook_disabled', of_it: true, facts: { ...facts, failures: 20 }, told: false, users: 0 },
    { left: 0 },
  ])
})

test('phones with any proof count as paired when they were added; others never were', async () => {
  const rows = await upToDate(
    '_owner_notices.sql',
    `insert into accounts (id, name, created_at) values (md5('a')::uuid, 'Shop', now());
     insert into devices (id, account_id, name, secret_sealed, ingest_token_hash, created_at)
     values (md5('1')::uuid, md5('a')::uuid, '1 paired', 'x', null, '2025-05-01Z'),
            (md5('2')::uuid, md5('a')::uuid, '2 app', null, 'x', '2025-06-01Z'),
            (md5('3')::uuid, md5('a')::uuid, '3 nothing', null, null, '2025-07-01Z')`,
    'select name, paired_at = created_at as as_added from devices order by name',
  )
  assert.deepEqual(rows, [
    { name: '1 paired', as_added: true },
    { name: '2 app', as_added: true },
    { name: '3 nothing', as_added: null },
  ])
})
