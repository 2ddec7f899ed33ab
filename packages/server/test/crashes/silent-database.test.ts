/** A network that drops packets without closing connections, and a paused PostgreSQL: every call ends in time, and later calls work. */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { type Db, openDatabase } from '../../src/postgres/connection/database.ts'
import { DatabaseUnavailable } from '../../src/postgres/connection/unavailable.ts'
import { openWatchedClient } from '../../src/postgres/connection/watched-client.ts'
import { openNotifier } from '../../src/postgres/notify/notifier.ts'
import { type SilentProxy, startSilentProxy, targetOf, throughProxy } from '../support/servers/silent-proxy.ts'
import { freshDatabase } from '../support/test-databases.ts'

const database = await freshDatabase()
const endings: (() => Promise<unknown>)[] = []
after(async () => {
  for (const end of endings.reverse()) await end()
  await database.drop()
})

/** Short, so that the tests do not wait; long enough for a busy machine. */
const limits = { tick_ms: 50, silent_ms: 300, ask_ms: 3_000, connect_ms: 3_000, closing_ms: 100 }

const question = { text: 'select 1', values: [] }
const works = async (db: Db): Promise<void> => assert.deepEqual(await db.run(question), [['1']])

const behindProxy = async (
  connections: number,
  more: Partial<Parameters<typeof openDatabase>[0]> = {},
): Promise<{ proxy: SilentProxy; db: Db; faults: string[] }> => {
  const proxy = await startSilentProxy(targetOf(database.url))
  endings.push(() => proxy.close())
  const faults: string[] = []
  const url = throughProxy(database.url, proxy.port)
  const onFault = (fault: Error) => void faults.push(fault.message)
  const db = openDatabase({ url, connections, application: 'silent', limits, onFault, ...more })
  endings.push(() => db.close())
  return { proxy, db, faults }
}

/** Opens this many connections. */
const openAll = async (db: Db, connections: number): Promise<void> => {
  await Promise.all(Array.from({ length: connections }, () => db.run({ text: 'select pg_sleep(0.05)', values: [] })))
}

test('all connections silent: waiting calls fail, every connection is replaced, and the next statement works', async () => {
  const { proxy, db, faults } = await behindProxy(5)
  await openAll(db, 5)
  assert.equal(proxy.silence(), 5)
  await assert.rejects(db.run(question), DatabaseUnavailable)
  // The other four connections were idle, and would have failed the next four statements.
  for (let i = 0; i < 5; i++) await works(db)
  assert.equal(proxy.givenUp, 5)
  assert.match(faults.join(), /1 connections to PostgreSQL fell silent/)
})

test('a transaction on a silent connection fails with all its pipelined statements, and nothing of it is done twice', async () => {
  const { proxy, db } = await behindProxy(2)
  await db.run({ text: 'create table once_only (id int primary key)', values: [] })
  const insert = (id: number) => ({ text: 'insert into once_only (id) values ($1)', values: [id] })
  const broken = db.transaction(async (tx) => {
    await tx.run(insert(1))
    proxy.silence()
    await Promise.all([tx.run(insert(2)), tx.run(insert(3))])
  })
  await assert.rejects(broken, DatabaseUnavailable)
  // The server's session was ended although it never received a close: its row locks are free.
  await db.transaction((tx) => tx.run(insert(1)))
  await db.transaction((tx) => tx.run(insert(4)))
  assert.deepEqual(await db.run({ text: 'select id from once_only order by id', values: [] }), [['1'], ['4']])
})

test('a commit whose answer is lost is not reported as done, although it may have happened', async () => {
  const { proxy, db } = await behindProxy(1)
  await db.run({ text: 'create table unsure (id int primary key)', values: [] })
  const unsure = db.transaction(async (tx) => {
    await tx.run({ text: 'insert into unsure (id) values (1)', values: [] })
    // The commit is sent in this turn of the event loop; answers are lost only after it.
    setImmediate(() => proxy.silence())
  })
  const outcome = await unsure.then(
    () => 'done',
    (fault) => (fault instanceof DatabaseUnavailable ? 'unknown' : fault),
  )
  const rows = await db.run({ text: 'select id from unsure', values: [] })
  if (outcome === 'done') assert.equal(rows.length, 1)
  else assert.equal(outcome, 'unknown')
})

