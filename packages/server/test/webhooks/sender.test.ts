/** Webhook delivery from the commit to the receiver, over real HTTP, with each kind of failure. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { markNoticeSent, takeNotices } from '../../src/accounts/notices/owner-notices.ts'
import type { EndpointId } from '../../src/core/ids.ts'
import type { Db } from '../../src/postgres/connection/database.ts'
import { lockEndpointHealth } from '../../src/webhooks/health/health-sql.ts'
import { endDisabledDeliveries, reapLeases } from '../../src/webhooks/sending/delivery-sql.ts'
import { mostAttempts } from '../../src/webhooks/sending/schedule.ts'
import { webhookDefaults } from '../../src/webhooks/settings.ts'
import { askAt } from '../support/story.ts'
import { senderStory } from './sender-story.ts'

const {
  service,
  clock,
  demo,
  sql,
  answers,
  at,
  callsAt,
  newEndpoint,
  enabledOnly,
  pay,
  until,
  waiting,
  startSender,
  health,
  attemptsOf,
  iso,
} = await senderStory()

test('a verified payment is delivered as a signed POST, with its event and attempt', async () => {
  const { id, secret } = await newEndpoint('/ok')
  const sender = startSender()
  const paid = await pay()
  await until('it arrives', () => callsAt('/ok').length === 1)
  await until('it is finished', async () => (await waiting()) === 0)
  const { headers, body } = callsAt('/ok')[0]!
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

test('a failure is retried with the same bytes and a fresh signature, on schedule and never early', async () => {
  const { id } = await newEndpoint('/twice')
  await enabledOnly(id)
  answers.set('/twice', (response, times) => {
    response.statusCode = times < 3 ? 500 : 204
    response.end('sorry')
  })
  const sender = startSender()
  await pay()
  await until('first', () => callsAt('/twice').length === 1)
  await until('recorded', async () => (await sql('select 1 from deliveries where lease_id is null')).length === 1)
  clock.advance(4_999)
  sender.wake()
  await delay(60)
  assert.equal(callsAt('/twice').length, 1)
  clock.advance(1)
  await until('second', () => callsAt('/twice').length === 2)
  await until('recorded', async () => (await sql('select 1 from deliveries where lease_id is null')).length === 1)
  clock.advance(30_000)
  await until('third', () => callsAt('/twice').length === 3)
  await until('finished', async () => (await waiting()) === 0)
  const calls = callsAt('/twice')
  assert.equal(new Set(calls.map((call) => call.body)).size, 1)
  assert.equal(new Set(calls.map((call) => call.headers['x-service-event-id'])).size, 1)
  assert.equal(new Set(calls.map((call) => call.headers['x-service-signature'])).size, 3)
  assert.deepEqual(
    calls.map((call) => call.headers['x-service-attempt']),
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

test('410 disables the endpoint at once; its waiting deliveries are recorded as disabled', async () => {
  const { id } = await newEndpoint('/gone')
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
  await endDisabledDeliveries(service.db, clock.now(), 100)
  assert.equal(await waiting(), 0)
  assert.deepEqual(await sql('select ending from delivery_ends where endpoint_id = $1', [id]), [['disabled']])
  await sender.stop()
})

test('a redirect is a failure, is not followed, and the log shows its location', async () => {
  const { id } = await newEndpoint('/moved')
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
  assert.deepEqual(callsAt('/secret-place'), [])
  await sender.stop()
  await sql('delete from deliveries')
})

test('a dead endpoint opens its circuit breaker; another endpoint is not delayed', async () => {
  const dead = await newEndpoint('http://127.0.0.1:1/')
  const { id: alive } = await newEndpoint('/alive')
  await sql('update webhook_endpoints set enabled = (id = any($1::uuid[]))', [[dead.id, alive]])
  const sender = startSender()
  for (let n = 0; n < 8; n++) await pay()
  await until('the others arrive', () => callsAt('/alive').length === 8)
  await until(
    'the breaker opens',
    async () =>
      (await sql('select open_until is not null from webhook_endpoints where id = $1', [dead.id]))[0]![0] === 't',
  )
  const figures = await service.figures()
  assert.match(figures, /^sanad_webhook_open_breakers 1$/m)
  assert.match(figures, /^sanad_webhook_oldest_waiting_seconds [\d.]+$/m)
  const attempts = () => sql('select count(*) from delivery_attempts where endpoint_id = $1', [dead.id])
  const before = await attempts()
  await pay()
  await until('the next one arrives', () => callsAt('/alive').length === 9)
  assert.deepEqual(await attempts(), before, 'an open breaker lets no call through')
  await sender.stop()
  await sql('delete from deliveries')
})

test('one success makes an endpoint healthy in the same transaction as its record: a crash cannot separate them', async () => {
  const { id } = await newEndpoint('/well-again')
  await enabledOnly(id)
  await pay()
  await sql('update webhook_endpoints set failing_since = $2, failures = 7 where id = $1', [
    id,
    iso(clock.now() - 60_000),
  ])
  const released = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const holding = service.db.transaction(async (tx) => {
    await lockEndpointHealth(tx, [id as EndpointId])
    held.resolve()
    await released.promise
  })
  await held.promise
  const sender = startSender()
  try {
    await until('the sender waits for the lock on the health', async () => {
      const waits = `select 1 from pg_stat_activity
                      where datname = current_database() and application_name = 'sender' and wait_event_type = 'Lock'`
      return (await sql(waits)).length === 1
    })
    assert.equal(callsAt('/well-again').length, 1)
    assert.deepEqual([await attemptsOf(id), await waiting()], [0, 1], 'not recorded before the health')
  } finally {
    released.resolve()
    await holding
  }
  await until('it is recorded', async () => (await attemptsOf(id)) === 1)
  const [, , , , , failingSince, failures] = await health(id)
  assert.deepEqual([failingSince, failures, await waiting()], [null, '0', 0])
  assert.equal(callsAt('/well-again').length, 1)
  await sender.stop()
})

test('a node that died loses its lease, and another node sends the delivery as the next attempt', async () => {
  const { id } = await newEndpoint('/again')
  await enabledOnly(id)
  await pay()
  // The row as a node leaves it that is killed after it has claimed the delivery.
  await sql(`update deliveries set lease_id = gen_random_uuid(), lease_until = $1, attempt = 1`, [
    new Date(clock.now() + 30_000).toISOString(),
  ])
  const sender = startSender()
  await delay(60)
  assert.equal(callsAt('/again').length, 0)
  clock.advance(30_000)
  await reapLeases(service.db, clock.now(), 100, mostAttempts(webhookDefaults))
  await until('it goes out', () => callsAt('/again').length === 1)
  assert.equal(callsAt('/again')[0]!.headers['x-service-attempt'], '2')
  await sender.stop()
})

test('the attempt of a node that died is in the log; a delivery that no node could finish ends as exhausted', async () => {
  const { id } = await newEndpoint('/poison')
  await enabledOnly(id)
  await pay()
  const most = mostAttempts(webhookDefaults)
  const die = async (attempt: number) => {
    await sql(`update deliveries set lease_id = gen_random_uuid(), lease_until = $1, attempt = $2`, [
      iso(clock.now() + 30_000),
      attempt,
    ])
    clock.advance(30_000)
    await reapLeases(service.db, clock.now(), 100, most)
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

test("a secret that cannot be opened: attempts are logged and retried until exhausted; the endpoint's health is unchanged", async () => {
  const { id } = await newEndpoint('/sealed')
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
  await until('it is recorded', async () => (await attemptsOf(id)) === 1)
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
  assert.deepEqual(callsAt('/sealed'), [])
  assert.deepEqual(await health(id), before)
  await sender.stop([wrongKey, wrongKey])
})

test('a delivery whose claim took too long for its lease is not sent then; it is sent later, once', async () => {
  const { id } = await newEndpoint('/slow-claim')
  await enabledOnly(id)
  await pay()
  let slow = true
  const wrapDb = (db: Db): Db => ({
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
  const sender = startSender({}, { wrapDb })
  await until('it is claimed', () => !slow)
  await delay(60)
  assert.deepEqual(callsAt('/slow-claim'), [])
  assert.deepEqual(await sql('select lease_id is not null from deliveries'), [['t']])
  clock.advance(15_000)
  await reapLeases(service.db, clock.now(), 100, mostAttempts(webhookDefaults))
  await until('it goes out', async () => (await waiting()) === 0)
  assert.equal(callsAt('/slow-claim').length, 1)
  await sender.stop()
})

test('410 to a delivery sent again by a user disables the endpoint as any 410, and changes nothing else of its health', async () => {
  const { id } = await newEndpoint('/gone-by-hand')
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
  const notices = await takeNotices(service.db, 10, clock.now())
  assert.deepEqual(
    notices.filter((notice) => notice.objectId === id).map((notice) => notice.kind),
    ['webhook_gone'],
  )
  for (const notice of notices) await markNoticeSent(service.db, notice, clock.now())
  await sender.stop()
})

test('deliveries sent by hand, and a test send, do not change an open breaker; the next ordinary delivery is its probe', async () => {
  const { id } = await newEndpoint('http://127.0.0.1:1/')
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
  // The delivery waits for the breaker and loses no attempt, although a user sent it.
  assert.equal(await attemptsOf(id), 0)
  const answer = await askAt(`${service.origin}/api/v1/dashboard/webhooks/${id}/test/`, 'POST', {
    token: demo.dashboard.user_token,
  })
  assert.equal(answer.body.outcome, 'network')
  assert.deepEqual(await health(id), before)

  clock.advance(60_000)
  await until('it is tried', async () => (await attemptsOf(id)) === 1)
  await until('it is recorded', async () => (await sql('select 1 from deliveries where lease_id is null')).length === 1)
  assert.deepEqual(await health(id), before)

  await pay()
  await until('the probe', async () => (await attemptsOf(id)) >= 2)
  await until('it opens for longer', async () => Number((await health(id))[3]) === 2)
  assert.equal((await health(id))[6], '8')
  await sender.stop()
  await sql('delete from deliveries')
})

test("a merchant's own headers arrive, are sealed at rest and hidden in the log", async () => {
  await sql('update webhook_endpoints set enabled = false')
  const created = await askAt(`${service.origin}/api/v1/dashboard/webhooks/`, 'POST', {
    token: demo.dashboard.user_token,
    body: { url: at('/headers'), headers: { 'X-Shop-Key': 'open sesame', Authorization: 'Basic c2hvcDpzaG9w' } },
  })
  assert.equal(created.status, 201, created.text)
  const node = await service.startNode()
  node.service.work()
  await pay()
  await until('it arrives', () => callsAt('/headers').length === 1)
  await until('it is finished', async () => (await waiting()) === 0)
  const { headers, body } = callsAt('/headers')[0]!
  assert.equal(headers['x-shop-key'], 'open sesame')
  assert.equal(headers.authorization, 'Basic c2hvcDpzaG9w')
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature']))!
  assert.equal(v1, createHmac('sha256', created.body.secret).update(`${t}.${body}`).digest('hex'))
  const log = await sql('select request::text from delivery_attempts where endpoint_id = $1', [created.body.webhook.id])
  assert.equal(JSON.parse(log[0]![0]!).headers['X-Shop-Key'], '(hidden)')
  assert.ok(!log[0]![0]!.includes('sesame'))
  // The node must not send deliveries of later tests.
  await node.close()
})
