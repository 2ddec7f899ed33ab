/** The delivery log, redelivery, replays and retention, over HTTP with a real sender and receiver. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { readCidrs } from '../../src/core/cidr.ts'
import { day_ms } from '../../src/core/duration.ts'
import { type AccountId, type EventId, timeOrderedId, type UserId } from '../../src/core/ids.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { openDatabase } from '../../src/postgres/connection/database.ts'
import { receiverCaller } from '../../src/webhooks/calling/call-receiver.ts'
import { endpointSecrets } from '../../src/webhooks/endpoints/endpoint-secrets.ts'
import { insertEvents } from '../../src/webhooks/event-sql.ts'
import { pruneEndpointHours } from '../../src/webhooks/log/event-feed-sql.ts'
import { forgetBodies, keepPartitions } from '../../src/webhooks/log/keep-partitions.ts'
import { replayStep } from '../../src/webhooks/log/replay-events.ts'
import { endDisabledDeliveries, queueState } from '../../src/webhooks/sending/delivery-sql.ts'
import { webhookSender } from '../../src/webhooks/sending/sender.ts'
import { webhookDefaults } from '../../src/webhooks/settings.ts'
import { openMerchantServer } from '../support/merchant-server.ts'
import { until } from '../support/pure/until.ts'
import { type Answer, askAt, errorsOf, openTestService } from '../support/story.ts'
import { lastingToken } from '../support/users.ts'

const service = await openTestService({ SANAD_LIMITS: 'off', SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8' })
const { clock, demo, db, sql } = service
const accountId = (await sql('select account_id from wallets where id = $1', [demo.wallets.main]))[0]![0] as AccountId
const userId = (await sql('select user_id from members where account_id = $1', [accountId]))[0]![0] as UserId
// The token must stay valid, because the tests move the clock by months.
const token = await lastingToken(service, { userId, accountId }, 4e7)
const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
  askAt(`${service.origin}/api/v1/dashboard${path}`, method, { token, body })
const value = async (text: string, values: unknown[] = []) => (await sql(text, values))[0]![0]!

const statuses = new Map<string, (times: number) => number>()
const { calls, at, callsAt } = await openMerchantServer(({ path }, response) => {
  response.writeHead(statuses.get(path)?.(callsAt(path).length) ?? 200, { 'content-type': 'text/plain' })
  response.end('received')
})
const eventsAt = (path: string) => callsAt(path).map(({ headers }) => headers['x-service-event-id'])

const createEndpoint = async (path: string, more: Record<string, unknown> = {}): Promise<string> => {
  const answer = await ask('POST', '/webhooks/', { url: at(path), ...more })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.webhook.id
}

type Kind = 'payment.verified' | 'payment.received' | 'payment.unmatched'
const createEvents = async (
  count: number,
  kind: Kind = 'payment.verified',
  walletId = demo.wallets.main,
): Promise<EventId[]> => {
  const events = Array.from({ length: count }, () => ({
    accountId,
    id: timeOrderedId<EventId>(clock.now()),
    kind,
    walletId,
    intentId: null,
    alertId: randomUUID() as never,
    body: JSON.stringify({ event: kind, n: randomUUID() }),
    createdAt: clock.now(),
  }))
  await insertEvents(db, events)
  return events.map(({ id }) => id)
}
const secrets = endpointSecrets(service.masterKey)
/** Sends everything that is due now, and stops the sender. */
const sendAll = async (): Promise<void> => {
  const own = openDatabase({ url: service.databaseUrl, connections: 4, application: 'sender', onFault: () => {} })
  const allow = readCidrs('127.0.0.0/8')
  assert.ok(allow.ok)
  const receivers = receiverCaller({ development: true, allow: allow.list })
  const faults: unknown[] = []
  const sender = webhookSender({
    db: own,
    clock,
    call: receivers.call,
    unseal: secrets.unseal,
    wholeUrl: secrets.wholeUrl,
    unsealHeaders: secrets.unsealHeaders,
    userAgent: 'Sanad/test',
    random: () => 0,
    settings: { poll_ms: 10 },
    onFault: (fault) => faults.push(fault),
  })
  sender.start()
  await until('all is sent', async () => {
    const due = await sql(
      `select from deliveries d join webhook_endpoints w on w.id = d.endpoint_id
        where w.enabled and (d.due_at <= $1 or d.lease_id is not null)`,
      [new Date(clock.now()).toISOString()],
    )
    return due.length === 0
  })
  await sender.stop()
  receivers.close()
  await own.close()
  assert.deepEqual(faults, [])
}

