/** Which address of an app a phone keeps when a database from before is migrated: no unsigned one beside a secret of its own. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pg from 'pg'
import { migrationsFolder } from '../../src/open-store.ts'
import { migrate } from '../../src/postgres/maintenance/migrate.ts'
import { emptyDatabase } from '../support/test-databases.ts'

const database = await emptyDatabase()
const client = new pg.Client({ connectionString: database.url })
await client.connect()
after(async () => {
  await client.end()
  await database.drop()
})

const folder = await mkdtemp(join(tmpdir(), 'sanad-migrations-'))
await cp(migrationsFolder, folder, { recursive: true })
for (const name of (await readdir(folder)).filter((each) => /^\d{4}_/.test(each) && each >= '0030'))
  await rm(join(folder, name))
await migrate(database.url, folder)
await rm(folder, { recursive: true })

const account = randomUUID()
const at = '2026-01-01T00:00:00Z'
await client.query('insert into accounts (id, name, created_at) values ($1, $2, $3)', [account, 'A shop', at])

let count = 0
const alertId = () => `00000000-0000-7000-8000-${String(++count).padStart(12, '0')}`
/** A phone with an address, and with a native secret or an app's key; its last alerts came by these adapters. */
const addPhone = async (has: { secret?: boolean; key?: boolean }, adapters: string[]): Promise<string> => {
  const id = randomUUID()
  await client.query(
    `insert into devices (id, account_id, name, switched_on, secret_sealed, secret_version, ingest_token_hash, signing_key_sealed,
                          created_at, paired_at)
     values ($1, $2, 'Phone', true, $3, 1, $4, $5, $6, $6)`,
    [id, account, has.secret ? Buffer.of(1) : null, Buffer.from(id), has.key ? Buffer.of(2) : null, at],
  )
  for (const adapter of adapters)
    await client.query(
      `insert into alerts (account_id, id, device_id, adapter, trusted, kind, sender, raw_text, client_id, received_at, fingerprint,
                           normaliser_version, state)
       values ($1, $2, $3, $4, $5, 'sms', 'Jawali', 'x', $6, $7, '', 1, 'waiting')`,
      [account, alertId(), id, adapter, has.key === true, String(count), at],
    )
  return id
}
const phones = {
  native: await addPhone({ secret: true }, ['native', 'text']),
  nativeNeverHeard: await addPhone({ secret: true }, []),
  bothSigned: await addPhone({ secret: true, key: true }, ['sms-to-url']),
  unsigned: await addPhone({}, ['smsgate', 'text']),
  signed: await addPhone({ key: true }, ['smsgate']),
}
await migrate(database.url, migrationsFolder)

const addressOf = async (name: keyof typeof phones) =>
  (
    await client.query(
      'select ingest_token_hash is not null as address, ingest_adapter as app, secret_sealed is not null as secret from devices where id = $1',
      [phones[name]],
    )
  ).rows[0]

test('a phone that signs natively loses the unsigned address, and is bound to no app', async () => {
  for (const name of ['native', 'nativeNeverHeard'] as const)
    assert.deepEqual(await addressOf(name), { address: false, app: '', secret: true }, name)
})

test('other phones keep their address and the app that used it', async () => {
  assert.deepEqual(await addressOf('unsigned'), { address: true, app: 'text', secret: false })
  assert.deepEqual(await addressOf('signed'), { address: true, app: 'smsgate', secret: false })
  assert.deepEqual(await addressOf('bothSigned'), { address: true, app: 'sms-to-url', secret: true })
})
