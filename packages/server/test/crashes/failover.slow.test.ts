/** Two real PostgreSQL servers with synchronous replication: the primary is killed under load, the replica promoted. */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openDatabase } from '../../src/postgres/connection/database.ts'
import { DatabaseUnavailable } from '../../src/postgres/connection/unavailable.ts'
import { openNotifier } from '../../src/postgres/notify/notifier.ts'
import { startReplicated } from '../support/servers/replicated-postgres.ts'

const servers = await startReplicated()
after(() => servers.stop())

const limits = { tick_ms: 50, silent_ms: 500, ask_ms: 2_000, connect_ms: 2_000 }
const open = (url: string) => openDatabase({ url, connections: 5, application: 'failover', limits, onFault: () => {} })

test('a cancelled wait for the replica is not treated as a commit that survives a failover', async () => {
  const url = servers.primary.url.replace(/postgres$/, 'sanad')
  const db = open(url)
  const other = open(url)
  await db.run({ text: 'create table waits (id int primary key)', values: [] })
  servers.replica.freeze()
  const waiting = assert.rejects(
    db.run({ text: 'insert into waits (id) values ($1)', values: [1] }),
    /without its synchronous replica/,
  )
  for (;;) {
    const text = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`
    if ((await other.run({ text, values: [] })).length > 0) break
  }
  await waiting
  servers.replica.thaw()
  await Promise.all([db.close(), other.close()])
})

test('writes answered before and during a failover are stored after it, and work continues with the new primary', async () => {
  const db = open(servers.url)
  const returned = Promise.withResolvers<void>()
  const notifier = await openNotifier({ url: servers.url, aliveEvery_ms: 200, answer_ms: 1_000, onFault: () => {} })
  await notifier.subscribe('failover', () => {}, returned.resolve)
  await db.run({ text: 'create table paid (id int primary key)', values: [] })
  const answered: number[] = []
  const unsure: number[] = []
  let next = 0
  let stopped = false
  const write = async (): Promise<void> => {
    while (!stopped) {
      const id = next++
      try {
        const query = { text: 'insert into paid (id) values ($1)', values: [id] }
        if (id % 2 === 0) await db.run(query)
        else await db.transaction((tx) => tx.run(query))
        answered.push(id)
      } catch (fault) {
        assert.ok(fault instanceof DatabaseUnavailable, String(fault))
        unsure.push(id)
        // A client waits before it retries.
        await new Promise((done) => setTimeout(done, 5))
      }
    }
  }
  const writers = Array.from({ length: 5 }, write)
  while (answered.length < 200) await new Promise((done) => setImmediate(done))
  await servers.primary.kill()
  const before = answered.length
  while (unsure.length < 10) await new Promise((done) => setImmediate(done))
  await servers.replica.promote()
  while (answered.length < before + 200) await new Promise((done) => setImmediate(done))
  stopped = true
  await Promise.all(writers)
  const stored = new Set((await db.run({ text: 'select id from paid', values: [] })).map(([id]) => Number(id)))
  assert.deepEqual(
    answered.filter((id) => !stored.has(id)),
    [],
  )
  await returned.promise
  await Promise.all([db.close(), notifier.close()])
})
