/** Which events merchants are sent, in which order, and how long they are kept. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { markNoticeSent, takeNotices } from '../../src/accounts/notices/owner-notices.ts'
import { day_ms } from '../../src/core/duration.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { expireIntents } from '../../src/intents/expire-intents.ts'
import { announceUnmatched } from '../../src/matching/queue/announce-unmatched.ts'
import { forgetBodies, keepPartitions } from '../../src/webhooks/log/keep-partitions.ts'
import { endDisabledDeliveries } from '../../src/webhooks/sending/delivery-sql.ts'
import { webhookDefaults } from '../../src/webhooks/settings.ts'
import { askAt } from '../support/story.ts'
import { senderStory } from './sender-story.ts'

const {
  service,
  clock,
  demo,
  sql,
  handset,
  accountId,
  newReference,
  answers,
  at,
  callsAt,
  newEndpoint,
  enabledOnly,
  alertOf,
  pay,
  until,
  waiting,
  startSender,
  health,
  attemptsOf,
  iso,
} = await senderStory()

/** Reports a payment to the testing wallet. */
const reportTestPayment = (reference: string, amount = '1500.00') =>
  handset.alerts([
    {
      client_id: reference,
      kind: 'sms',
      sender: 'SanadTest',
      text: `Test payment of ${amount} YER, reference ${reference}.`,
      sim_slot: '',
      received_at: iso(clock.now()),
    },
  ])
const kindsAt = (path: string, reference: string) =>
  callsAt(path)
    .map(({ body }) => JSON.parse(body))
    .filter((event) => event.reference === reference)
    .map((event) => event.event)

test('the receiver gets payment.received first, and payment.verified only after that was answered', async () => {
  const { id } = await newEndpoint('/both', ['payment.verified', 'payment.received'])
  await enabledOnly(id)
  const log: string[] = []
  answers.set('/both', (response) => {
    const { event, reference } = JSON.parse(callsAt('/both').at(-1)!.body)
    log.push(`${reference} ${event}`)
    setTimeout(
      () => {
        log.push(`${reference} answered`)
        response.end()
      },
      event === 'payment.received' ? 40 : 0,
    )
  })
  // Two senders that claim one delivery at a time: the order must not depend on what one sender remembers.
  const senders = [startSender({ claim_per_endpoint: 1 }), startSender({ claim_per_endpoint: 1 })]
  const references = Array.from({ length: 6 }, (_, n) => String(750_000_000_100 + n))
  for (const [n, reference] of references.entries()) {
    const intent = (await service.create({ wallet: demo.wallets.test })).body
    const attach = () => service.ask('PATCH', `/intents/${intent.id}/`, { body: { reference } })
    // The alert arrives before the reference for some intents, and after it for the others.
    if (n % 2 === 0) await attach()
    await reportTestPayment(reference)
    if (n % 2 === 1) await attach()
    for (const sender of senders) sender.wake()
  }
  await until('all arrive', () => callsAt('/both').length === 12)
  await until('all are finished', async () => (await waiting()) === 0)
  for (const reference of references)
    assert.deepEqual(
      log.filter((line) => line.startsWith(reference)).map((line) => line.split(' ')[1]),
      ['payment.received', 'answered', 'payment.verified', 'answered'],
    )
  await Promise.all(senders.map((sender) => sender.stop()))
})

test('a payment.received that failed does not delay payment.verified; nor does one without a subscription', async () => {
  const { id } = await newEndpoint('/first-fails', ['payment.verified', 'payment.received'])
  const { id: other } = await newEndpoint('/verified-only')
  await sql('update webhook_endpoints set enabled = (id = any($1::uuid[]))', [[id, other]])
  answers.set('/first-fails', (response, times) => void response.writeHead(times === 1 ? 500 : 200).end())
  const reference = '750000000200'
  const intent = (await service.create({ wallet: demo.wallets.test })).body
  await service.ask('PATCH', `/intents/${intent.id}/`, { body: { reference } })
  await reportTestPayment(reference)
  const sender = startSender()
  await until('verified arrives', () => callsAt('/first-fails').length === 2)
  assert.deepEqual(kindsAt('/first-fails', reference), ['payment.received', 'payment.verified'])
  await until('the other endpoint gets it', () => callsAt('/verified-only').length === 1)
  await until(
    'the failed one waits',
    async () => (await sql('select 1 from deliveries where lease_id is null')).length === 1,
  )
  clock.advance(5_000)
  await until('all are finished', async () => (await waiting()) === 0)
  assert.deepEqual(kindsAt('/first-fails', reference), ['payment.received', 'payment.verified', 'payment.received'])
  await sender.stop()
})

