/**
 * Reading from a real replica, with Debian's PostgreSQL and its streaming replication: lag, a replica that pauses, hangs, is killed, is
 * promoted, is another server than it should be. Every request is answered, with what is true.
 */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { readConfig } from '../../src/config.ts'
import { openDatabase } from '../../src/postgres/connection/database.ts'
import { faultCode } from '../../src/postgres/connection/unavailable.ts'
import type { ReplicaReason } from '../../src/postgres/replica/replica-lag.ts'
import { openReplica, type Replica } from '../../src/service/open-replica.ts'
import { openService } from '../../src/service.ts'
import { planted, plantIntents } from '../support/plant-intents.ts'
import { queueStory } from '../support/queue-story.ts'
import { findFolder } from '../support/servers/real-postgres.ts'
import { startReplicated } from '../support/servers/replicated-postgres.ts'
import { type Answer, openTestService } from '../support/story.ts'
import { prepareTemplates } from '../support/test-databases.ts'
import { askWith } from '../support/users.ts'

const bin = findFolder()
const servers = await startReplicated(bin, { synchronous: false })
process.env.SANAD_TEST_PG = servers.primary.url
process.env.SANAD_TEST_DEMO = JSON.stringify(await prepareTemplates(servers.primary.url))

const service = await openTestService({ SANAD_LIMITS: 'off' })
// After the service's own end, which drops its database.
after(() => servers.stop())
const story = await queueStory(service)
const wallet = service.demo.wallets.main
const log = pino({ level: 'silent' })

const urlAt = (port: number, database = service.database.name): string =>
  `postgresql://sanad@127.0.0.1:${port}/${database}`
const asked = openDatabase({ url: service.databaseUrl, connections: 1, application: 'marks', onFault: () => {} })
service.atEnd(() => asked.close())

/** The replica is looked at only when a test says so, and time passes as a test moves it. */
let passed_ms = 0
const time = { every_ms: undefined, elapsed_ms: () => passed_ms }
const opened: Replica[] = []
const openAt = (url: string): Replica => {
  const env = { DATABASE_URL: service.databaseUrl, DATABASE_READ_URL: url, SANAD_READ_MAX_LAG_MS: '500' }
  const replica = openReplica(readConfig(env), asked, randomUUID(), log, time)!
  opened.push(replica)
  return replica
}
service.atEnd(async () => void (await Promise.all(opened.map((one) => one.close()))))

/** Called before each transaction on the replica. */
let beforeRead = async (): Promise<void> => {}
const opening = openAt(urlAt(servers.replica.port))
const replica: Replica = {
  ...opening,
  reading: {
    ...opening.reading,
    async transaction(work, locks) {
      await beforeRead()
      return opening.reading.transaction(work, locks)
    },
  },
}
const node = await openService({
  config: service.config,
  log,
  clock: service.clock,
  masterKey: service.masterKey,
  db: service.db,
  shared: service.db,
  sending: service.db,
  databaseUrl: service.databaseUrl,
  notReady: async () => undefined,
  replica,
})
await node.app.listen({ host: '127.0.0.1', port: 0 })
service.atEnd(() => node.close())
const origin = `http://127.0.0.1:${(node.app.server.address() as AddressInfo).port}`
const ask = askWith({ origin }, story.viewer.session.token)
const cashier = askWith({ origin }, story.cashier.session.token)

/** Marks and looks until it is so. */
const until = async (reason: ReplicaReason | undefined, watched = replica): Promise<void> => {
  for (let looks = 0; watched.watch.whyNot() !== reason; looks++) {
    if (looks > 5_000) throw new Error(`the replica is ${watched.watch.whyNot()}, not ${reason}`)
    await watched.watch.look()
  }
}
/** As on a shop where nothing happened for a while: nothing that the node knows of changed a moment ago. */
const quiet = async (): Promise<void> => {
  passed_ms += 2_000
  await until(undefined)
}

