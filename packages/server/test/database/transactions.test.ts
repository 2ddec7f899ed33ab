/** Transactions with pipelined statements: statements that are not awaited are written with the others, or nothing is written. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { after, test } from 'node:test'
import { faultCode, openDatabase } from '../../src/postgres/connection/database.ts'
import { freshDatabase } from '../support/test-databases.ts'

const database = await freshDatabase()
const db = openDatabase({
  url: database.url,
  connections: 3,
  application: 'test',
  lock_timeout_ms: 200,
  onFault: () => {},
})
after(async () => {
  await db.close()
  await database.drop()
})

await db.run({ text: 'create table paid (id int primary key)', values: [] })
const pay = (id: number) => ({ text: 'insert into paid (id) values ($1)', values: [id] })
const paid = async () =>
  (await db.run({ text: 'select id from paid order by id', values: [] })).map(([id]) => Number(id))

test('deferred statements are written with the commit, after the awaited ones', async () => {
  await db.transaction(async (tx) => {
    tx.atEnd(pay(2))
    await tx.run(pay(1))
  })
  assert.deepEqual(await paid(), [1, 2])
})

test('if a deferred statement fails, nothing of the transaction is written, and its fault is thrown', async () => {
  const written = db.transaction(async (tx) => {
    await tx.run(pay(3))
    tx.atEnd(pay(1))
    tx.atEnd(pay(4))
  })
  await assert.rejects(written, (fault) => faultCode(fault) === '23505')
  assert.deepEqual(await paid(), [1, 2])
})

test('if pipelined statements fail, the first fault is thrown, not the faults that follow from it', async () => {
  const written = db.transaction(async (tx) => {
    await Promise.all([tx.run(pay(5)), tx.run(pay(2)), tx.run(pay(6))])
  })
  await assert.rejects(written, (fault) => faultCode(fault) === '23505')
  assert.deepEqual(await paid(), [1, 2])
})

test('a failed statement inside a savepoint does not affect the rest of the transaction', async () => {
  const query = (text: string) => ({ text, values: [] })
  await db.transaction(async (tx) => {
    await tx.run(pay(20))
    await tx.run(query('savepoint mine'))
    await assert.rejects(tx.run(pay(1)), (fault) => faultCode(fault) === '23505')
    await tx.run(query('rollback to savepoint mine'))
    tx.atEnd(pay(21))
  })
  assert.deepEqual(await paid(), [1, 2, 20, 21])
  await db.run(query('delete from paid where id >= 20'))
})

test('a failed statement without a savepoint ends the transaction, even if its fault was caught', async () => {
  const written = db.transaction(async (tx) => {
    await tx.run(pay(22))
    await tx.run(pay(1)).catch(() => {})
  })
  await assert.rejects(written, (fault) => faultCode(fault) === '23505')
  assert.deepEqual(await paid(), [1, 2])
})

test('a rollback writes nothing, not even statements already sent', async () => {
  const abort = new Error('changed')
  const written = db.transaction(async (tx) => {
    void tx.run(pay(7)).catch(() => {})
    tx.atEnd(pay(8))
    throw abort
  })
  await assert.rejects(written, (fault) => fault === abort)
  assert.deepEqual(await paid(), [1, 2])
})

test('a lock that is not available ends the transaction before its first statement has an effect', async () => {
  const mayEnd = Promise.withResolvers<void>()
  const holding = Promise.withResolvers<void>()
  const holder = db.transaction(
    async (tx) => {
      await tx.run({ text: 'select 1', values: [] })
      holding.resolve()
      await mayEnd.promise
    },
    [77n],
  )
  await holding.promise
  await assert.rejects(
    db.transaction((tx) => tx.run(pay(9)), [77n]),
    (fault) => faultCode(fault) === '55P03',
  )
  mayEnd.resolve()
  await holder
  assert.deepEqual(await paid(), [1, 2])
})

test('after waiting for a lock, a pipelined statement sees what the holder wrote', async () => {
  const holding = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  const first = db.transaction(
    async (tx) => {
      await tx.run(pay(10))
      holding.resolve()
      await mayEnd.promise
    },
    [78n],
  )
  await holding.promise
  const second = db.transaction((tx) => tx.run({ text: 'select count(*) from paid where id = 10', values: [] }), [78n])
  // Wait until the second transaction waits for the lock.
  for (;;) {
    const text = `
      select count(*) from pg_locks
       where locktype = 'advisory' and not granted
         and database = (select oid from pg_database where datname = current_database())`
    if ((await db.run({ text, values: [] }))[0]![0] !== '0') break
  }
  mayEnd.resolve()
  await first
  assert.deepEqual(await second, [['1']])
})

/** A message of PostgreSQL's protocol: a letter, the length, the content. */
const message = (letter: string, rest: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.write(letter)
  head.writeInt32BE(rest.length + 4, 1)
  return Buffer.concat([head, rest])
}
const greeting = Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))])
const farewell = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'))

test('a PostgreSQL that shuts down during the connect fails the call, and not the process', async () => {
  const leaving = createServer((socket) => {
    // Both messages in one packet: the connection is open and broken before a listener can be added.
    socket.once('data', () => socket.end(Buffer.concat([greeting, farewell])))
    socket.on('error', () => {})
  }).listen(0, '127.0.0.1')
  await once(leaving, 'listening')
  const { port } = leaving.address() as AddressInfo
  const url = `postgres://sanad@127.0.0.1:${port}/sanad`
  const gone = openDatabase({ url, connections: 1, application: 'test', onFault: () => {} })
  await assert.rejects(gone.transaction((tx) => tx.run(pay(1))))
  await assert.rejects(gone.run(pay(1)))
  await gone.close()
  leaving.close()
})
