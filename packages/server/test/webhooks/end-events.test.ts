/**
 * The opt-in events of an intent that ended without being paid. Each is stored once, in the transaction of the end,
 * whatever ends the intent; none is stored if no endpoint subscribes.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PaymentCancelled, PaymentExpired, PaymentWrongAmount } from '@sanad/contract/events'
import { Value } from 'typebox/value'
import { zoneOf } from '../../src/core/zone.ts'
import { expireIntents } from '../../src/intents/expire-intents.ts'
import { type Answer, askAt } from '../support/story.ts'
import { senderStory } from './sender-story.ts'

const { service, clock, demo, sql, handset, newReference, at, newEndpoint, alertOf } = await senderStory()
const zone = zoneOf(service.config.timeZone)
const window_ms = service.config.intentWindow_ms
const schemas = {
  'payment.wrong_amount': PaymentWrongAmount,
  'payment.expired': PaymentExpired,
  'payment.cancelled': PaymentCancelled,
}
type EndKind = keyof typeof schemas
const endKinds = Object.keys(schemas) as EndKind[]

const dashboard = (method: string, path: string, body?: unknown): Promise<Answer> =>
  askAt(`${service.origin}/api/v1/dashboard${path}`, method, { token: demo.dashboard.user_token, body })
const cancel = (id: string): Promise<Answer> => dashboard('POST', `/intents/${id}/cancel/`, {})
const sweep = (): Promise<number> => expireIntents(service.db, 1000, clock.now(), zone)
const eventsOf = async (id: string): Promise<[string, string][]> =>
  (await sql('select kind, body from events where intent_id = $1 order by id', [id])) as [string, string][]
const deliveriesOf = async (id: string): Promise<string[]> =>
  (
    await sql(
      `select d.endpoint_id from deliveries d join events e on e.account_id = d.account_id and e.id = d.event_id
        where e.intent_id = $1 order by 1`,
      [id],
    )
  ).map(([endpointId]) => endpointId as string)
const createWith = async (reference: string, amount = '1500.00') => {
  const intent = (await service.create({ amount, external_order_id: 'A-7' })).body
  await service.ask('PATCH', `/intents/${intent.id}/`, { body: { reference } })
  return intent
}
/** Deletes the endpoints of earlier tests. */
const deleteEndpoints = (): Promise<unknown> =>
  sql('update webhook_endpoints set deleted_at = created_at, enabled = false')

test('without a subscription no event is stored; with one, each end has its event with all fields', async () => {
  await newEndpoint('/usual', ['payment.verified', 'payment.unmatched', 'payment.received'])
  const before = [
    await createWith(newReference(), '1501.00'),
    (await service.create()).body,
    (await service.create()).body,
  ]
  await handset.alerts([alertOf((await service.ask('GET', `/intents/${before[0].id}/`)).body.reference)])
  await cancel(before[1].id)
  clock.advance(window_ms + 1)
  await sweep()
  for (const { id } of before) assert.deepEqual(await eventsOf(id), [])

  const { id: hook } = await newEndpoint('/ends', endKinds)
  const reference = newReference()
  const wrong = await createWith(reference, '1501.00')
  await handset.alerts([alertOf(reference)])
  const wrongAt = clock.now()
  const cancelled = (await service.create({ external_order_id: 'A-8' })).body
  clock.advance(1_000)
  assert.equal((await cancel(cancelled.id)).status, 200)
  const cancelledAt = clock.now()
  const expired = await createWith(newReference())
  clock.advance(window_ms + 5_000)
  await sweep()
  await sweep()

  const common = {
    currency: 'YER',
    manual_override: false,
    is_test: false,
    paid_amount: null,
    base_amount: '1500.00',
    amount: '1500.00',
  }
  for (const [intent, expected, endedAt] of [
    [
      wrong,
      {
        event: 'payment.wrong_amount',
        order_id: 'A-7',
        reference,
        base_amount: '1501.00',
        amount: '1501.00',
        paid_amount: '1500.00',
        status: 'WRONG_AMOUNT',
      },
      wrongAt,
    ],
    [cancelled, { event: 'payment.cancelled', order_id: 'A-8', reference: '', status: 'CANCELLED' }, cancelledAt],
    [expired, { event: 'payment.expired', order_id: 'A-7', status: 'EXPIRED' }, Date.parse(expired.expires_at)],
  ] as const) {
    const events = await eventsOf(intent.id)
    assert.equal(events.length, 1, expected.event)
    const [kind, text] = events[0]!
    assert.equal(kind, expected.event)
    const body = JSON.parse(text)
    assert.deepEqual([...Value.Errors(schemas[expected.event], body)], [])
    assert.deepEqual(body, {
      ...common,
      payment_id: intent.code,
      intent_id: intent.id,
      reference: body.reference,
      ended_at: body.ended_at,
      ...expected,
    })
    assert.equal(Date.parse(body.ended_at), endedAt)
    assert.ok(!('verified_at' in body))
    // The fields are in the order of the contract.
    assert.deepEqual(Object.keys(body), Object.keys(schemas[expected.event].properties))
    assert.deepEqual(await deliveriesOf(intent.id), [hook])
    // The intent's page shows the event with its endpoint.
    const { told } = (await dashboard('GET', `/intents/${intent.id}/`)).body
    assert.deepEqual(
      told.map((entry: Record<string, unknown>) => [entry.kind, entry.endpoint, entry.endpoint_name, entry.state]),
      [[expected.event, hook, at('/ends'), 'waiting']],
    )
  }
})