const readsOf = async (): Promise<Record<string, number>> => {
  const { body } = await node.operatorsApp.inject('/metrics')
  const lines = [...body.matchAll(/^sanad_replica_reads_total\{reader="(\w+)",server="(\w+)",why="(\w*)"\} (\d+)/gm)]
  const reads: Record<string, number> = {}
  for (const [, , server, why, count] of lines) {
    const place = `${server} ${why}`.trim()
    reads[place] = (reads[place] ?? 0) + Number(count)
  }
  return reads
}
/** Where the reads of `work` were made. */
const readsWhile = async (work: () => Promise<unknown>): Promise<string[]> => {
  const before = await readsOf()
  await work()
  const now = await readsOf()
  return Object.keys(now).filter((one) => now[one]! > (before[one] ?? 0))
}
/** What was dismissed today. */
const dismissedToday = async (headers: Record<string, string> = {}): Promise<string> => {
  const answer = await ask('GET', `/day-close/?wallet=${wallet}`, { headers })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.dismissed.amount
}
/** A cashier dismisses a message that just came: at the node, or at another one. */
let balance = 1_000
const dismiss = async (amount: number, by = cashier): Promise<Answer> => {
  balance += amount
  const alert = await story.reportTransfer(String(amount), String(balance))
  const answer = await by('POST', `/unmatched/${alert}/dismiss/`, { body: { reason: 'not ours' } })
  assert.equal(answer.status, 200, answer.text)
  return answer
}

test('a replica that keeps up is read, in sessions that cannot write', async () => {
  await until(undefined)
  await quiet()
  assert.deepEqual(await readsWhile(() => dismissedToday()), ['replica'])
  const write = { text: 'delete from accounts', values: [] }
  for (const attempt of [replica.reading.run(write), replica.reading.transaction((tx) => tx.run(write))])
    await assert.rejects(attempt, (fault) => faultCode(fault) === '25006')
  const { body } = await node.operatorsApp.inject('/metrics')
  assert.match(body, /^sanad_replica_read 1$/m)
  assert.match(body, /^sanad_replica_lag_seconds 0(\.\d+)?$/m)
})

test('what was just changed is in the next day close, from a replica that has it or from the primary', async () => {
  await until(undefined)
  await servers.replica.query('select pg_wal_replay_pause()')
  await dismiss(100)
  let amount = ''
  const paused = await readsWhile(async () => {
    amount = await dismissedToday()
  })
  assert.equal(amount, '100.00')
  assert.ok(!paused.includes('replica'), paused.join())
  await servers.replica.query('select pg_wal_replay_resume()')
  await until(undefined)
  await dismiss(20)
  assert.deepEqual(
    await readsWhile(async () => {
      amount = await dismissedToday()
    }),
    ['replica'],
  )
  assert.equal(amount, '120.00')
})

test('a person’s own change on a node is in what the person reads next from another', async () => {
  await until(undefined)
  await quiet()
  await servers.replica.query('select pg_wal_replay_pause()')
  // The first node of the service has no replica: its browsers get no cookie. This one says what the cookie of another node says.
  await dismiss(5, story.cashier.ask)
  const headers = { cookie: `sanad_session=${story.viewer.session.token}; sanad_changed=1` }
  assert.equal(await dismissedToday(headers), '125.00')
  await servers.replica.query('select pg_wal_replay_resume()')
  await until(undefined)
})

test('a replica beyond the limit is not read, and is read again when it has caught up', async () => {
  await until(undefined)
  await servers.replica.query('select pg_wal_replay_pause()')
  passed_ms += 600
  await until('late')
  assert.deepEqual(await readsWhile(() => dismissedToday()), ['primary late'])
  await servers.replica.query('select pg_wal_replay_resume()')
  await until(undefined)
  await quiet()
  assert.deepEqual(await readsWhile(() => dismissedToday()), ['replica'])
})

test('a replica that hangs costs no answer: the primary answers, and at once when the hang is known', async () => {
  await quiet()
  await until(undefined)
  const right = await dismissedToday()
  servers.replica.freeze()
  const first = await readsWhile(async () => assert.equal(await dismissedToday(), right))
  assert.ok(!first.includes('replica'), first.join())
  const second = await readsWhile(async () => assert.equal(await dismissedToday(), right))
  assert.ok(!second.includes('replica'), second.join())
  servers.replica.thaw()
  await until(undefined)
  await quiet()
  assert.deepEqual(await readsWhile(() => dismissedToday()), ['replica'])
})