test('webhooks of a suspended account are kept, and sent when the account is active again', async () => {
  const { id } = await newEndpoint('/suspended')
  const { id: other } = await newEndpoint('/not-suspended')
  await sql('update webhook_endpoints set enabled = (id = any($1::uuid[]))', [[id, other]])
  const [[accountId]] = (await sql('select account_id from webhook_endpoints where id = $1', [id])) as [[string]]
  const [[otherAccount]] = (await sql(`select id from accounts where id <> $1 limit 1`, [accountId])) as [[string]]
  const { reference } = await pay()
  // An account that is not suspended gets the same event. When that was sent, ours was skipped.
  await sql('update webhook_endpoints set account_id = $2 where id = $1', [other, otherAccount])
  await sql(`update accounts set status = 'SUSPENDED' where id = $1`, [accountId])
  const sender = startSender()
  await until(
    'the other endpoint gets it',
    async () => callsAt('/not-suspended').length === 1 && (await waiting()) === 1,
  )
  clock.advance(60_000)
  sender.wake()
  assert.equal(callsAt('/suspended').length, 0)
  assert.equal(await waiting(), 1)
  // It counts as waiting, but no sender could send it.
  const figures = await service.figures()
  assert.match(figures, /^sanad_webhook_oldest_waiting_seconds 60$/m)
  assert.match(figures, /^sanad_webhook_oldest_sendable_seconds 0$/m)
  await sql(`update accounts set status = 'ACTIVE' where id = $1`, [accountId])
  sender.wake()
  await until('it is sent', async () => callsAt('/suspended').length === 1 && (await waiting()) === 0)
  assert.equal(JSON.parse(callsAt('/suspended')[0]!.body).reference, reference)
  await sql('update webhook_endpoints set account_id = $2 where id = $1', [other, accountId])
  await sender.stop()
})

test('without a subscription to it, no event is sent for a wrong amount, an expiry or a cancellation', async () => {
  const { id } = await newEndpoint('/three-kinds', ['payment.verified', 'payment.unmatched', 'payment.received'])
  await enabledOnly(id)
  const sender = startSender()
  const cancelled = (await service.create()).body
  const answer = await askAt(`${service.origin}/api/v1/dashboard/intents/${cancelled.id}/cancel/`, 'POST', {
    token: demo.dashboard.user_token,
    body: {},
  })
  assert.equal(answer.status, 200, answer.text)
  const wrongAmount = (await service.create({ amount: '1501.00' })).body
  const reference = newReference()
  await service.ask('PATCH', `/intents/${wrongAmount.id}/`, { body: { reference } })
  await handset.alerts([alertOf(reference)])
  const expired = (await service.create()).body
  clock.advance(service.config.intentWindow_ms + 1)
  await expireIntents(service.db, 1000, clock.now(), zoneOf(service.config.timeZone))
  for (const [intent, status] of [
    [cancelled, 'CANCELLED'],
    [wrongAmount, 'WRONG_AMOUNT'],
    [expired, 'EXPIRED'],
  ])
    assert.equal((await service.ask('GET', `/intents/${intent.id}/`)).body.status, status)
  await announceUnmatched(service.db, zoneOf(service.config.timeZone), 100, clock.now())
  const paid = await pay()
  await until('what was verified arrives', () => callsAt('/three-kinds').length > 0)
  await until('all are finished', async () => (await waiting()) === 0)
  assert.deepEqual(
    callsAt('/three-kinds').map(({ body }) => [JSON.parse(body).event, JSON.parse(body).intent_id]),
    [['payment.verified', paid.id]],
  )
  await sender.stop()
})

test("received_at is the time the server received it, order_id is empty if there was none, wallet is the wallet's name", async () => {
  const { id } = await newEndpoint('/fields', ['payment.verified', 'payment.unmatched', 'payment.received'])
  await enabledOnly(id)
  const sender = startSender()
  const [walletName] = (await sql('select name from wallets where id = $1', [demo.wallets.main]))[0]!
  const zone = zoneOf(service.config.timeZone)
  const [unmatched, verified] = [newReference(), newReference()]
  // The phone states that the message came an hour ago. The event has the time at which the server received it.
  await handset.alerts([{ ...alertOf(unmatched), received_at: iso(clock.now() - 3_600_000) }])
  const receipt = zone.format(new Date(clock.now()))
  const intent = (await service.create()).body
  await service.ask('PATCH', `/intents/${intent.id}/`, { body: { reference: verified } })
  await handset.alerts([alertOf(verified)])
  await reportTestPayment('760000000001')
  await until('all arrive', () => callsAt('/fields').length === 3)
  await until('all are finished', async () => (await waiting()) === 0)
  const bodies = new Map(callsAt('/fields').map(({ body }) => [JSON.parse(body).event, JSON.parse(body)]))
  assert.equal(bodies.get('payment.unmatched').received_at, receipt)
  assert.equal(bodies.get('payment.unmatched').wallet, walletName)
  assert.equal(bodies.get('payment.received').received_at, receipt)
  assert.equal(bodies.get('payment.verified').order_id, '')
  await sender.stop()
})