test('some connections silent: the others work meanwhile, and the silent ones are replaced', async () => {
  const { proxy, db } = await behindProxy(4)
  await openAll(db, 4)
  assert.equal(proxy.silence(3), 3)
  const results = await Promise.allSettled(Array.from({ length: 12 }, () => db.run(question)))
  const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason] : []))
  assert.ok(failed.length <= 3, `${failed.length} failed`)
  assert.ok(failed.every((fault) => fault instanceof DatabaseUnavailable))
  for (let i = 0; i < 4; i++) await works(db)
})

test('the locks of a lost transaction are free as soon as its connection is given up', async () => {
  const { proxy, db } = await behindProxy(2, { lock_timeout_ms: 2_000 })
  const other = openDatabase({ url: database.url, connections: 1, application: 'other', onFault: () => {} })
  const lost = db.transaction(
    async (tx) => {
      await tx.run(question)
      proxy.silence()
      await tx.run(question)
    },
    [909n],
  )
  await assert.rejects(lost, DatabaseUnavailable)
  assert.deepEqual(await db.transaction((tx) => tx.run(question), [909n]), [['1']])
  await other.transaction((tx) => tx.run(question), [909n])
  await other.close()
})

test('a statement that waits for a lock longer than the silence limit is not interrupted', async () => {
  const { db } = await behindProxy(3, { lock_timeout_ms: 30_000 })
  const holding = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const holder = db.transaction(
    async (tx) => {
      await tx.run(question)
      holding.resolve()
      await release.promise
    },
    [501n],
  )
  await holding.promise
  const waiter = db.transaction((tx) => tx.run(question), [501n])
  // The connection has been checked more than once before the lock is released.
  const watchCount = `select count(*) from pg_stat_activity where application_name = 'silent watch'`
  let times = 0
  for (let before = ''; times < 2; ) {
    const [[count] = []] = await db.run({ text: watchCount, values: [] })
    if (count !== '0' && before === '0') times++
    before = count!
  }
  release.resolve()
  await holder
  assert.deepEqual(await waiter, [['1']])
})

test("a statement that takes longer than the service's limit fails, even if PostgreSQL never ends it", async () => {
  const { db } = await behindProxy(1, { limits: { ...limits, statement_ms: 600 }, statement_timeout_ms: 60_000 })
  await assert.rejects(db.run({ text: 'select pg_sleep(60)', values: [] }), /did not answer a statement within 600 ms/)
  await works(db)
})

test('a transaction that never ends is ended', async () => {
  const { db } = await behindProxy(1, { limits: { ...limits, transaction_ms: 600 } })
  const endless = db.transaction(async (tx) => {
    for (;;) await tx.run(question)
  })
  await assert.rejects(endless, /a transaction took longer than 600 ms/)
  await works(db)
})

test('waiting for a connection of the pool is bounded', async () => {
  const { db } = await behindProxy(1, { limits: { ...limits, wait_ms: 200 } })
  const release = Promise.withResolvers<void>()
  const holder = db.transaction(() => release.promise)
  await assert.rejects(db.run(question), DatabaseUnavailable)
  release.resolve()
  await holder
  await works(db)
})