beforeEach(async () => {
  clock.advance(60_000)
  await sql(`update webhook_endpoints set deleted_at = now(), enabled = false where deleted_at is null`)
  await sql('delete from deliveries')
})

test('the log lists every delivery, waiting or ended, the newest event first, in pages', async () => {
  const id = await createEndpoint('/log')
  const ended = await createEvents(3)
  await sendAll()
  clock.advance(1000)
  const waiting = await createEvents(4, 'payment.received')
  const all = [...ended, ...waiting].toReversed()
  const first = (await ask('GET', `/webhooks/${id}/deliveries/?page_size=5`)).body
  assert.deepEqual(
    first.results.map(({ event_id }: { event_id: string }) => event_id),
    all.slice(0, 5),
  )
  const [newest] = first.results
  assert.equal(newest.state, 'waiting')
  assert.equal(newest.kind, 'payment.received')
  assert.equal(newest.attempts, 0)
  assert.equal(newest.last_attempt, null)
  assert.equal(Date.parse(newest.next_attempt_at), clock.now())
  // A delivery that ends between two pages keeps its position.
  await sendAll()
  const second = (await ask('GET', `/webhooks/${id}/deliveries/?page_size=5&after=${first.next}`)).body
  assert.deepEqual(
    second.results.map(({ event_id }: { event_id: string }) => event_id),
    all.slice(5),
  )
  assert.equal(second.next, null)
  const last = second.results.at(-1)
  assert.equal(last.state, 'delivered')
  assert.equal(last.attempts, 1)
  assert.deepEqual(last.last_attempt, { at: last.ended_at, outcome: 'ok', status: 200, error: '' })
  assert.equal((await ask('GET', `/webhooks/${id}/deliveries/?page_size=100000`)).body.results.length, 7)
  for (const [query, error] of [
    ['after=x', 'invalid@after'],
    [`after=${Buffer.from('["x",1]').toString('base64url')}`, 'invalid@after'],
    ['state=lost', 'invalid_choice@state'],
  ])
    assert.deepEqual(errorsOf(await ask('GET', `/webhooks/${id}/deliveries/?${query}`)), [error])
})

test('the log can be filtered by waiting, delivered and failed', async () => {
  const id = await createEndpoint('/apart')
  const [arrived] = await createEvents(1)
  await sendAll()
  const [lost] = await createEvents(1)
  await ask('PATCH', `/webhooks/${id}/`, { enabled: false })
  await endDisabledDeliveries(db, clock.now(), 10)
  await ask('PATCH', `/webhooks/${id}/`, { enabled: true })
  const [waits] = await createEvents(1)
  const inState = async (state: string) =>
    (await ask('GET', `/webhooks/${id}/deliveries/?state=${state}`)).body.results.map(
      ({ event_id, state: listedState }: { event_id: string; state: string }) => [event_id, listedState],
    )
  assert.deepEqual(await inState('waiting'), [[waits, 'waiting']])
  assert.deepEqual(await inState('delivered'), [[arrived, 'delivered']])
  assert.deepEqual(await inState('failed'), [[lost, 'disabled']])
  assert.equal((await inState('all')).length, 3)
  const { health } = (await ask('GET', `/webhooks/${id}/`)).body
  assert.deepEqual(health.waiting, { count: 1, more: false, failed: 0, oldest_at: health.waiting.oldest_at })
  assert.equal(Date.parse(health.waiting.oldest_at), clock.now())
  assert.notEqual(health.last_success_at, null)
})