test('the oldest waiting delivery may be behind an open breaker; the oldest sendable one may not', async () => {
  const { id: parked } = await newEndpoint('/parked')
  const { id: open } = await newEndpoint('/open')
  const { id: off } = await newEndpoint('/off')
  const enableOnly = (ids: string[]) => sql('update webhook_endpoints set enabled = (id = any($1::uuid[]))', [ids])
  await enableOnly([parked, open, off])
  await pay()
  await enableOnly([parked, open])
  await sql('update webhook_endpoints set open_until = $2 where id = $1', [parked, iso(clock.now() + 60_000)])
  const due = (id: string, seconds: number) =>
    sql('update deliveries set due_at = $2 where endpoint_id = $1', [id, iso(clock.now() - seconds * 1000)])
  await due(parked, 7_200)
  await due(open, 90)
  await due(off, 9_999)
  const figures = service.figures
  assert.match(await figures(), /^sanad_webhook_oldest_waiting_seconds 7200$/m)
  assert.match(await figures(), /^sanad_webhook_oldest_sendable_seconds 90$/m)
  assert.match(await figures(), /^sanad_webhook_waiting 2$/m)
  // Deliveries that are due later, or that a sender has claimed, do not count as waiting.
  await sql('update deliveries set lease_id = gen_random_uuid(), lease_until = due_at where endpoint_id = $1', [parked])
  await due(open, -5)
  assert.match(await figures(), /^sanad_webhook_oldest_waiting_seconds 0$/m)
  assert.match(await figures(), /^sanad_webhook_oldest_sendable_seconds 0$/m)
  await sql('update webhook_endpoints set open_until = null where id = $1', [parked])
  await sql('delete from deliveries')
})

test('replays are deleted after three months; an event stays, without its payload, so that none is sent twice', async () => {
  const { id } = await newEndpoint('/kept')
  const [old, young] = [iso(clock.now() - 92 * day_ms), iso(clock.now() - 88 * day_ms)]
  for (const at of [old, young]) {
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
  await keepPartitions(service.db, webhookDefaults, clock.now())
  await forgetBodies(service.db, webhookDefaults, clock.now(), 100)
  assert.deepEqual(await sql('select count(*) from webhook_replays where endpoint_id = $1', [id]), [['2']])
  assert.deepEqual(await sql('select body from events where id = $1', [event![0]]), [['']])
})

test('owners get one notice before an endpoint is disabled, and one when it is', async () => {
  const { id } = await newEndpoint('/down')
  await enabledOnly(id)
  answers.set('/down', (response) => {
    response.statusCode = 500
    response.end()
  })
  const failing = (since: number, failures: number) =>
    sql('update webhook_endpoints set failing_since = $2, failures = $3 where id = $1', [id, iso(since), failures])
  const since = clock.now() - 3 * day_ms
  await failing(since, 9)
  // Earlier notices, if there are any, are not those that this test expects.
  for (const earlier of await takeNotices(service.db, 100, clock.now())) {
    assert.ok(['webhook_created', 'webhook_gone'].includes(earlier.kind), earlier.kind)
    await markNoticeSent(service.db, earlier, clock.now())
  }
  const sender = startSender()
  await pay()
  await until('it fails', async () => (await attemptsOf(id)) === 1)
  const [notice, ...more] = await takeNotices(service.db, 10, clock.now())
  assert.deepEqual(more, [])
  assert.deepEqual(notice, {
    ...notice,
    accountId,
    objectKind: 'webhook',
    objectId: id,
    kind: 'webhook_failing',
    by: '',
    facts: { to: at('/down'), failing_since: since, failures: 10, disables_at: since + 5 * day_ms },
  })
  // No other node takes this notice, unless the node that took it does not report success in time.
  assert.deepEqual(await takeNotices(service.db, 10, clock.now()), [])
  clock.advance(300_000)
  const [again] = await takeNotices(service.db, 10, clock.now())
  assert.equal(again!.id, notice!.id)
  await markNoticeSent(service.db, again!, clock.now())

  await until('it fails again', async () => (await attemptsOf(id)) === 2)
  await until('it waits', async () => (await sql('select 1 from deliveries where lease_id is null')).length === 1)
  await failing(since, 19)
  clock.advance(2 * day_ms)
  await until('it is disabled', async () => (await health(id))[0] === 'f')
  const [disabled, ...others] = await takeNotices(service.db, 10, clock.now())
  assert.deepEqual([disabled!.kind, disabled!.objectId, others], ['webhook_disabled', id, []])
  await markNoticeSent(service.db, disabled!, clock.now())
  clock.advance(300_000)
  assert.deepEqual(await takeNotices(service.db, 10, clock.now()), [])
  await sender.stop()
  await endDisabledDeliveries(service.db, clock.now(), 100)
})
