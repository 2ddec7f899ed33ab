/** Webhooks that arrive: from the commit to the receiver, over real HTTP, with everything that goes wrong on the way. */
import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { deriveKey, seal, unseal } from '../src/ground/seal.ts'
import { zoneOf } from '../src/ground/zone.ts'
import { expireIntents } from '../src/intents/expire-intents.ts'
import { announceUnmatched } from '../src/matching/announce-unmatched.ts'
import { type Db, openDatabase } from '../src/postgres/database.ts'
import { readCidrs } from '../src/webhooks/address.ts'
import { receiverCaller } from '../src/webhooks/call-receiver.ts'
import { newDeliveryId } from '../src/webhooks/delivery-id.ts'
import { endDisabled, reapLeases } from '../src/webhooks/delivery-sql.ts'
import { noticeTold, takeNotices } from '../src/webhooks/endpoint-notices.ts'
import { forgetBodies, keepPartitions } from '../src/webhooks/keep-partitions.ts'
import { mostAttempts } from '../src/webhooks/schedule.ts'
import { type SenderRooms, webhookSender } from '../src/webhooks/sender.ts'
import { type WebhookSettings, webhookDefaults } from '../src/webhooks/settings.ts'
import { mostCredit } from '../src/webhooks/yield-calls.ts'
import { phone } from './phone.ts'
import { askAt, openHouse } from './story.ts'

const house = await openHouse({ SANAD_LIMITS: 'off', SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
const { clock, demo, sql } = house
const handset = phone(house.origin, clock.now, demo.device)
const accountId = (await sql('select account_id from devices where id = $1', [demo.device.id]))[0]![0]!
const key = deriveKey(house.masterKey, 'webhook secrets')

type Heard = { readonly headers: IncomingHttpHeaders; readonly body: string; readonly path: string }
const heard: Heard[] = []
/** What the receiver answers to a path; 200 otherwise. */
const answers = new Map<string, (response: ServerResponse, times: number) => void>()
const receiver = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    const path = request.url ?? ''
    heard.push({ headers: request.headers, body, path })
    const answer = answers.get(path)
    if (answer === undefined) response.end('thank you')
    else answer(response, heard.filter((one) => one.path === path).length)
  })
}).listen(0, '127.0.0.1')
await once(receiver, 'listening')
after(() => {
  receiver.closeAllConnections()
  receiver.close()
})
const at = (path: string) => `http://127.0.0.1:${(receiver.address() as AddressInfo).port}${path}`
const heardAt = (path: string) => heard.filter((one) => one.path === path)