const rows = 5_000

test('the replica is killed while a file is sent: every line is in the file once', async () => {
  const createdAt = service.clock.now() - 60_000
  const { accountId } = story
  for (let n = 0; n < rows; n += 1_000)
    await plantIntents(
      service.db,
      Array.from({ length: 1_000 }, () => planted({ accountId, walletId: wallet, createdAt: createdAt + n })),
    )
  await until(undefined)
  await quiet()
  const before = await readsOf()
  let parts = 0
  beforeRead = async () => {
    if (++parts === 4) await servers.replica.kill()
  }
  const response = await new Promise<IncomingMessage>((done, fail) => {
    const headers = { cookie: `sanad_session=${story.viewer.session.token}` }
    get(`${origin}/api/v1/dashboard/intents/csv/`, { headers }, done).on('error', fail)
  })
  assert.equal(response.statusCode, 200)
  let text = ''
  for await (const chunk of response.setEncoding('utf8')) text += chunk
  beforeRead = async () => {}
  const ids = text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(',').at(-1)!)
  const [stored] = await service.sql('select count(*) from intents where account_id = $1', [story.accountId])
  assert.equal(ids.length, Number(stored![0]))
  assert.equal(new Set(ids).size, ids.length)
  const reads = await readsOf()
  assert.equal(reads.replica! - (before.replica ?? 0), 3)
  assert.equal(reads['primary unreachable']! - (before['primary unreachable'] ?? 0), 1)
  await servers.restartReplica()
  await until(undefined)
})

test('the replica is killed under load: no request fails, and it is read again after its start', async () => {
  await quiet()
  const right = await dismissedToday()
  let isOver = false
  let answered = 0
  const asking = async (): Promise<void> => {
    while (!isOver) {
      assert.equal(await dismissedToday(), right)
      answered++
    }
  }
  const all = Promise.all([asking(), asking(), asking(), asking()])
  while (answered < 20) await replica.watch.look()
  const before = answered
  await servers.replica.kill()
  while (answered < before + 40) await replica.watch.look()
  isOver = true
  await all
  await servers.restartReplica()
  await until(undefined)
  await quiet()
  assert.deepEqual(await readsWhile(() => dismissedToday()), ['replica'])
})

test('the primary, another database, another cluster’s replica and nothing at all are refused as replicas', async () => {
  const other = await startReplicated(bin, { synchronous: false })
  try {
    const reasonAt = async (url: string): Promise<ReplicaReason | undefined> => {
      const watched = openAt(url)
      await watched.watch.look()
      return watched.watch.whyNot()
    }
    assert.equal(await reasonAt(urlAt(servers.primary.port)), 'not_a_replica')
    assert.equal(await reasonAt(urlAt(servers.replica.port, 'postgres')), 'other_database')
    assert.equal(await reasonAt(urlAt(other.replica.port, 'postgres')), 'other_cluster')
    await other.replica.kill()
    assert.equal(await reasonAt(urlAt(other.replica.port, 'postgres')), 'unreachable')
  } finally {
    await other.stop()
  }
})

test('a promoted replica is read no more, at once: what it writes is never shown', async () => {
  await until(undefined)
  await quiet()
  const right = await dismissedToday()
  await servers.replica.promote()
  // It goes its own way, before anybody has looked at it again.
  const elsewhere = openDatabase({
    url: urlAt(servers.replica.port),
    connections: 1,
    application: 'elsewhere',
    onFault: () => {},
  })
  await elsewhere.run({ text: `update alerts set amount = 999999 where amount is not null`, values: [] })
  await elsewhere.close()
  const reads = await readsWhile(async () => assert.equal(await dismissedToday(), right))
  assert.ok(!reads.includes('replica'), reads.join())
  await until('not_a_replica')
  assert.deepEqual(await readsWhile(() => dismissedToday()), ['primary not_a_replica'])
})