test('a paused PostgreSQL: waiting calls fail soon, new calls at once, and calls work again when it continues', async () => {
  const { proxy, db, faults } = await behindProxy(3, { limits: { ...limits, connect_ms: 300 } })
  await openAll(db, 3)
  proxy.silenceNew(true)
  proxy.silence()
  const waiting = await Promise.allSettled(Array.from({ length: 9 }, () => db.run(question)))
  assert.ok(waiting.every((result) => result.status === 'rejected' && result.reason instanceof DatabaseUnavailable))
  assert.match(faults.join(), /PostgreSQL does not answer/)
  // From now on no call waits for a connection attempt: a thousand calls fail before one attempt could end.
  const began = proxy.givenUp
  for (let i = 0; i < 1_000; i++) await assert.rejects(db.run(question), DatabaseUnavailable)
  assert.ok(proxy.givenUp - began < 100)
  proxy.silenceNew(false)
  for (;;) {
    const answer = await db.run(question).catch((fault: unknown) => fault)
    if (Array.isArray(answer)) break
    assert.ok(answer instanceof DatabaseUnavailable)
    await new Promise((next) => setImmediate(next))
  }
})

test('a node that was paused itself does not treat an answer that it has not read yet as lost', async () => {
  const { proxy, db, faults } = await behindProxy(2)
  await openAll(db, 2)
  const results = [db.run(question), db.transaction((tx) => tx.run(question))]
  await new Promise((next) => setImmediate(next))
  const until = performance.now() + 4 * limits.silent_ms
  while (performance.now() < until);
  assert.deepEqual(await Promise.all(results), [[['1']], [['1']]])
  assert.deepEqual([faults, proxy.givenUp], [[], 0])
})

test('closing does not wait for silent connections', async () => {
  const proxy = await startSilentProxy(targetOf(database.url))
  const url = throughProxy(database.url, proxy.port)
  const db = openDatabase({ url, connections: 2, application: 'silent', limits, onFault: () => {} })
  await openAll(db, 2)
  proxy.silence()
  await db.close()
  while (proxy.givenUp < 2) await new Promise((next) => setImmediate(next))
  await proxy.close()
})

test('NOTIFY between nodes continues over a new connection when the old one is silent', async () => {
  const proxy = await startSilentProxy(targetOf(database.url))
  const url = throughProxy(database.url, proxy.port)
  const notifierLimits = { aliveEvery_ms: 100, answer_ms: 1_000, onFault: () => {} }
  const [near, far] = [
    await openNotifier({ url, ...notifierLimits }),
    await openNotifier({ url: database.url, ...notifierLimits }),
  ]
  const returned = Promise.withResolvers<void>()
  const heard = Promise.withResolvers<string>()
  await near.subscribe('test_words', heard.resolve, returned.resolve)
  proxy.silence()
  await returned.promise
  far.notify('test_words', 'hello')
  assert.equal(await heard.promise, 'hello')
  await Promise.all([near.close(), far.close()])
  await proxy.close()
})

test('closing the LISTEN connection does not wait for a silent connection', async () => {
  const proxy = await startSilentProxy(targetOf(database.url))
  const url = throughProxy(database.url, proxy.port)
  const notifier = await openNotifier({ url, aliveEvery_ms: 60_000, answer_ms: 200, onFault: () => {} })
  proxy.silence()
  await notifier.close()
  await proxy.close()
})

test('migrations do not wait for a silent connection', async () => {
  const proxy = await startSilentProxy(targetOf(database.url))
  const client = await openWatchedClient(throughProxy(database.url, proxy.port), 'test', limits)
  proxy.silence()
  await assert.rejects(client.query('select 1'), DatabaseUnavailable)
  await client.end()
  await proxy.close()
})

/** A message of PostgreSQL's protocol: a letter, the length, the content. */
const message = (letter: string, rest: string | Buffer): Buffer => {
  const bytes = Buffer.from(rest)
  const head = Buffer.alloc(5)
  head.write(letter)
  head.writeInt32BE(bytes.length + 4, 1)
  return Buffer.concat([head, bytes])
}
const ready = message('Z', 'I')
const authenticated = message('R', Buffer.alloc(4))

const fakeServer = async (answer: (socket: Socket) => void): Promise<{ url: string }> => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => answer(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  endings.push(async () => server.close())
  return { url: `postgresql://sanad@127.0.0.1:${(server.address() as AddressInfo).port}/sanad` }
}

