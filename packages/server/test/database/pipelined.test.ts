/** Pipelined statements: several are sent on one connection before they are answered, and each is its own transaction. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { faultCode, openDatabase } from '../../src/postgres/connection/database.ts'
import { DatabaseUnavailable } from '../../src/postgres/connection/unavailable.ts'
import { freshDatabase } from '../support/test-databases.ts'

const database = await freshDatabase()
const open = (connections: number) =>
  openDatabase({ url: database.url, connections, application: 'test', lock_timeout_ms: 200, onFault: () => {} })
const db = open(3)
/** No statement counts as slow, however busy this machine is. */
const session = db.pipelined(Number.POSITIVE_INFINITY)
after(async () => {
  await db.close()
  await database.drop()
})

await db.run({ text: 'create table paid (id int primary key, pid int default pg_backend_pid())', values: [] })
const pay = (id: number) => ({ text: 'insert into paid (id) values ($1) returning pid', values: [id] })
const query = (text: string) => ({ text, values: [] })

test('statements sent together use one connection and run in their order', async () => {
  const rows = await Promise.all([1, 2, 3].map((id) => session.run(pay(id))))
  assert.equal(new Set(rows.map(([row]) => row![0])).size, 1)
  const first = session.run(query(`update paid set id = 10 where id = 1`))
  const second = session.run(query(`select id from paid order by id`))
  await first
  assert.deepEqual((await second).flat(), ['2', '3', '10'])
})

test('a statement that fails does not fail those before and after it', async () => {
  const [before, failed, next] = await Promise.allSettled([
    session.run(pay(20)),
    session.run(pay(2)),
    session.run(pay(21)),
  ])
  assert.equal(before.status, 'fulfilled')
  assert.ok(failed.status === 'rejected' && faultCode(failed.reason) === '23505')
  assert.equal(next.status, 'fulfilled')
  const written = await db.run(query('select id from paid where id in (20, 21) order by id'))
  assert.deepEqual(written.flat(), ['20', '21'])
})

test('a statement does not wait behind one that takes long', async () => {
  const session = db.pipelined()
  let isDone = false
  const slow = session.run(query('select pg_sleep(1)')).then(() => {
    isDone = true
  })
  await new Promise((resolve) => setTimeout(resolve, 20))
  await session.run(pay(30))
  assert.equal(isDone, false)
  await slow
})

test('a connection that breaks fails everything sent on it, and the next statement has a new one', async () => {
  const doomed = [
    session.run(query('select pg_terminate_backend(pg_backend_pid())')),
    session.run(pay(40)),
    session.run(pay(41)),
  ]
  for (const result of await Promise.allSettled(doomed))
    assert.ok(result.status === 'rejected' && result.reason instanceof DatabaseUnavailable, result.status)
  await session.run(pay(42))
  assert.deepEqual((await db.run(query('select id from paid where id between 40 and 49'))).flat(), ['42'])
})

test('if the pool has one connection, pipelined statements and other work use it in turn', async () => {
  const small = open(1)
  const own = small.pipelined()
  const all = [own.run(pay(50)), small.run(pay(51)), own.run(pay(52)), small.transaction((tx) => tx.run(pay(53)))]
  await Promise.all(all)
  await small.close()
  assert.equal((await db.run(query('select id from paid where id between 50 and 59'))).length, 4)
})