test('a failing endpoint: its state, its log and the operator count the same deliveries', async () => {
  statuses.set('/fails', (times) => (times <= 6 ? 500 : 200))
  const id = await createEndpoint('/fails')
  const events = await createEvents(3)
  await sendAll()
  clock.advance(5_000)
  await sendAll()
  const show = async () => (await ask('GET', `/webhooks/${id}/`)).body
  const inState = async (state: string) => (await ask('GET', `/webhooks/${id}/deliveries/?state=${state}`)).body.results
  const { health, last_day } = await show()
  assert.equal(health.failures, 6)
  assert.deepEqual([health.waiting.count, health.waiting.failed], [3, 3])
  assert.deepEqual(last_day, { arrived: 0, failed: 6, p50_ms: null, p95_ms: null })
  for (const state of ['failed', 'waiting', 'all']) {
    const listed = await inState(state)
    assert.deepEqual(
      listed.map(({ event_id }: { event_id: string }) => event_id),
      events.toReversed(),
    )
    for (const delivery of listed) {
      assert.deepEqual([delivery.state, delivery.attempts, delivery.last_attempt.status], ['retrying', 2, 500])
      assert.equal(Date.parse(delivery.next_attempt_at), clock.now() + 30_000)
    }
  }
  // No delivery is due now, but three wait.
  const [queue] = await queueState(db, clock.now())
  assert.deepEqual([queue!.waiting, queue!.unfinished, queue!.failed, queue!.oldest_due_at], [0, 3, 3, null])
  const [fresh] = await createEvents(1)
  assert.deepEqual([(await show()).health.waiting.count, (await show()).health.waiting.failed], [4, 3])
  assert.ok(!(await inState('failed')).some(({ event_id }: { event_id: string }) => event_id === fresh))
  clock.advance(30_000)
  await sendAll()
  const after = await show()
  assert.deepEqual([after.health.failures, after.health.waiting.count, after.health.waiting.failed], [0, 0, 0])
  assert.deepEqual([after.last_day.arrived, after.last_day.failed], [4, 6])
  assert.ok(after.last_day.p50_ms >= 0 && after.last_day.p50_ms <= after.last_day.p95_ms)
  assert.deepEqual(await inState('failed'), [])
  const listed = (await ask('GET', '/webhooks/')).body.results.find((listed: { id: string }) => listed.id === id)
  assert.deepEqual(listed.last_day, after.last_day)
  // A day later the figures are zero again; a week later the counts are deleted.
  clock.advance(day_ms)
  assert.deepEqual((await show()).last_day, { arrived: 0, failed: 0, p50_ms: null, p95_ms: null })
  const counted = () => value('select count(*) from endpoint_hours where endpoint_id = $1', [id])
  await pruneEndpointHours(db, clock.now() - 7 * day_ms, 100)
  assert.notEqual(await counted(), '0')
  clock.advance(7 * day_ms)
  await pruneEndpointHours(db, clock.now() - 7 * day_ms, 100)
  assert.equal(await counted(), '0')
})

test('a delivery shows its order and its reference, as long as the body of its event is stored', async () => {
  const id = await createEndpoint('/order')
  const [event] = await createEvents(1)
  const body = JSON.stringify({ event: 'payment.verified', order_id: 'طلبية-7 "A"', reference: '815000000777' })
  await sql('update events set body = $2 where id = $1', [event, body])
  const orderAndReference = async () => {
    const [{ order, reference }] = (await ask('GET', `/webhooks/${id}/deliveries/`)).body.results
    return [order, reference]
  }
  assert.deepEqual(await orderAndReference(), ['طلبية-7 "A"', '815000000777'])
  await sql('update events set body = $2 where id = $1', [event, body.replace('طلبية-7 \\"A\\"', '')])
  assert.deepEqual(await orderAndReference(), [null, '815000000777'])
  await sql(`update events set body = '' where id = $1`, [event])
  assert.deepEqual(await orderAndReference(), [null, null])
})

