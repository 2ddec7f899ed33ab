/** 0130: a switch is in the replicas before the account is used in the other cell, or it is said that one is behind. */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '../../src/postgres/connection/database.ts'
import { waitForReplicas } from '../../src/postgres/tenancy/wait-for-replicas.ts'
import { startReplicated } from '../support/servers/replicated-postgres.ts'

const servers = await startReplicated(undefined, { synchronous: false })
const db = openDatabase({ url: servers.primary.url, connections: 2, application: 'test', onFault: () => {} })
after(async () => {
  await db.close()
  await servers.stop()
})
const write = (text: string) => db.run({ text, values: [] })

test('a replica that follows has what was committed', async () => {
  await write('create table written (n integer)')
  assert.equal(await waitForReplicas(db, 30_000), 0)
})

test('one that hangs is behind, until it goes on', async () => {
  servers.replica.freeze()
  await write('insert into written values (1)')
  assert.equal(await waitForReplicas(db, 300), 1)
  servers.replica.thaw()
  assert.equal(await waitForReplicas(db, 30_000), 0)
  const [row] = await servers.replica.query('select pg_last_wal_receive_lsn()::text as at')
  const [own] = await db.run({ text: 'select pg_current_wal_flush_lsn() <= $1::pg_lsn', values: [row!.at!] })
  assert.deepEqual(own, ['t'])
})