const endpoint = async (
  path: string,
  kinds = ['payment.verified'],
  more: { secret?: string; wallet?: string } = {},
) => {
  const id = randomUUID()
  const secret = more.secret ?? `whsec_${id}`
  await sql(
    `insert into webhook_endpoints (account_id, id, url, wallet_id, kinds, secret_sealed, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      accountId,
      id,
      path.startsWith('http') ? path : at(path),
      more.wallet ?? null,
      kinds,
      seal(key, secret, id),
      new Date(clock.now()).toISOString(),
    ],
  )
  return { id, secret }
}
const enabledOnly = (id: string) => sql('update webhook_endpoints set enabled = (id = $1)', [id])

const alertOf = (reference: string) => ({
  client_id: reference,
  kind: 'sms',
  sender: 'Jawali',
  text: `لقد استلمت 1500.00 YER كقيمة مشتريات بمرجع ${reference} من تاجر تجريبي`,
  sim_slot: 'SIM1',
  received_at: iso(clock.now()),
})

let number = 0
/** A payment that is verified, end to end. */
const pay = async (): Promise<{ id: string; reference: string }> => {
  const reference = String(880_000_000_000 + ++number)
  const intent = (await house.create({ external_order_id: `order ${reference}` })).body
  await house.ask('PATCH', `/intents/${intent.id}/`, { body: { reference } })
  await handset.alerts([alertOf(reference)])
  return { id: intent.id, reference }
}

const until = async (what: string, done: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 3000; tries++) {
    if (await done()) return
    await delay(10)
  }
  assert.fail(`never: ${what}`)
}
const waiting = async (): Promise<number> => Number((await sql('select count(*) from deliveries'))[0]![0])

const startSender = (
  settings: Partial<WebhookSettings> = {},
  more: Partial<Pick<SenderRooms, 'unseal' | 'load'>> & { readonly over?: (db: Db) => Db } = {},
) => {
  const db = openDatabase({ url: house.databaseUrl, connections: 4, application: 'sender', onFault: () => {} })
  const allow = readCidrs('127.0.0.0/8')
  assert.ok(allow.ok)
  const receivers = receiverCaller({ development: true, allow: allow.list })
  const faults: unknown[] = []
  const sender = webhookSender({
    db: more.over?.(db) ?? db,
    clock,
    call: receivers.call,
    unseal: more.unseal ?? ((sealed, id) => unseal(key, sealed, id)),
    unsealHeaders: () => ({ 'x-shop': 'bakery' }),
    userAgent: 'Sanad/test',
    random: () => 0,
    settings: { poll_ms: 20, ...settings },
    onFault: (fault) => faults.push(fault),
    ...(more.load && { load: more.load }),
  })
  sender.start()
  return {
    wake: sender.wake,
    async stop(expected: readonly unknown[] = []) {
      await sender.stop()
      receivers.close()
      await db.close()
      assert.deepEqual(faults, expected)
    },
  }
}

const health = async (id: string) =>
  (
    await sql(
      `select enabled, network_failures, open_until, open_step, slow_start, failing_since, failures, warned_at, misconfigured
         from webhook_endpoints where id = $1`,
      [id],
    )
  )[0]!
const attemptsOf = async (id: string): Promise<number> =>
  Number((await sql('select count(*) from delivery_attempts where endpoint_id = $1', [id]))[0]![0])
const iso = (at: number) => new Date(at).toISOString()

test('70, 71, 72: a verified payment arrives as a POST, signed, with its event and attempt', async () => {
  const { id, secret } = await endpoint('/ok')
  const sender = startSender()
  const paid = await pay()
  await until('it arrives', () => heardAt('/ok').length === 1)
  await until('it is finished', async () => (await waiting()) === 0)
  const { headers, body } = heardAt('/ok')[0]!
  const event = JSON.parse(body)
  assert.equal(event.event, 'payment.verified')
  assert.equal(event.intent_id, paid.id)
  const stored = (await sql('select id, body from events where intent_id = $1', [paid.id]))[0]!
  assert.equal(body, stored[1])
  assert.equal(headers['x-service-event-id'], stored[0])
  assert.equal(headers['x-service-attempt'], '1')
  assert.equal(headers['x-shop'], 'bakery')
  assert.equal(headers['content-type'], 'application/json')
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature']))!
  assert.equal(Number(t), Math.floor(clock.now() / 1000))
  assert.equal(v1, createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'))
  const logged = await sql('select request from delivery_attempts where endpoint_id = $1', [id])
  assert.equal(JSON.parse(logged[0]![0]!).headers['x-shop'], '(hidden)')
  const ends = await sql('select ending, attempts from delivery_ends where endpoint_id = $1', [id])
  assert.deepEqual(ends, [['delivered', '1']])
  await sender.stop()
})

test('71: a failure is tried again over the same bytes with a fresh signature, on the schedule and never early', async () => {
  const { id } = await endpoint('/twice')
  await enabledOnly(id)
  answers.set('/twice', (response, times) => {
    response.statusCode = times < 3 ? 500 : 204
    response.end('sorry')
  })
  const sender = startSender()
  await pay()
  await until('first', () => heardAt('/twice').length === 1)
  await until('recorded', async () => (await sql('select 1 from deliveries where lease_id is null')).length === 1)
  clock.advance(4_999)
  sender.wake()
  await delay(60)
  assert.equal(heardAt('/twice').length, 1)
  clock.advance(1)
  await until('second', () => heardAt('/twice').length === 2)
  await until('recorded', async () => (await sql('select 1 from deliveries where lease_id is null')).length === 1)
  clock.advance(30_000)
  await until('third', () => heardAt('/twice').length === 3)
  await until('finished', async () => (await waiting()) === 0)
  const all = heardAt('/twice')
  assert.equal(new Set(all.map((one) => one.body)).size, 1)
  assert.equal(new Set(all.map((one) => one.headers['x-service-event-id'])).size, 1)
  assert.equal(new Set(all.map((one) => one.headers['x-service-signature'])).size, 3)
  assert.deepEqual(
    all.map((one) => one.headers['x-service-attempt']),
    ['1', '2', '3'],
  )
  const log = await sql(
    'select attempt, outcome, status from delivery_attempts where endpoint_id = $1 order by attempt',
    [id],
  )
  assert.deepEqual(log, [
    ['1', 'failed', '500'],
    ['2', 'failed', '500'],
    ['3', 'ok', '204'],
  ])
  await sender.stop()
})

test('70: 410 disables the endpoint at once; what waits for it ends visibly', async () => {
  const { id } = await endpoint('/gone')
  await enabledOnly(id)
  answers.set('/gone', (response) => {
    response.statusCode = 410
    response.end()
  })
  const sender = startSender()
  await pay()
  await until(
    'disabled',
    async () => (await sql('select enabled from webhook_endpoints where id = $1', [id]))[0]![0] === 'f',
  )
  await endDisabled(house.db, clock.now(), 100)
  assert.equal(await waiting(), 0)
  assert.deepEqual(await sql('select ending from delivery_ends where endpoint_id = $1', [id]), [['disabled']])
  await sender.stop()
})

test('70: a redirect is a failure, is not followed, and the log shows where it led', async () => {
  const { id } = await endpoint('/moved')
  await enabledOnly(id)
  answers.set('/moved', (response) => {
    response.writeHead(302, { location: at('/secret-place') }).end()
  })
  const sender = startSender()
  await pay()
  await until(
    'recorded',
    async () => (await sql('select 1 from delivery_attempts where endpoint_id = $1', [id])).length === 1,
  )
  const [row] = await sql('select outcome, status, response from delivery_attempts where endpoint_id = $1', [id])
  assert.equal(row![0], 'redirect')
  assert.equal(JSON.parse(row![2]!).headers.location, at('/secret-place'))
  assert.deepEqual(heardAt('/secret-place'), [])
  await sender.stop()
  await sql('delete from deliveries')
})

test('a dead endpoint opens its breaker and loses no attempt; another endpoint is not slowed', async () => {
  const dead = await endpoint('http://127.0.0.1:1/')
  const { id: alive } = await endpoint('/alive')
  await sql('update webhook_endpoints set enabled = (id = any($1::uuid[]))', [[dead.id, alive]])
  const sender = startSender()
  for (let n = 0; n < 8; n++) await pay()
  await until('the others arrive', () => heardAt('/alive').length === 8)
  await until(
    'the breaker opens',
    async () =>
      (await sql('select open_until is not null from webhook_endpoints where id = $1', [dead.id]))[0]![0] === 't',
  )
  const { text: figures } = await askAt(`${house.origin}/metrics`, 'GET', {})
  assert.match(figures, /^sanad_webhook_open_breakers 1$/m)
  assert.match(figures, /^sanad_webhook_oldest_waiting_seconds [\d.]+$/m)
  const tried = await sql('select count(*) from delivery_attempts where endpoint_id = $1', [dead.id])
  assert.ok(Number(tried[0]![0]) <= 8)
  await sender.stop()
  await sql('delete from deliveries')
})

test('a worker that died loses its lease, and the delivery goes out again with the same event id', async () => {
  const { id } = await endpoint('/again')
  await enabledOnly(id)
  await pay()
  // As a worker leaves it that was killed after its claim.
  await sql(`update deliveries set lease_id = gen_random_uuid(), lease_until = $1, attempt = 1`, [
    new Date(clock.now() + 30_000).toISOString(),
  ])
  const sender = startSender()
  await delay(60)
  assert.equal(heardAt('/again').length, 0)
  clock.advance(30_000)
  await reapLeases(house.db, clock.now(), 100, mostAttempts(webhookDefaults))
  await until('it goes out', () => heardAt('/again').length === 1)
  assert.equal(heardAt('/again')[0]!.headers['x-service-attempt'], '2')
  await sender.stop()
})

test('a worker that died leaves its attempt in the log; a delivery that none of many could finish ends where it can be seen', async () => {
  const { id } = await endpoint('/poison')
  await enabledOnly(id)
  await pay()
  const most = mostAttempts(webhookDefaults)
  const die = async (attempt: number) => {
    await sql(`update deliveries set lease_id = gen_random_uuid(), lease_until = $1, attempt = $2`, [
      iso(clock.now() + 30_000),
      attempt,
    ])
    clock.advance(30_000)
    await reapLeases(house.db, clock.now(), 100, most)
  }
  await die(1)
  assert.equal(await waiting(), 1)
  assert.deepEqual(
    await sql(`select attempt, outcome, request ->> 'url' from delivery_attempts where endpoint_id = $1`, [id]),
    [['1', 'lapsed', at('/poison')]],
  )
  await die(most - 1)
  assert.equal(await waiting(), 1)
  await die(most)
  assert.equal(await waiting(), 0)
  assert.deepEqual(await sql('select ending, attempts from delivery_ends where endpoint_id = $1', [id]), [
    ['exhausted', String(most)],
  ])
  assert.ok(mostAttempts({ ...webhookDefaults, retry_waits_s: Array<number>(50).fill(0) }) < 32_767)
})

test('a node that cannot open a secret writes that down as an attempt, waits as after any failure, and ends; the endpoint is not blamed', async () => {
  const { id } = await endpoint('/sealed')
  await enabledOnly(id)
  const before = await health(id)
  const wrongKey = new Error('the seal does not open')
  const sender = startSender(
    { retry_waits_s: [0, 5] },
    {
      unseal: () => {
        throw wrongKey
      },
    },
  )
  await pay()
  await until('it is written down', async () => (await attemptsOf(id)) === 1)
  await until('it waits', async () => (await sql('select 1 from deliveries where lease_id is null')).length === 1)
  const [log] = await sql('select outcome, status, error, request from delivery_attempts where endpoint_id = $1', [id])
  assert.deepEqual(log!.slice(0, 2), ['unsent', null])
  assert.match(log![2]!, /not sent.*not at your server/)
  assert.deepEqual(JSON.parse(log![3]!), { url: at('/sealed'), headers: {} })
  assert.deepEqual(await sql('select due_at = $1 from deliveries', [iso(clock.now() + 5_000)]), [['t']])
  clock.advance(5_000)
  await until('it ends', async () => (await waiting()) === 0)
  assert.deepEqual(await sql('select ending, attempts from delivery_ends where endpoint_id = $1', [id]), [
    ['exhausted', '2'],
  ])
  assert.deepEqual(heardAt('/sealed'), [])
  assert.deepEqual(await health(id), before)
  await sender.stop([wrongKey, wrongKey])
})

test('a claim that the database was slow to answer is not sent, since its lease might end before the call; it goes out later, once', async () => {
  const { id } = await endpoint('/slow-claim')
  await enabledOnly(id)
  await pay()
  let slow = true
  const over = (db: Db): Db => ({
    ...db,
    run: async (query) => {
      const rows = await db.run(query)
      if (query.name === 'claim_deliveries' && rows.length > 0 && slow) {
        slow = false
        clock.advance(15_000)
      }
      return rows
    },
  })
  const sender = startSender({}, { over })
  await until('it is claimed', () => !slow)
  await delay(60)
  assert.deepEqual(heardAt('/slow-claim'), [])
  assert.deepEqual(await sql('select lease_id is not null from deliveries'), [['t']])
  clock.advance(15_000)
  await reapLeases(house.db, clock.now(), 100, mostAttempts(webhookDefaults))
  await until('it goes out', async () => (await waiting()) === 0)
  assert.equal(heardAt('/slow-claim').length, 1)
  await sender.stop()
})

test('70: 410 to what a person sent again disables the endpoint as any 410 does, and says nothing else of its health', async () => {
  const { id } = await endpoint('/gone-by-hand')
  await enabledOnly(id)
  answers.set('/gone-by-hand', (response) => void response.writeHead(410).end())
  const before = await health(id)
  await pay()
  await sql('update deliveries set by_hand = true, replay = 1')
  const sender = startSender()
  await until('it ends', async () => (await waiting()) === 0)
  await until('it is disabled', async () => (await health(id))[0] === 'f')
  assert.deepEqual(await sql('select ending from delivery_ends where endpoint_id = $1', [id]), [['disabled']])
  assert.deepEqual(await sql('select disabled_why from webhook_endpoints where id = $1', [id]), [['gone']])
  assert.deepEqual((await health(id)).slice(1), before.slice(1))
  const told = await takeNotices(house.db, 10, clock.now())
  assert.deepEqual(
    told.filter((one) => one.endpointId === id).map((one) => one.kind),
    ['gone'],
  )
  for (const one of told) await noticeTold(house.db, one, clock.now())
  await sender.stop()
})

test('a long queue of one endpoint does not stand before the first delivery of another', async () => {
  const { id: long } = await endpoint('/long')
  const { id: short } = await endpoint('/short')
  await sql('update webhook_endpoints set enabled = (id = $1)', [long])
  answers.set('/long', (response) => {
    setTimeout(() => response.end(), 20)
  })
  await pay()
  await sql(`insert into deliveries (id, account_id, event_id, endpoint_id, replay, due_at, created_at)
             select ${newDeliveryId('event_id')}, account_id, event_id, endpoint_id, n, due_at, created_at from deliveries, generate_series(1, 3000) n`)
  const sender = startSender()
  await until('the long queue moves', () => heardAt('/long').length > 20)
  await sql('update webhook_endpoints set enabled = true where id = $1', [short])
  await pay()
  await until('the short one arrives', () => heardAt('/short').length === 1)
  assert.ok(heardAt('/long').length < 1500)
  await sender.stop()
  await sql('delete from deliveries')
})

test('however busy the house is, what is paid is told as it comes: only what waited before gives way to requests', async () => {
  const { id } = await endpoint('/busy')
  await enabledOnly(id)
  await pay()
  await sql(`insert into deliveries (id, account_id, event_id, endpoint_id, replay, due_at, created_at)
             select ${newDeliveryId('event_id')}, account_id, event_id, endpoint_id, n, due_at, created_at
               from deliveries, generate_series(1, 199) n`)
  const sender = startSender(
    { busy_share: 0, busy_per_s: 1 },
    { load: () => ({ underWay: 30, answered: 100, took_ms: 20 }) },
  )
  // What may begin at once, and hardly more.
  await until('some go out', () => heardAt('/busy').length >= mostCredit)
  await delay(100)
  assert.ok(heardAt('/busy').length < mostCredit + 10)
  const before = heardAt('/busy').length
  sender.wake(100)
  await until('as many go out as were paid', () => heardAt('/busy').length >= before + 100)
  await delay(100)
  assert.ok(heardAt('/busy').length < before + 120)
  await sender.stop()
  await sql('delete from deliveries')
})

test('half of the calls is kept for first attempts: retries that hang, however many are due, do not stand before a new payment', async () => {
  const { id: stuck } = await endpoint('/stuck')
  const { id: fresh } = await endpoint('/fresh')
  await enabledOnly(stuck)
  const held: ServerResponse[] = []
  answers.set('/stuck', (response) => void held.push(response))
  await pay()
  await sql(`insert into deliveries (id, account_id, event_id, endpoint_id, replay, attempt, due_at, created_at)
             select ${newDeliveryId('event_id')}, account_id, event_id, endpoint_id, n, 1, due_at, created_at from deliveries, generate_series(1, 30) n`)
  await sql('update deliveries set attempt = 1')
  const all = { calls: 8, calls_per_endpoint: 8, claim_per_endpoint: 8, account_share: 1 }
  const sender = startSender({ ...all, first_share: 0.5 })
  await until('retries go out', () => held.length >= 4)
  await delay(100)
  assert.equal(held.length, 4)
  await sql(`update webhook_endpoints set enabled = true, kinds = '{}' where id = $1`, [stuck])
  await sql('update webhook_endpoints set enabled = true where id = $1', [fresh])
  await pay()
  await until('the new one arrives', () => heardAt('/fresh').length === 1)
  // Each that ends makes room for one more, and never for a fifth.
  for (let ended = 0; ended < 8; ended++) {
    held[ended]!.end()
    await until('another goes out', () => held.length === ended + 5)
  }
  await delay(60)
  assert.equal(held.length, 12)
  answers.delete('/stuck')
  for (const response of held) response.end()
  await sender.stop()
  await sql('delete from deliveries')
})

test('two senders at once deliver each event once', async () => {
  const { id } = await endpoint('/pair')
  await enabledOnly(id)
  for (let n = 0; n < 20; n++) await pay()
  const senders = [startSender(), startSender()]
  await until('all arrive', async () => (await waiting()) === 0)
  await Promise.all(senders.map((sender) => sender.stop()))
  assert.equal(heardAt('/pair').length, 20)
  assert.equal(new Set(heardAt('/pair').map((one) => one.headers['x-service-event-id'])).size, 20)
})

test('what is sent by hand, and a test, change nothing in an open breaker; the next ordinary delivery is its probe', async () => {
  const { id } = await endpoint('http://127.0.0.1:1/')
  await enabledOnly(id)
  await pay()
  const byHand = await sql('update deliveries set by_hand = true, replay = 1 where endpoint_id = $1 returning id', [id])
  assert.equal(byHand.length, 1)
  await sql(
    `update webhook_endpoints set network_failures = 0, open_until = $2, open_step = 1, slow_start = 1, failing_since = $3,
            failures = 7 where id = $1`,
    [id, iso(clock.now() + 60_000), iso(clock.now() - 60_000)],
  )
  const before = await health(id)
  const sender = startSender()
  await delay(60)
  // Parked: it loses no attempt, though a person asked for it.
  assert.equal(await attemptsOf(id), 0)
  const answer = await askAt(`${house.origin}/api/v1/dashboard/webhooks/${id}/test/`, 'POST', {
    token: demo.dashboard.user_token,
  })
  assert.equal(answer.body.outcome, 'network')
  assert.deepEqual(await health(id), before)

  clock.advance(60_000)
  await until('it is tried', async () => (await attemptsOf(id)) === 1)
  await until(
    'it is written down',
    async () => (await sql('select 1 from deliveries where lease_id is null')).length === 1,
  )
  assert.deepEqual(await health(id), before)

  await pay()
  await until('the probe', async () => (await attemptsOf(id)) >= 2)
  await until('it opens for longer', async () => Number((await health(id))[3]) === 2)
  assert.equal((await health(id))[6], '8')
  await sender.stop()
  await sql('delete from deliveries')
})

test("a merchant's own headers arrive, sealed until then and hidden in the log", async () => {
  await sql('update webhook_endpoints set enabled = false')
  const made = await askAt(`${house.origin}/api/v1/dashboard/webhooks/`, 'POST', {
    token: demo.dashboard.user_token,
    body: { url: at('/headers'), headers: { 'X-Shop-Key': 'open sesame', Authorization: 'Basic c2hvcDpzaG9w' } },
  })
  assert.equal(made.status, 201, made.text)
  const node = await house.startNode()
  node.service.work()
  await pay()
  await until('it arrives', () => heardAt('/headers').length === 1)
  await until('it is finished', async () => (await waiting()) === 0)
  const { headers, body } = heardAt('/headers')[0]!
  assert.equal(headers['x-shop-key'], 'open sesame')
  assert.equal(headers.authorization, 'Basic c2hvcDpzaG9w')
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature']))!
  assert.equal(v1, createHmac('sha256', made.body.secret).update(`${t}.${body}`).digest('hex'))
  const log = await sql('select request::text from delivery_attempts where endpoint_id = $1', [made.body.webhook.id])
  assert.equal(JSON.parse(log[0]![0]!).headers['X-Shop-Key'], '(hidden)')
  assert.ok(!log[0]![0]!.includes('sesame'))
  // A node that goes on working would send what the next stories keep waiting.
  await node.close()
})

/** Money on the testing wallet. */
const testMoney = (reference: string, amount = '1500.00') =>
  handset.alerts([
    {
      client_id: reference,
      kind: 'sms',
      sender: 'SanadTest',
      text: `Test payment of ${amount} YER, reference ${reference}`,
      sim_slot: '',
      received_at: iso(clock.now()),
    },
  ])
const kindsAt = (path: string, reference: string) =>
  heardAt(path)
    .map(({ body }) => JSON.parse(body))
    .filter((event) => event.reference === reference)
    .map((event) => event.event)

test('75: at the receiver payment.received comes first, and payment.verified of the same payment not before that was answered', async () => {
  const { id } = await endpoint('/both', ['payment.verified', 'payment.received'])
  await enabledOnly(id)
  const log: string[] = []
  answers.set('/both', (response) => {
    const { event, reference } = JSON.parse(heardAt('/both').at(-1)!.body)
    log.push(`${reference} ${event}`)
    setTimeout(
      () => {
        log.push(`${reference} answered`)
        response.end()
      },
      event === 'payment.received' ? 40 : 0,
    )
  })
  // Two nodes, each with a claim for every delivery: nothing that one of them remembers helps the other.
  const senders = [startSender({ claim_per_endpoint: 1 }), startSender({ claim_per_endpoint: 1 })]
  const references = Array.from({ length: 6 }, (_, n) => String(750_000_000_100 + n))
  for (const [n, reference] of references.entries()) {
    const intent = (await house.create({ wallet: demo.wallets.test })).body
    const attach = () => house.ask('PATCH', `/intents/${intent.id}/`, { body: { reference } })
    // Whichever of money and reference comes first.
    if (n % 2 === 0) await attach()
    await testMoney(reference)
    if (n % 2 === 1) await attach()
    for (const sender of senders) sender.wake()
  }
  await until('all arrive', () => heardAt('/both').length === 12)
  await until('all are finished', async () => (await waiting()) === 0)
  for (const reference of references)
    assert.deepEqual(
      log.filter((line) => line.startsWith(reference)).map((line) => line.split(' ')[1]),
      ['payment.received', 'answered', 'payment.verified', 'answered'],
    )
  await Promise.all(senders.map((sender) => sender.stop()))
})

test('75: a payment.received that fails has gone out, and does not hold up payment.verified; nor does one that nobody asked for', async () => {
  const { id } = await endpoint('/first-fails', ['payment.verified', 'payment.received'])
  const { id: other } = await endpoint('/verified-only')
  await sql('update webhook_endpoints set enabled = (id = any($1::uuid[]))', [[id, other]])
  answers.set('/first-fails', (response, times) => void response.writeHead(times === 1 ? 500 : 200).end())
  const reference = '750000000200'
  const intent = (await house.create({ wallet: demo.wallets.test })).body
  await house.ask('PATCH', `/intents/${intent.id}/`, { body: { reference } })
  await testMoney(reference)
  const sender = startSender()
  await until('verified arrives', () => heardAt('/first-fails').length === 2)
  assert.deepEqual(kindsAt('/first-fails', reference), ['payment.received', 'payment.verified'])
  await until('the other heard', () => heardAt('/verified-only').length === 1)
  await until(
    'the failed one waits',
    async () => (await sql('select 1 from deliveries where lease_id is null')).length === 1,
  )
  clock.advance(5_000)
  await until('all are finished', async () => (await waiting()) === 0)
  assert.deepEqual(kindsAt('/first-fails', reference), ['payment.received', 'payment.verified', 'payment.received'])
  await sender.stop()
})

test('while an account is suspended its webhooks wait, neither sent nor given up; then they go out', async () => {
  const { id } = await endpoint('/suspended')
  const { id: other } = await endpoint('/not-suspended')
  await sql('update webhook_endpoints set enabled = (id = any($1::uuid[]))', [[id, other]])
  const [[accountId]] = (await sql('select account_id from webhook_endpoints where id = $1', [id])) as [[string]]
  const [[otherAccount]] = (await sql(`select id from accounts where id <> $1 limit 1`, [accountId])) as [[string]]
  const { reference } = await pay()
  // The same event for somebody who is not suspended: when that has gone out, ours was passed over.
  await sql('update webhook_endpoints set account_id = $2 where id = $1', [other, otherAccount])
  await sql(`update accounts set status = 'SUSPENDED' where id = $1`, [accountId])
  const sender = startSender()
  await until('the other heard', async () => heardAt('/not-suspended').length === 1 && (await waiting()) === 1)
  clock.advance(60_000)
  sender.wake()
  assert.equal(heardAt('/suspended').length, 0)
  assert.equal(await waiting(), 1)
  // It waits, and no sender is late with it.
  const figures = (await askAt(`${house.origin}/metrics`, 'GET', {})).text
  assert.match(figures, /^sanad_webhook_oldest_waiting_seconds 60$/m)
  assert.match(figures, /^sanad_webhook_oldest_sendable_seconds 0$/m)
  await sql(`update accounts set status = 'ACTIVE' where id = $1`, [accountId])
  sender.wake()
  await until('it goes out', async () => heardAt('/suspended').length === 1 && (await waiting()) === 0)
  assert.equal(JSON.parse(heardAt('/suspended')[0]!.body).reference, reference)
  await sql('update webhook_endpoints set account_id = $2 where id = $1', [other, accountId])
  await sender.stop()
})

test('73: nobody is told of a wrong amount, an expiry or a cancellation', async () => {
  const { id } = await endpoint('/three-kinds', ['payment.verified', 'payment.unmatched', 'payment.received'])
  await enabledOnly(id)
  const sender = startSender()
  const cancelled = (await house.create()).body
  const done = await askAt(`${house.origin}/api/v1/dashboard/intents/${cancelled.id}/cancel/`, 'POST', {
    token: demo.dashboard.user_token,
    body: {},
  })
  assert.equal(done.status, 200, done.text)
  const wrong = (await house.create({ amount: '1501.00' })).body
  const [reference] = [String(880_000_000_000 + ++number)]
  await house.ask('PATCH', `/intents/${wrong.id}/`, { body: { reference } })
  await handset.alerts([alertOf(reference)])
  const expired = (await house.create()).body
  clock.advance(house.config.intentWindow_ms + 1)
  await expireIntents(house.db, 1000, clock.now())
  for (const [intent, status] of [
    [cancelled, 'CANCELLED'],
    [wrong, 'WRONG_AMOUNT'],
    [expired, 'EXPIRED'],
  ])
    assert.equal((await house.ask('GET', `/intents/${intent.id}/`)).body.status, status)
  await announceUnmatched(house.db, zoneOf(house.config.timeZone), 100, clock.now())
  const paid = await pay()
  await until('what was verified arrives', () => heardAt('/three-kinds').length > 0)
  await until('all are finished', async () => (await waiting()) === 0)
  assert.deepEqual(
    heardAt('/three-kinds').map(({ body }) => [JSON.parse(body).event, JSON.parse(body).intent_id]),
    [['payment.verified', paid.id]],
  )
  await sender.stop()
})

test("76: received_at is the server's receipt, order_id is empty if there was none, wallet is the wallet's name", async () => {
  const { id } = await endpoint('/fields', ['payment.verified', 'payment.unmatched', 'payment.received'])
  await enabledOnly(id)
  const sender = startSender()
  const [walletName] = (await sql('select name from wallets where id = $1', [demo.wallets.main]))[0]!
  const zone = zoneOf(house.config.timeZone)
  const [unclaimed, verified] = [String(880_000_000_000 + ++number), String(880_000_000_000 + ++number)]
  // The phone says that the message came an hour ago; what counts is when it was told to us.
  await handset.alerts([{ ...alertOf(unclaimed), received_at: iso(clock.now() - 3_600_000) }])
  const receipt = zone.format(new Date(clock.now()))
  const intent = (await house.create()).body
  await house.ask('PATCH', `/intents/${intent.id}/`, { body: { reference: verified } })
  await handset.alerts([alertOf(verified)])
  await testMoney('760000000001')
  await until('all arrive', () => heardAt('/fields').length === 3)
  await until('all are finished', async () => (await waiting()) === 0)
  const told = new Map(heardAt('/fields').map(({ body }) => [JSON.parse(body).event, JSON.parse(body)]))
  assert.equal(told.get('payment.unmatched').received_at, receipt)
  assert.equal(told.get('payment.unmatched').wallet, walletName)
  assert.equal(told.get('payment.received').received_at, receipt)
  assert.equal(told.get('payment.verified').order_id, '')
  await sender.stop()
})

test('the oldest that waits is told exactly, also behind an open breaker; and apart from that the lag of the senders', async () => {
  const { id: parked } = await endpoint('/parked')
  const { id: open } = await endpoint('/open')
  const { id: off } = await endpoint('/off')
  const both = (ids: string[]) => sql('update webhook_endpoints set enabled = (id = any($1::uuid[]))', [ids])
  await both([parked, open, off])
  await pay()
  await both([parked, open])
  await sql('update webhook_endpoints set open_until = $2 where id = $1', [parked, iso(clock.now() + 60_000)])
  const due = (id: string, seconds: number) =>
    sql('update deliveries set due_at = $2 where endpoint_id = $1', [id, iso(clock.now() - seconds * 1000)])
  await due(parked, 7_200)
  await due(open, 90)
  await due(off, 9_999)
  const figures = async () => (await askAt(`${house.origin}/metrics`, 'GET', {})).text
  assert.match(await figures(), /^sanad_webhook_oldest_waiting_seconds 7200$/m)
  assert.match(await figures(), /^sanad_webhook_oldest_sendable_seconds 90$/m)
  assert.match(await figures(), /^sanad_webhook_waiting 2$/m)
  // What comes later, and what a worker holds, waits for nobody.
  await sql('update deliveries set lease_id = gen_random_uuid(), lease_until = due_at where endpoint_id = $1', [parked])
  await due(open, -5)
  assert.match(await figures(), /^sanad_webhook_oldest_waiting_seconds 0$/m)
  assert.match(await figures(), /^sanad_webhook_oldest_sendable_seconds 0$/m)
  await sql('update webhook_endpoints set open_until = null where id = $1', [parked])
  await sql('delete from deliveries')
})

test('notices and replays go after three months; an event stays, without its text, so that nobody is told twice', async () => {
  const { id } = await endpoint('/kept')
  const day = 86_400_000
  const [old, young] = [iso(clock.now() - 92 * day), iso(clock.now() - 88 * day)]
  for (const at of [old, young]) {
    await sql(
      `insert into webhook_notices (account_id, id, endpoint_id, kind, failures, at) values ($1, $2, $3, 'gone', 1, $4)`,
      [accountId, randomUUID(), id, at],
    )
    for (const state of ['done', 'stopped'])
      await sql(
        `insert into webhook_replays (account_id, id, endpoint_id, from_at, until_at, kinds, undelivered, total, more, cursor,
                                      paced_at, state, created_at)
         values ($1, $2, $3, $5, $5, '{}', false, 0, false, $2, $5, $4, $5)`,
        [accountId, randomUUID(), id, state, at],
      )
  }
  const [event] = await sql('select id from events order by id limit 1')
  await sql('update events set created_at = $2 where id = $1', [event![0], old])
  await keepPartitions(house.db, webhookDefaults, clock.now())
  await forgetBodies(house.db, webhookDefaults, clock.now(), 100)
  const left = (table: string) => sql(`select count(*) from ${table} where endpoint_id = $1`, [id])
  assert.deepEqual([await left('webhook_notices'), await left('webhook_replays')], [[['1']], [['2']]])
  assert.deepEqual(await sql('select body from events where id = $1', [event![0]]), [['']])
  await sql('delete from webhook_notices where endpoint_id = $1', [id])
})

test('before an endpoint is disabled its owners are to be told, once; and again when it is', async () => {
  const { id } = await endpoint('/down')
  await enabledOnly(id)
  answers.set('/down', (response) => {
    response.statusCode = 500
    response.end()
  })
  const day = 86_400_000
  const failing = (since: number, failures: number) =>
    sql('update webhook_endpoints set failing_since = $2, failures = $3 where id = $1', [id, iso(since), failures])
  const since = clock.now() - 3 * day
  await failing(since, 9)
  // Of the endpoint that answered 410, in another story.
  for (const told of await takeNotices(house.db, 10, clock.now())) {
    assert.equal(told.kind, 'gone')
    await noticeTold(house.db, told, clock.now())
  }
  const sender = startSender()
  await pay()
  await until('it fails', async () => (await attemptsOf(id)) === 1)
  const [notice, ...more] = await takeNotices(house.db, 10, clock.now())
  assert.deepEqual(more, [])
  assert.deepEqual(notice, {
    ...notice,
    accountId,
    endpointId: id,
    url: at('/down'),
    kind: 'failing',
    failingSince: since,
    failures: 10,
    disablesAt: since + 5 * day,
  })
  // Taken: nobody else tells it, unless the one who took it never says that it was told.
  assert.deepEqual(await takeNotices(house.db, 10, clock.now()), [])
  clock.advance(300_000)
  const [again] = await takeNotices(house.db, 10, clock.now())
  assert.equal(again!.id, notice!.id)
  await noticeTold(house.db, again!, clock.now())

  await until('it fails again', async () => (await attemptsOf(id)) === 2)
  await until('it waits', async () => (await sql('select 1 from deliveries where lease_id is null')).length === 1)
  await failing(since, 19)
  clock.advance(2 * day)
  await until('it is disabled', async () => (await health(id))[0] === 'f')
  const [disabled, ...others] = await takeNotices(house.db, 10, clock.now())
  assert.deepEqual([disabled!.kind, disabled!.endpointId, others], ['disabled', id, []])
  await noticeTold(house.db, disabled!, clock.now())
  clock.advance(300_000)
  assert.deepEqual(await takeNotices(house.db, 10, clock.now()), [])
  await sender.stop()
  await endDisabled(house.db, clock.now(), 100)
})