test('a delivery shows each attempt: what was sent, what was answered, how long it took', async () => {
  statuses.set('/twice', (times) => (times === 1 ? 503 : 200))
  const id = await createEndpoint('/twice', { headers: { Authorization: 'Bearer sesame-0815' } })
  const [event] = await createEvents(1)
  await sendAll()
  const path = `/webhooks/${id}/deliveries/`
  const [listed] = (await ask('GET', path)).body.results
  assert.equal(listed.state, 'retrying')
  assert.equal(Date.parse(listed.next_attempt_at), clock.now() + 5_000)
  assert.equal(listed.last_attempt.outcome, 'busy')
  assert.equal(listed.last_attempt.status, 503)
  clock.advance(5_000)
  await sendAll()
  const answer = await ask('GET', `${path}${listed.id}/`)
  assert.equal(answer.status, 200)
  assert.equal(answer.body.state, 'delivered')
  assert.equal(answer.body.event_id, event)
  assert.equal(answer.body.body, callsAt('/twice')[0]!.body)
  const [first, second, ...more] = answer.body.log
  assert.deepEqual(more, [])
  assert.equal(first.attempt, 1)
  assert.equal(first.outcome, 'busy')
  assert.equal(first.response.body, 'received')
  assert.equal(first.response.headers['content-type'], 'text/plain')
  assert.equal(first.error, 'The receiver answered 503.')
  assert.equal(second.attempt, 2)
  assert.equal(second.status, 200)
  assert.equal(typeof second.took.total_ms, 'number')
  for (const [i, attempt] of [first, second].entries()) {
    const sent = callsAt('/twice')[i]!.headers
    assert.equal(attempt.request.headers['x-service-signature'], sent['x-service-signature'])
    assert.equal(attempt.request.headers['x-service-attempt'], sent['x-service-attempt'])
  }
  // The values of the merchant's own headers are hidden in every attempt.
  await sql(
    `update delivery_attempts set request = '{"url": "http://x/", "headers": {"Authorization": "sesame-0815"}}'`,
  )
  const again = await ask('GET', `${path}${listed.id}/`)
  assert.deepEqual(again.body.log[0].request.headers, { Authorization: '(hidden)' })
  assert.ok(!again.text.includes('sesame'))
  assert.equal((await ask('GET', `${path}${randomUUID()}/`)).status, 404)
})

test("a redelivery has the same event id, and does not change the endpoint's health", async () => {
  statuses.set('/again', (times) => (times === 2 ? 500 : 200))
  const id = await createEndpoint('/again')
  const [event] = await createEvents(1)
  await sendAll()
  const path = `/webhooks/${id}/deliveries/`
  const [original] = (await ask('GET', path)).body.results
  const health = () =>
    sql(
      'select last_success_at, failing_since, failures, network_failures, slow_start, open_until from webhook_endpoints where id = $1',
      [id],
    )
  const before = await health()
  clock.advance(120_000)
  const sent = await ask('POST', `${path}${original.id}/redeliver/`)
  assert.equal(sent.status, 202)
  assert.equal(sent.body.replay, 1)
  assert.equal(sent.body.state, 'waiting')
  assert.notEqual(sent.body.id, original.id)
  // A second click before it was sent changes nothing.
  const twice = await Promise.all(Array.from({ length: 4 }, () => ask('POST', `${path}${original.id}/redeliver/`)))
  assert.deepEqual([...new Set(twice.map((answer) => answer.body.id))], [sent.body.id])
  await sendAll()
  clock.advance(6_000)
  await sendAll()
  assert.deepEqual(eventsAt('/again'), [event, event, event])
  assert.deepEqual(
    callsAt('/again').map(({ headers }) => headers['x-service-delivery-id']),
    [original.id, sent.body.id, sent.body.id],
  )
  assert.deepEqual(await health(), before)
  const third = await ask('POST', `${path}${sent.body.id}/redeliver/`)
  assert.equal(third.body.replay, 2)
  await sendAll()
  assert.deepEqual(
    (await ask('GET', path)).body.results.map(({ replay, state }: { replay: number; state: string }) => [
      replay,
      state,
    ]),
    [
      [2, 'delivered'],
      [1, 'delivered'],
      [0, 'delivered'],
    ],
  )
  await ask('PATCH', `/webhooks/${id}/`, { enabled: false })
  const refused = await ask('POST', `${path}${original.id}/redeliver/`)
  assert.deepEqual(errorsOf(refused), ['endpoint_disabled@non_field_errors'])
})

const iso = (at: number) => new Date(at).toISOString()

