/** New events are sent promptly beside long queues, retries, a busy API and other senders. */
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { newDeliveryId } from '../../src/webhooks/delivery-id.ts'
import { mostCredit } from '../../src/webhooks/sending/yield-calls.ts'
import { senderStory } from './sender-story.ts'

const { sql, accountId, answers, callsAt, newEndpoint, enabledOnly, pay, until, waiting, startSender } =
  await senderStory()

test('a long queue of one endpoint does not delay the first delivery of another', async () => {
  const { id: long } = await newEndpoint('/long')
  const { id: short } = await newEndpoint('/short')
  await sql('update webhook_endpoints set enabled = (id = $1)', [long])
  answers.set('/long', (response) => {
    setTimeout(() => response.end(), 20)
  })
  await pay()
  await sql(`insert into deliveries (id, account_id, event_id, endpoint_id, replay, due_at, created_at)
             select ${newDeliveryId('event_id')}, account_id, event_id, endpoint_id, n, due_at, created_at from deliveries, generate_series(1, 3000) n`)
  const sender = startSender()
  await until('the long queue moves', () => callsAt('/long').length > 20)
  await sql('update webhook_endpoints set enabled = true where id = $1', [short])
  await pay()
  await until('the short one arrives', () => callsAt('/short').length === 1)
  assert.ok(callsAt('/long').length < 1500)
  await sender.stop()
  await sql('delete from deliveries')
})

test('while the API is busy, new events are sent at once to every endpoint: only the backlog waits', async () => {
  const paths = ['/busy', '/busy-too', '/busy-as-well']
  const ids = await Promise.all(paths.map(async (path) => (await newEndpoint(path)).id))
  await sql('update webhook_endpoints set enabled = (id = any($1::uuid[]))', [ids])
  await pay()
  await sql(`insert into deliveries (id, account_id, event_id, endpoint_id, replay, due_at, created_at)
             select ${newDeliveryId('event_id')}, account_id, event_id, endpoint_id, n, due_at, created_at
               from deliveries, generate_series(1, 199) n`)
  const received = () => paths.reduce((sum, path) => sum + callsAt(path).length, 0)
  const sender = startSender(
    { busy_share: 0, busy_per_s: 1 },
    { load: () => ({ underWay: 30, answered: 100, took_ms: 20 }) },
  )
  // While the API is busy, the sender uses its saved credit, and then sends few more.
  await until('some are sent', () => received() >= mostCredit)
  await delay(100)
  assert.ok(received() < mostCredit + 10)
  const before = received()
  sender.wake({ accountId, events: 100 })
  await until('one delivery for each new event and endpoint is sent', () => received() >= before + 300)
  await delay(100)
  assert.ok(received() < before + 320)
  await sender.stop()
  await sql('delete from deliveries')
})

test('half of the calls are reserved for first attempts: hanging retries do not delay a new payment', async () => {
  const { id: stuck } = await newEndpoint('/stuck')
  const { id: fresh } = await newEndpoint('/fresh')
  await enabledOnly(stuck)
  const unanswered: ServerResponse[] = []
  answers.set('/stuck', (response) => void unanswered.push(response))
  await pay()
  await sql(`insert into deliveries (id, account_id, event_id, endpoint_id, replay, attempt, due_at, created_at)
             select ${newDeliveryId('event_id')}, account_id, event_id, endpoint_id, n, 1, due_at, created_at from deliveries, generate_series(1, 30) n`)
  await sql('update deliveries set attempt = 1')
  const settings = { calls: 8, calls_per_endpoint: 8, claim_per_endpoint: 8, account_share: 1 }
  const sender = startSender({ ...settings, first_share: 0.5 })
  await until('retries are sent', () => unanswered.length >= 4)
  await delay(100)
  assert.equal(unanswered.length, 4)
  await sql(`update webhook_endpoints set enabled = true, kinds = '{}' where id = $1`, [stuck])
  await sql('update webhook_endpoints set enabled = true where id = $1', [fresh])
  await pay()
  await until('the new one arrives', () => callsAt('/fresh').length === 1)
  // Each retry that ends lets one more begin: there are never five at once.
  for (let ended = 0; ended < 8; ended++) {
    unanswered[ended]!.end()
    await until('another is sent', () => unanswered.length === ended + 5)
  }
  await delay(60)
  assert.equal(unanswered.length, 12)
  answers.delete('/stuck')
  for (const response of unanswered) response.end()
  await sender.stop()
  await sql('delete from deliveries')
})

test('two senders at once deliver each event once', async () => {
  const { id } = await newEndpoint('/pair')
  await enabledOnly(id)
  for (let n = 0; n < 20; n++) await pay()
  const senders = [startSender(), startSender()]
  await until('all arrive', async () => (await waiting()) === 0)
  await Promise.all(senders.map((sender) => sender.stop()))
  assert.equal(callsAt('/pair').length, 20)
  assert.equal(new Set(callsAt('/pair').map((call) => call.headers['x-service-event-id'])).size, 20)
})