test('an end is reported once, whether the job, a reference, a checkout or a member comes first', async () => {
  await deleteEndpoints()
  await newEndpoint('/once', endKinds)
  // A later intent gets the reference of an intent whose window is over.
  const reference = newReference()
  const holder = await createWith(reference)
  clock.advance(window_ms + 1)
  const next = (await service.create()).body
  const attached = await service.ask('PATCH', `/intents/${next.id}/`, { body: { reference } })
  assert.equal(attached.status, 200, attached.text)
  await sweep()
  assert.deepEqual(
    (await eventsOf(holder.id)).map(([kind]) => kind),
    ['payment.expired'],
  )
  // Several sweeps run while the intents are cancelled.
  const raced = await Promise.all(Array.from({ length: 8 }, async () => (await service.create()).body))
  clock.advance(window_ms)
  await Promise.all([...raced.map(({ id }) => cancel(id)), sweep(), sweep(), sweep()])
  await sweep()
  for (const { id } of raced) {
    const { status } = (await service.ask('GET', `/intents/${id}/`)).body
    assert.deepEqual(
      (await eventsOf(id)).map(([kind]) => kind),
      [`payment.${status.toLowerCase()}`],
    )
  }
  // Cancelling a checkout cancels its intent.
  const apiKey = { token: service.token }
  const sessions = `${service.origin}/api/v1/checkout/sessions/`
  const created = await askAt(sessions, 'POST', {
    ...apiKey,
    body: { amount: '1500.00', wallets: [demo.wallets.main] },
  })
  assert.equal(created.status, 201, created.text)
  const page = `${service.origin}${new URL(created.body.url).pathname}`
  await askAt(`${page}/wallet/`, 'POST', {
    body: new URLSearchParams({ wallet: demo.wallets.main }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.equal((await askAt(`${sessions}${created.body.id}/cancel/`, 'POST', { ...apiKey, body: {} })).status, 200)
  const [[intentId]] = (await sql('select intent_id from checkout_intents where checkout_id = $1', [
    created.body.id,
  ])) as [[string]]
  assert.deepEqual(
    (await eventsOf(intentId)).map(([kind]) => kind),
    ['payment.cancelled'],
  )
})

test('an alert with a wrong amount can end two intents, each with its event', async () => {
  await deleteEndpoints()
  await newEndpoint('/two', endKinds)
  const reference = newReference()
  const first = await createWith(reference, '1501.00')
  await handset.alerts([alertOf(reference)])
  const second = await createWith(reference, '1502.00')
  for (const { id } of [first, second]) {
    assert.equal((await service.ask('GET', `/intents/${id}/`)).body.status, 'WRONG_AMOUNT')
    assert.deepEqual(
      (await eventsOf(id)).map(([kind]) => kind),
      ['payment.wrong_amount'],
    )
  }
})

test('an end whose event cannot be written does not end the intent; the next sweep does both', async () => {
  await deleteEndpoints()
  await newEndpoint('/atomic', endKinds)
  const { id } = (await service.create()).body
  clock.advance(window_ms + 1)
  await sql(`create function refuse_events() returns trigger language plpgsql as $$ begin raise 'no'; end $$`)
  await sql('create trigger refuse_events before insert on events for each row execute function refuse_events()')
  await assert.rejects(sweep())
  assert.deepEqual(await sql('select status from intents where id = $1', [id]), [['PENDING']])
  await sql('drop trigger refuse_events on events')
  await sweep()
  assert.deepEqual(
    (await eventsOf(id)).map(([kind]) => kind),
    ['payment.expired'],
  )
})

test('an endpoint of one wallet gets the ends of that wallet; events are stored while it is disabled', async () => {
  await deleteEndpoints()
  const { id } = await newEndpoint('/second', ['payment.cancelled'], { wallet: demo.wallets.second })
  const [main, second] = [(await service.create()).body, (await service.create({ wallet: demo.wallets.second })).body]
  for (const intent of [main, second]) await cancel(intent.id)
  assert.deepEqual(await eventsOf(main.id), [])
  assert.deepEqual(await deliveriesOf(second.id), [id])
  await sql('update webhook_endpoints set enabled = false where id = $1', [id])
  const missed = (await service.create({ wallet: demo.wallets.second })).body
  await cancel(missed.id)
  assert.equal((await eventsOf(missed.id)).length, 1)
  assert.deepEqual(await deliveriesOf(missed.id), [])
})

test('a test send of each end event has the fields of its kind', async () => {
  await deleteEndpoints()
  const { id } = await newEndpoint('/tests', endKinds)
  for (const kind of endKinds) {
    const { body } = await dashboard('POST', `/webhooks/${id}/test/`, { kind })
    const event = JSON.parse(body.request.body)
    assert.equal(event.event, kind)
    assert.deepEqual([...Value.Errors(schemas[kind], event)], [])
  }
})