test('a replay of a range sends ten events a second, each once; if it is stopped and resumed, none is lost', async () => {
  const id = await createEndpoint('/range', { kinds: ['payment.verified'], wallet: demo.wallets.main })
  await createEvents(2)
  clock.advance(1000)
  const from = clock.now()
  const expected = await createEvents(25)
  await createEvents(3, 'payment.received')
  await createEvents(3, 'payment.verified', demo.wallets.second)
  await sendAll()
  clock.advance(1000)
  const before = clock.now()
  await createEvents(2)
  await sendAll()
  calls.length = 0
  const path = `/webhooks/${id}/replays/`
  const range = { from: iso(from), until: iso(before) }
  assert.deepEqual((await ask('POST', `${path}count/`, range)).body, { count: 25, more: false })
  assert.deepEqual((await ask('POST', `${path}count/`, { ...range, only_undelivered: true })).body, {
    count: 0,
    more: false,
  })
  assert.deepEqual((await ask('GET', path)).body, { results: [] })

  const started = await ask('POST', path, range)
  assert.equal(started.status, 201)
  const { id: replay, ...rest } = started.body
  assert.equal(rest.total, 25)
  assert.equal(rest.done, 0)
  assert.equal(rest.state, 'running')
  assert.deepEqual(errorsOf(await ask('POST', path, range)), ['replay_running@non_field_errors'])
  assert.equal(await replayStep(db, 10, clock.now()), 0)
  clock.advance(1000)
  // Ten a second, with any number of nodes.
  const steps = await Promise.all(Array.from({ length: 4 }, () => replayStep(db, 10, clock.now())))
  assert.equal(
    steps.reduce((a, b) => a + b, 0),
    10,
  )
  assert.equal((await ask('GET', `${path}${replay}/`)).body.done, 10)
  const stopped = await ask('POST', `${path}${replay}/stop/`)
  assert.equal(stopped.body.state, 'stopped')
  assert.equal((await ask('POST', `${path}${replay}/stop/`)).body.state, 'stopped')
  clock.advance(60_000)
  assert.equal(await replayStep(db, 10, clock.now()), 0)
  const resumed = await ask('POST', `${path}${replay}/resume/`)
  assert.equal(resumed.body.state, 'running')
  assert.equal(await replayStep(db, 10, clock.now()), 0)
  clock.advance(550)
  assert.equal(await replayStep(db, 10, clock.now()), 5)
  await sendAll()
  clock.advance(50)
  assert.equal(await replayStep(db, 10, clock.now()), 1)
  for (let i = 0; i < 3; i++) {
    clock.advance(1000)
    await replayStep(db, 10, clock.now())
    await sendAll()
  }
  const ended = (await ask('GET', path)).body.results[0]
  assert.equal(ended.state, 'done')
  assert.equal(ended.done, 25)
  assert.notEqual(ended.ended_at, null)
  assert.deepEqual(eventsAt('/range').sort(), expected.toSorted())
  assert.equal(callsAt('/range').length, 25)
  assert.deepEqual(errorsOf(await ask('POST', `${path}${replay}/resume/`)), ['replay_over@non_field_errors'])
  assert.equal((await ask('GET', `${path}${randomUUID()}/`)).status, 404)
  // In a second replay of the same range each delivery has the next replay number.
  await ask('POST', path, range)
  clock.advance(1000)
  await replayStep(db, 10, clock.now())
  assert.equal(await value('select min(replay) || $1 || max(replay) from deliveries', ['-']), '2-2')
})

test('events that an endpoint missed while disabled are replayed once; delivered ones are not sent again', async () => {
  const id = await createEndpoint('/missed')
  await createEvents(2)
  await sendAll()
  const [lost] = await createEvents(1)
  clock.advance(1000)
  await ask('PATCH', `/webhooks/${id}/`, { enabled: false })
  await endDisabledDeliveries(db, clock.now(), 100)
  clock.advance(1000)
  const during = await createEvents(3)
  clock.advance(1000)
  const path = `/webhooks/${id}/replays/`
  const { missed } = (await ask('PATCH', `/webhooks/${id}/`, { enabled: true })).body
  assert.equal(missed.count, 4)
  calls.length = 0
  const started = await ask('POST', path, { from: missed.from, until: missed.until, only_undelivered: true })
  assert.equal(started.body.total, 4)
  for (let i = 0; i < 3; i++) {
    clock.advance(1000)
    await replayStep(db, 10, clock.now())
    await sendAll()
  }
  assert.deepEqual(eventsAt('/missed').sort(), [lost, ...during].sort())
  assert.equal((await ask('GET', `${path}${started.body.id}/`)).body.state, 'done')
})