test('a commit that was not replicated as configured is not reported as done', async () => {
  // When the wait for a synchronous replica is cancelled, PostgreSQL answers with a warning and then success.
  const warning = message(
    'N',
    'SWARNING\0VWARNING\0C01000\0Mcanceling wait for synchronous replication due to user request\0RSyncRepWaitForLSN\0\0',
  )
  const success = [message('1', ''), message('2', ''), message('C', 'INSERT 0 1\0'), ready]
  const { url } = await fakeServer((socket) => {
    socket.write(Buffer.concat([authenticated, ready]))
    socket.on('data', () => socket.write(Buffer.concat([warning, ...success])))
  })
  const db = openDatabase({ url, connections: 1, application: 'test', limits, onFault: () => {} })
  await assert.rejects(db.run({ text: 'insert', values: [1] }), /without its synchronous replica/)
  await db.close()
})

test('a replica is refused on connect; a connection that reports that it is read-only is closed', async () => {
  const standby = message('S', 'in_hot_standby\0on\0')
  const replica = await fakeServer((socket) => socket.write(Buffer.concat([authenticated, standby, ready])))
  const refused = openDatabase({ url: replica.url, connections: 1, application: 'test', limits, onFault: () => {} })
  await assert.rejects(refused.run(question), /accepts no writes: it is a replica/)
  await refused.close()

  let connections = 0
  const demoted = await fakeServer((socket) => {
    connections++
    socket.write(Buffer.concat([authenticated, ready]))
    const readOnly = message('E', 'SERROR\0VERROR\0C25006\0Mcannot execute INSERT in a read-only transaction\0\0')
    socket.on('data', () => socket.write(Buffer.concat([readOnly, ready])))
  })
  const db = openDatabase({ url: demoted.url, connections: 1, application: 'test', limits, onFault: () => {} })
  for (let i = 0; i < 2; i++) await assert.rejects(db.run({ text: 'insert', values: [1] }), DatabaseUnavailable)
  assert.equal(connections, 2)
  await db.close()
})

test('the writable one of several hosts is found, and found again when it changes', async () => {
  const standby = message('S', 'in_hot_standby\0on\0')
  const replica = await fakeServer((socket) => socket.write(Buffer.concat([authenticated, standby, ready])))
  const proxy = await startSilentProxy(targetOf(database.url))
  const other = await startSilentProxy(targetOf(database.url))
  endings.push(
    () => proxy.close(),
    () => other.close(),
  )
  const port = (url: string) => new URL(url).port
  const hosts = [`127.0.0.1:${port(replica.url)}`, `127.0.0.1:${proxy.port}`, `127.0.0.1:${other.port}`]
  const proxyUrl = throughProxy(database.url, proxy.port)
  const url = proxyUrl.replace(`127.0.0.1:${proxy.port}`, hosts.slice(0, 2).join())
  const db = openDatabase({ url, connections: 2, application: 'test', limits, onFault: () => {} })
  await works(db)
  assert.equal(proxy.open, 1)
  await db.close()
  // The proxy learns a moment later that the connection was closed.
  while (proxy.open > 0) await new Promise((next) => setImmediate(next))

  const moving = openDatabase({
    url: proxyUrl.replace(`127.0.0.1:${proxy.port}`, [hosts[1], hosts[0], hosts[2]].join()),
    connections: 2,
    application: 'test',
    limits: { ...limits, connect_ms: 300 },
    onFault: () => {},
  })
  endings.push(() => moving.close())
  await works(moving)
  // The current host stops answering without closing, and another host accepts writes.
  const [first, second] = proxy.open > 0 ? [proxy, other] : [other, proxy]
  first.silenceNew(true)
  first.silence()
  await assert.rejects(moving.run(question), DatabaseUnavailable)
  for (;;) {
    const answer = await moving.run(question).catch((fault: unknown) => fault)
    if (Array.isArray(answer)) break
    assert.ok(answer instanceof DatabaseUnavailable)
    await new Promise((next) => setImmediate(next))
  }
  assert.ok(second.open > 0)
})
