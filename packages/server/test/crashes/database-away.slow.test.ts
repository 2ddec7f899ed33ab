/** The service while its database does not answer or is unreachable: every call is answered in time and can be retried. */
import '../runner/own-process.ts'
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { pino } from 'pino'
import { createDemo } from '../../src/commands/shop/demo.ts'
import { readConfig } from '../../src/config.ts'
import { openDatabase, type Pool } from '../../src/postgres/connection/database.ts'
import { openService } from '../../src/service.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { phone } from '../support/phone.ts'
import { movableClock } from '../support/pure/movable-clock.ts'
import { startSilentProxy, targetOf, throughProxy } from '../support/servers/silent-proxy.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { type Answer, askAt, morning } from '../support/story.ts'
import { freshDatabase } from '../support/test-databases.ts'

const database = await freshDatabase()
const proxy = await startSilentProxy(targetOf(database.url))
const url = throughProxy(database.url, proxy.port)
const masterKey = new Uint8Array(32).fill(7)
const clock = movableClock(morning)
const limits = { tick_ms: 50, silent_ms: 300, ask_ms: 2_000, connect_ms: 500, closing_ms: 100 }
const open = (lock_timeout_ms: number): Pool =>
  openDatabase({ url, connections: 8, application: 'test', lock_timeout_ms, limits, onFault: () => {} })
const [db, shared, sending] = [open(10_000), open(300), open(5_000)]
const service = await openService({
  config: readConfig({ SANAD_DATA_DIR: '/nonexistent', SANAD_TOKEN_TTL_S: '86400', SANAD_LIMITS: 'off' }),
  log: pino({ level: 'silent' }),
  clock,
  masterKey,
  db,
  shared,
  sending,
  databaseUrl: url,
  notReady: async () => {
    await db.run({ text: 'select count(*) from migrations', values: [] })
    return undefined
  },
})
await service.app.listen({ host: '127.0.0.1', port: 0 })
const origin = `http://127.0.0.1:${(service.app.server.address() as AddressInfo).port}`
const direct = openDatabase({ url: database.url, connections: 2, application: 'direct', onFault: () => {} })
const demo = await createDemo(direct, masterKey, origin, clock.now())
after(async () => {
  proxy.silenceNew(false)
  await service.close()
  await Promise.all([db, shared, sending, direct].map((pool) => pool.close()))
  await proxy.close()
  await database.drop()
})

const base = `${origin}/api/v1/merchant`
const { access_token: token } = (
  await askAt(`${base}/token`, 'POST', {
    headers: { 'SERVICE-CLIENT-ID': demo.client_id, 'SERVICE-CLIENT-SECRET': demo.client_secret },
  })
).body
const create = (key: string): Promise<Answer> =>
  askAt(`${base}/intents/`, 'POST', {
    token,
    body: { wallet: demo.wallets.main, amount: '1500.00' },
    headers: { 'SERVICE-IDEMPOTENCY-KEY': key },
  })
const ready = (): Promise<Answer> => askAt(`${origin}/readyz`, 'GET', {})

/** Repeats a call until its answer is not 503, as clients should. */
const withRetries = async (ask: () => Promise<Answer>): Promise<{ answer: Answer; refused: number }> => {
  for (let refused = 0; ; refused++) {
    // Longer than the caches of keys and wallets.
    clock.advance(2_000)
    const answer = await ask()
    if (answer.status !== 503) return { answer, refused }
    assert.deepEqual(answer.body, {
      type: 'server_error',
      errors: [{ code: 'unavailable', detail: answer.body.errors[0].detail, attr: null }],
    })
    assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/)
  }
}

test('all connections silent under load: 503 until they are replaced, then each create is stored once', async () => {
  const keys = Array.from({ length: 30 }, () => randomUUID())
  const busy = { text: 'select pg_sleep(0.1)', values: [] }
  await Promise.all([db, shared].flatMap((pool) => Array.from({ length: 8 }, () => pool.run(busy))))
  const before = await direct.run({ text: 'select count(*) from intents', values: [] })
  assert.ok(proxy.silence() >= 16)
  const created = await Promise.all(keys.map((key) => withRetries(() => create(key))))
  assert.ok(created.some(({ refused }) => refused > 0))
  assert.ok(created.every(({ answer }) => answer.status === 201))
  const [[now] = []] = await direct.run({ text: 'select count(*) from intents', values: [] })
  assert.equal(Number(now), Number(before[0]![0]) + keys.length)
  // Every answered intent is stored.
  for (const { answer } of created) {
    const again = await askAt(`${base}/intents/${answer.body.id}/`, 'GET', { token })
    assert.equal(again.status, 200)
  }
})

test('a payment on silent connections is matched once, whichever side has to retry', async () => {
  const handset = phone(origin, clock.now, demo.device)
  const { answer: created } = await withRetries(() => create(randomUUID()))
  const report = {
    client_id: randomUUID(),
    kind: 'sms',
    sender: 'Jawali',
    text: purchaseText('1500.00', '778812345'),
    sim_slot: 'SIM1',
    received_at: new Date(clock.now()).toISOString(),
  }
  proxy.silence()
  const [{ answer: reported }, { answer: attached }] = await Promise.all([
    withRetries(() => handset.alerts([report])),
    withRetries(() =>
      askAt(`${base}/intents/${created.body.id}/`, 'PATCH', { token, body: { reference: '778812345' } }),
    ),
  ])
  assert.equal(reported.status, 200)
  assert.ok([200, 400].includes(attached.status))
  const { body } = await askAt(`${base}/intents/${created.body.id}/`, 'GET', { token })
  assert.equal(body.status, 'VERIFIED')
  await assertMoneyInvariants((text, values = []) => direct.run({ text, values }) as Promise<string[][]>)
})

test('a paused PostgreSQL: /readyz, /healthz and the metrics answer, calls get 503, and all work again later', async () => {
  proxy.silenceNew(true)
  proxy.silence()
  const [waiting, notReady, alive] = await Promise.all([
    create(randomUUID()),
    ready(),
    askAt(`${origin}/healthz`, 'GET', {}),
  ])
  assert.deepEqual([waiting.status, notReady.status, alive.status], [503, 503, 200])
  assert.match(notReady.body.detail, /database/)
  const figures = await service.operatorsApp.inject('/metrics')
  assert.equal(figures.statusCode, 200)
  assert.match(figures.body, /sanad_memory_bytes \d+/)
  assert.match(figures.body, /sanad_webhook_waiting Nan/i)
  proxy.silenceNew(false)
  const { answer } = await withRetries(() => create(randomUUID()))
  assert.equal(answer.status, 201)
  while ((await ready()).status !== 200);
})