test('a replay stops when its endpoint is disabled, and keeps its rate after a pause', async () => {
  const id = await createEndpoint('/stops')
  const from = clock.now()
  await createEvents(60)
  await sendAll()
  clock.advance(1000)
  const path = `/webhooks/${id}/replays/`
  const { id: replay } = (await ask('POST', path, { from: iso(from) })).body
  clock.advance(3_600_000)
  assert.equal(await replayStep(db, 10, clock.now()), 20)
  assert.equal(await replayStep(db, 10, clock.now()), 0)
  await ask('PATCH', `/webhooks/${id}/`, { enabled: false })
  clock.advance(1000)
  assert.equal(await replayStep(db, 10, clock.now()), 0)
  assert.equal((await ask('GET', `${path}${replay}/`)).body.state, 'stopped')
  assert.deepEqual(errorsOf(await ask('POST', `${path}${replay}/resume/`)), ['endpoint_disabled@non_field_errors'])
  assert.deepEqual(errorsOf(await ask('POST', path, { from: iso(from) })), ['endpoint_disabled@non_field_errors'])
  await ask('PATCH', `/webhooks/${id}/`, { enabled: true })
  assert.equal((await ask('POST', `${path}${replay}/resume/`)).body.state, 'running')
})

test('the time from which a member sends events again is in the zone of the account', async () => {
  const id = await createEndpoint('/zoned')
  await createEvents(1)
  clock.advance(60_000)
  const between = clock.now()
  await createEvents(2)
  await sendAll()
  clock.advance(60_000)
  assert.equal((await ask('PATCH', '/account/', { time_zone: 'America/New_York' })).status, 200)
  clock.advance(2_000)
  const from = zoneOf('America/New_York').format(new Date(between)).slice(0, 16)
  const path = `/webhooks/${id}/replays/`
  assert.equal((await ask('POST', `${path}count/`, { from })).body.count, 2)
  const started = (await ask('POST', path, { from })).body
  assert.equal(started.total, 2)
  assert.ok(started.from.startsWith(`${from}:00`), started.from)
  await ask('PATCH', '/account/', { time_zone: '' })
  clock.advance(2_000)
})

test('a range that is empty, or older than the stored events, is refused', async () => {
  const id = await createEndpoint('/ranges')
  const now = clock.now()
  const errors = async (body: unknown) => {
    const [counted, started] = [
      errorsOf(await ask('POST', `/webhooks/${id}/replays/count/`, body)),
      errorsOf(await ask('POST', `/webhooks/${id}/replays/`, body)),
    ]
    assert.deepEqual(counted, started)
    return started
  }
  assert.deepEqual(await errors({}), ['required@from'])
  assert.deepEqual(await errors({ from: 'yesterday', until: [] }), ['invalid@from', 'invalid@until'])
  assert.deepEqual(await errors({ from: iso(now), until: iso(now) }), ['range_empty@until'])
  assert.deepEqual(await errors({ from: iso(now + day_ms), until: iso(now + 2 * day_ms) }), ['range_empty@until'])
  assert.deepEqual(await errors({ from: iso(now - 31 * day_ms) }), ['range_too_old@from'])
})

const partitions = async () =>
  (
    await sql(`select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
               where i.inhparent in ('delivery_attempts'::regclass, 'delivery_ends'::regclass) order by 1`)
  )
    .map(([name]) => name!)
    .filter((name) => !name.endsWith('_other'))

test('daily partitions are created ahead, once, also by three nodes; rows of the default partition are moved', async () => {
  await createEndpoint('/kept')
  const strays = Number(await value('select count(*) from delivery_attempts_other'))
  assert.ok(strays > 0)
  const all = await value('select count(*) from delivery_attempts')
  const runs = await Promise.all(Array.from({ length: 3 }, () => keepPartitions(db, webhookDefaults, clock.now())))
  await keepPartitions(db, webhookDefaults, clock.now())
  const created = runs.flatMap((run) => run.created)
  assert.deepEqual(created.toSorted(), [...new Set(created)].sort())
  const today = iso(clock.now()).slice(0, 10)
  const names = (table: string) =>
    Array.from(
      { length: 4 },
      (_, i) =>
        `${table}_d${iso(Date.parse(today) + i * day_ms)
          .slice(0, 10)
          .replaceAll('-', '')}`,
    )
  assert.deepEqual(await partitions(), [...names('delivery_attempts'), ...names('delivery_ends')].sort())
  assert.equal(await value('select count(*) from delivery_attempts_other where at >= $1', [today]), '0')
  assert.equal(await value('select count(*) from delivery_attempts'), all)
  assert.deepEqual(await keepPartitions(db, webhookDefaults, clock.now()), { created: [], dropped: [] })
  await createEvents(1)
  await sendAll()
  assert.equal(
    await value(`select count(*) from ${names('delivery_attempts')[0]} where at = $1`, [iso(clock.now())]),
    '1',
  )
})

