/**
 * Three real processes on one PostgreSQL: one with the right time, one whose clock is two hours ahead, one two hours behind.
 * The wrong ones must change nothing, say so, and go on by themselves when their clocks are set.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../src/core/clock.ts'
import { type Db, openDatabase } from '../../src/postgres/connection/database.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { phone } from '../support/phone.ts'
import { until } from '../support/pure/until.ts'
import { shiftedClock } from '../support/servers/shifted-clock.ts'
import { type Answer, askAt } from '../support/story.ts'
import { demoDatabase, masterKey, useDatabaseClock } from '../support/test-databases.ts'

const main = join(import.meta.dirname, '../../src/main.ts')
const hours = 3_600
const { database, demo } = await demoDatabase()
await useDatabaseClock(database)
const db: Db = openDatabase({ url: database.url, connections: 2, application: 'test', onFault: () => {} })
const dataDir = mkdtempSync(join(tmpdir(), 'sanad-wrong-clock-'))
const running = new Set<ChildProcess>()
after(async () => {
  for (const child of running) child.kill('SIGKILL')
  await db.close()
  await database.drop()
  rmSync(dataDir, { recursive: true, force: true })
})

type ServiceNode = { readonly origin: string; readonly operators: string; log(): string }

const startNode = async (env: Record<string, string> = {}): Promise<ServiceNode> => {
  const child = spawn(process.execPath, [main, 'start'], {
    env: {
      ...bareEnvironment,
      DATABASE_URL: database.url,
      SANAD_DATA_DIR: dataDir,
      SANAD_MASTER_KEY: Buffer.from(masterKey).toString('base64'),
      SANAD_METRICS_PORT: '0',
      SANAD_LIMITS: 'off',
      PORT: '0',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.add(child)
  let log = ''
  const ready = await new Promise<{ origin: string; figures: number }>((done, fail) => {
    child.stderr.on('data', (chunk) => {
      log += chunk
      const line = log.split('\n').find((one) => one.includes('"msg":"ready"') && one.endsWith('}'))
      if (line !== undefined) done(JSON.parse(line))
    })
    child.once('exit', (code) => fail(new Error(`a node ended with ${code}: ${log}`)))
  })
  return { origin: ready.origin, operators: `http://127.0.0.1:${ready.figures}`, log: () => log }
}

const command = (args: readonly string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number | null; out: string; err: string }>((done) => {
    const child = spawn(process.execPath, [main, ...args], {
      env: { ...bareEnvironment, DATABASE_URL: database.url, SANAD_DATA_DIR: dataDir, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [out, err] = ['', '']
    child.stdout.on('data', (chunk) => {
      out += chunk
    })
    child.stderr.on('data', (chunk) => {
      err += chunk
    })
    child.once('close', (code) => done({ code, out, err }))
  })

const merchant = (node: ServiceNode, path: string, method = 'GET', body?: unknown): Promise<Answer> =>
  askAt(`${node.origin}/api/v1/merchant${path}`, method, { token, body })
const isReady = async (node: ServiceNode): Promise<boolean> =>
  (await askAt(`${node.operators}/readyz`, 'GET', {})).status === 200
const statuses = async (): Promise<string> => {
  const rows = await db.run({
    text: 'select status, count(*) from intents where id = any($1) group by 1',
    values: [ids],
  })
  return rows.map(([status, count]) => `${count} ${status}`).join()
}
const clockLines = (node: ServiceNode): { level: string; msg: string; offset_s: number }[] =>
  node
    .log()
    .split('\n')
    .filter((line) => /"msg":"[Tt]he clock of this machine/.test(line))
    .map((line) => JSON.parse(line))
const offsetOf = async (node: ServiceNode): Promise<number> => {
  const { text } = await askAt(`${node.operators}/metrics`, 'GET', {})
  return Number(/^sanad_clock_offset_seconds (\S+)$/m.exec(text)![1])
}

const right = await startNode()
const token = (
  await askAt(`${right.origin}/api/v1/merchant/token`, 'POST', {
    headers: { 'SERVICE-CLIENT-ID': demo.client_id, 'SERVICE-CLIENT-SECRET': demo.client_secret },
  })
).body.access_token as string
const ids: string[] = []
for (let n = 0; n < 20; n++) {
  const created = await merchant(right, '/intents/', 'POST', { wallet: demo.wallets.main, amount: '1500.00' })
  assert.equal(created.status, 201, created.text)
  ids.push(created.body.id)
}
const ahead = shiftedClock(2 * hours)
const behind = shiftedClock(-2 * hours)
const [nodeAhead, nodeBehind] = await Promise.all([startNode(ahead.environment), startNode(behind.environment)])
const wrongNodes = [
  [nodeAhead, 2 * hours, /2 h ahead of the database's: here it is .* UTC, there .* UTC\./],
  [nodeBehind, -2 * hours, /2 h behind the database's: here it is .* UTC, there .* UTC\./],
] as const

test('89: nodes two hours ahead and two hours behind end no intent, and the right node serves on', async () => {
  // Every loop of a node that works would have run several times.
  await delay(6_000)
  assert.equal(await statuses(), '20 PENDING')
  assert.ok(await isReady(right))
  for (const id of ids) assert.equal((await merchant(right, `/intents/${id}/`)).body.status, 'PENDING')
  assert.deepEqual(clockLines(right), [])
  assert.ok(Math.abs(await offsetOf(right)) < 1)
})

test('89: a node whose clock is wrong is alive but not ready, with a sentence, one line in the log and a metric', async () => {
  for (const [node, offset_s, sentence] of wrongNodes) {
    assert.equal((await askAt(`${node.origin}/healthz`, 'GET', {})).status, 200)
    for (const at of [node.origin, node.operators]) {
      const answer = await askAt(`${at}/readyz`, 'GET', {})
      assert.equal(answer.status, 503)
      assert.match(answer.body.detail, sentence)
    }
    const lines = clockLines(node)
    assert.equal(lines.length, 1, node.log())
    assert.equal(lines[0]!.level, 'error')
    assert.match(lines[0]!.msg, sentence)
    assert.ok(Math.abs((await offsetOf(node)) - offset_s) < 1)
    const { text } = await askAt(`${node.operators}/metrics`, 'GET', {})
    assert.doesNotMatch(text, /^sanad_loop_runs_total\{/m)
  }
})

test('89: a node whose clock is wrong answers 503 to merchants, phones, buyers and members, and changes nothing', async () => {
  for (const [node] of wrongNodes) {
    const answers = [
      await merchant(node, `/intents/${ids[0]}/`),
      await merchant(node, '/intents/', 'POST', { wallet: demo.wallets.main, amount: '1500.00' }),
      await askAt(`${node.origin}/api/v1/merchant/token`, 'POST', {
        headers: { 'SERVICE-CLIENT-ID': demo.client_id, 'SERVICE-CLIENT-SECRET': demo.client_secret },
      }),
      await phone(node.origin, systemClock.now, demo.device).heartbeat(),
      await askAt(`${node.origin}/api/v1/checkout/sessions/`, 'POST', { token, body: { amount: '1.00' } }),
      await askAt(`${node.origin}/ingest/text/${demo.device.ingest_token}`, 'POST', { body: 'a message' }),
      await askAt(`${node.origin}/api/v1/dashboard/session/`, 'GET', { undescribed: true }),
    ]
    for (const { status, body, headers, text } of answers) {
      assert.equal(status, 503, text)
      assert.equal(body.type, 'server_error')
      assert.equal(body.errors[0].code, 'unavailable')
      assert.ok(Number(headers['retry-after']) > 0)
    }
    const page = await askAt(`${node.origin}/pay/${'a'.repeat(32)}`, 'GET', {})
    assert.equal(page.status, 503)
    assert.match(String(page.headers['content-type']), /^text\/html/)
    // What does not depend on the time is still there.
    assert.equal((await askAt(`${node.origin}/docs`, 'GET', {})).status, 200)
  }
  const [row] = await db.run({ text: 'select count(*) from intents', values: [] })
  assert.equal(Number(row![0]), 20)
})

test('89: a command on a machine with a wrong clock changes nothing, and `sanad health` names the wrong clocks', async () => {
  const refused = await command(['account', 'create', '--name', 'A shop'], ahead.environment)
  assert.equal(refused.code, 1)
  assert.match(refused.err, /2 h ahead of the database's: .* Nothing was changed: set the clock, then run/)
  const [row] = await db.run({ text: `select count(*) from accounts where name = 'A shop'`, values: [] })
  assert.equal(row![0], '0')
  const health = await command(['health'], behind.environment)
  assert.equal(health.code, 1, health.out)
  assert.match(
    health.err,
    /^Somebody should look\. Seconds that the clock of this machine is behind the database's: 7,[12]\d\d\. Nodes with a wrong clock: .*, .*\.$/m,
  )
  assert.match(health.out, /^nodes +3 run, 2 with a wrong clock: .* [+-]7[12]\d\d s; /m)
  assert.match(health.out, /^clock here +The clock of this machine is 2 h behind the database's/m)
  const right = await command(['health'])
  assert.match(right.out, /^clock here +agrees with the database's$/m)
})

test('89: a clock that is set right makes its node ready by itself, and it says so once', async () => {
  ahead.set(0)
  behind.set(0)
  for (const [node] of wrongNodes) {
    await until('ready again', () => isReady(node))
    assert.equal((await merchant(node, `/intents/${ids[0]}/`)).body.status, 'PENDING')
    await until('a second line', async () => clockLines(node).length === 2)
    assert.match(clockLines(node)[1]!.msg, /agrees/)
    await until('loops run', async () =>
      /^sanad_loop_runs_total\{loop="expire",outcome="ok"\}/m.test(
        (await askAt(`${node.operators}/metrics`, 'GET', {})).text,
      ),
    )
  }
  assert.equal(await statuses(), '20 PENDING')
})

test('89: a clock that jumps while its node works is noticed before anything is ended', async () => {
  ahead.set(2 * hours)
  // At once, without waiting for the next comparison: the first request is refused.
  assert.equal((await merchant(nodeAhead, `/intents/${ids[0]}/`)).status, 503)
  await delay(4_000)
  assert.equal(await isReady(nodeAhead), false)
  assert.equal(await statuses(), '20 PENDING')
  ahead.set(0)
  await until('ready again', () => isReady(nodeAhead))
})

test('89: a node that is five seconds ahead says so, serves, and ends an intent by the database’s time', async () => {
  ahead.set(5)
  await until('a warning', async () => clockLines(nodeAhead).at(-1)!.level === 'warn')
  assert.match(clockLines(nodeAhead).at(-1)!.msg, /5\.0 s ahead of the database's/)
  assert.ok(await isReady(nodeAhead))
  assert.ok(Math.abs((await offsetOf(nodeAhead)) - 5) < 0.5)
  const [row] = await db.run({
    text: `update intents set expires_at = clock_timestamp() + interval '4 seconds' where id = $1
           returning extract(epoch from expires_at) * 1000`,
    values: [ids[0]],
  })
  const end = Number(row![0])
  const databaseTime = async (): Promise<number> =>
    Number((await db.run({ text: 'select extract(epoch from clock_timestamp()) * 1000', values: [] }))[0]![0])
  let seenOpen = 0
  for (;;) {
    const answer = await merchant(nodeAhead, `/intents/${ids[0]}/`)
    const after_ms = (await databaseTime()) - end
    if (answer.body.status === 'EXPIRED') {
      assert.ok(after_ms >= -50, `EXPIRED ${-after_ms} ms too early`)
      break
    }
    assert.equal(answer.body.status, 'PENDING')
    seenOpen++
    assert.ok(after_ms < 1_000, 'it does not end')
    await delay(50)
  }
  assert.ok(seenOpen > 10)
  await until('the end is stored', async () => (await statuses()).includes('1 EXPIRED'))
  ahead.set(0)
})

test('89: an intent whose window has closed by the database is ended, and the others are not', async () => {
  await db.run({
    text: `update intents set expires_at = clock_timestamp() where id = any($1)`,
    values: [ids.slice(0, 3)],
  })
  await until('three ended', async () => (await statuses()).includes('3 EXPIRED'))
  assert.ok((await statuses()).includes('17 PENDING'))
})