test('attempts are deleted after a month, ended deliveries after three; a day without a partition loses no row', async () => {
  const id = await createEndpoint('/kept-long')
  const [event] = await createEvents(1)
  await sendAll()
  const [delivery] = (await ask('GET', `/webhooks/${id}/deliveries/`)).body.results
  const path = `/webhooks/${id}/deliveries/${delivery.id}/`
  const started = clock.now()
  clock.set(started + 30 * day_ms)
  await keepPartitions(db, webhookDefaults, clock.now())
  assert.equal((await ask('GET', path)).body.log.length, 1)
  clock.set(started + 31 * day_ms)
  const { dropped } = await keepPartitions(db, webhookDefaults, clock.now())
  assert.ok(dropped.length > 0 && dropped.every((name) => name.startsWith('delivery_attempts_d')), String(dropped))
  const later = await ask('GET', path)
  assert.equal(later.status, 200)
  assert.equal(later.body.state, 'delivered')
  assert.deepEqual(later.body.log, [])
  assert.equal(later.body.last_attempt, null)
  assert.equal(await value('select count(*) from delivery_attempts_other where at < $1', [iso(started + day_ms)]), '0')

  // The bodies of events are deleted as well; the events stay. Events that still wait keep their body.
  await createEvents(1)
  clock.advance(32 * day_ms)
  const [fresh] = await createEvents(1)
  const before = Number(await value(`select count(*) from events where body <> ''`))
  let forgotten = 0
  for (let most = 7, some = most; some === most; forgotten += some)
    some = await forgetBodies(db, webhookDefaults, clock.now(), most)
  assert.equal(forgotten, before - 2)
  assert.equal(await value('select body from events where id = $1', [event]), '')
  assert.notEqual(await value('select body from events where id = $1', [fresh]), '')
  assert.equal((await ask('GET', path)).body.body, null)
  assert.deepEqual(errorsOf(await ask('POST', `${path}redeliver/`)), ['event_forgotten@non_field_errors'])
  // This day's partition does not exist.
  await sendAll()
  assert.ok(Number(await value('select count(*) from delivery_ends_other where at = $1', [iso(clock.now())])) > 0)

  clock.set(started + 91 * day_ms)
  const ends = await keepPartitions(db, webhookDefaults, clock.now())
  assert.ok(ends.dropped.some((name) => name.startsWith('delivery_ends_d')))
  assert.equal((await ask('GET', path)).status, 404)
})

test('events go to the whole address; no row of the database and no answer about a delivery contains its query', async () => {
  const secret = 'query-s3cret'
  const path = `/queried?token=${secret}&shop=1`
  const id = await createEndpoint(path)
  const failing = await createEndpoint(`/refused?token=${secret}`)
  statuses.set(`/refused?token=${secret}`, () => 400)
  await createEvents(1)
  await sendAll()
  assert.equal(callsAt(path).length, 1)
  for (const [endpoint, shownUrl] of [
    [id, at('/queried?…')],
    [failing, at('/refused?…')],
  ]) {
    const [delivery] = (await ask('GET', `/webhooks/${endpoint}/deliveries/`)).body.results
    const shown = await ask('GET', `/webhooks/${endpoint}/deliveries/${delivery.id}/`)
    assert.equal(shown.body.log[0].request.url, shownUrl)
    assert.doesNotMatch(shown.text, new RegExp(secret))
  }
  const tables = await sql(`select table_name from information_schema.tables
                             where table_schema = 'public' and table_type = 'BASE TABLE'`)
  let rows = 0
  for (const [table] of tables)
    for (const [row] of await sql(`select t::text from "${table}" t`)) {
      rows++
      assert.doesNotMatch(String(row), new RegExp(secret), String(table))
    }
  assert.ok(rows > 50, `${rows} rows were read`)
})
