/** A node whose clock is too far from the database's, as its callers see it. The guard is the test's own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClockGuard } from '../../src/postgres/clock/clock-guard.ts'
import { phone } from '../support/phone.ts'
import { askAt, openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

let offset_ms = 0
let asks = false
let wait = Promise.withResolvers<boolean>()
const sentence = "The clock of this machine is 2 h ahead of the database's."
const guard: ClockGuard = {
  mayWork: () => (asks ? wait.promise : Math.abs(offset_ms) <= 10_000),
  state: () => ({ agreement: Math.abs(offset_ms) <= 10_000 ? 'agrees' : 'refused', offset_ms, error_ms: 1 }),
  refusal: () => (Math.abs(offset_ms) <= 10_000 ? undefined : sentence),
}
const service = await openTestService({ SANAD_LIMITS: 'off' }, { clockGuard: guard })
const { demo, origin, clock } = service
const { owner } = await createMembers(service)

const calls: Readonly<Record<string, () => ReturnType<typeof askAt>>> = {
  'the merchant API': () => service.ask('GET', '/intents/'),
  'a token': () =>
    askAt(`${origin}/api/v1/merchant/token`, 'POST', {
      headers: { 'SERVICE-CLIENT-ID': demo.client_id, 'SERVICE-CLIENT-SECRET': demo.client_secret },
    }),
  checkouts: () => askAt(`${origin}/api/v1/checkout/sessions/`, 'GET', { token: service.token }),
  'developers’ tools': () => askAt(`${origin}/api/v1/developer/calls/`, 'GET', { token: service.token }),
  'a phone': () => phone(origin, clock.now, demo.device).heartbeat(),
  'a forwarding app': () => askAt(`${origin}/ingest/text/${demo.device.ingest_token}`, 'POST', { body: 'hello' }),
  smsgate: () => askAt(`${origin}/ingest/smsgate/${demo.device.ingest_token}/device`, 'GET', {}),
  'the dashboard': () => owner.ask('GET', '/session/', { undescribed: true }),
}

test('89: every API of a node with a wrong clock answers 503 with Retry-After, before it looks at the caller', async () => {
  offset_ms = 7_200_000
  for (const [name, call] of Object.entries(calls)) {
    const { status, body, headers, text } = await call()
    assert.equal(status, 503, `${name}: ${text}`)
    assert.deepEqual(body, {
      type: 'server_error',
      errors: [
        { code: 'unavailable', detail: 'This server cannot answer now. Send the same request again.', attr: null },
      ],
    })
    assert.equal(headers['retry-after'], '5')
  }
  // A phone whose signature is wrong by the node's time, or the token of a stranger: the answer is the same, and not 401.
  const wrong = phone(origin, () => clock.now() - 7_200_000, demo.device)
  assert.equal((await wrong.heartbeat()).status, 503)
  assert.equal((await service.ask('GET', '/intents/', { token: 'nonsense' })).status, 503)
  for (const path of ['/pay/abc', '/pay/l/abc', '/pair/'])
    assert.notEqual((await askAt(`${origin}${path}`, 'GET', {})).status, 200, path)
  offset_ms = 0
  for (const [name, call] of Object.entries(calls)) assert.notEqual((await call()).status, 503, name)
})

test('89: a node with a wrong clock is alive, and says why it is not ready', async () => {
  offset_ms = 7_200_000
  assert.equal((await askAt(`${origin}/healthz`, 'GET', {})).status, 200)
  const ready = await askAt(`${origin}/readyz`, 'GET', {})
  assert.equal(ready.status, 503)
  assert.deepEqual(ready.body, { status: 'not ready', detail: sentence })
  assert.match(await service.figures(), /^sanad_clock_offset_seconds 7200$/m)
  offset_ms = -1_500
  assert.equal((await askAt(`${origin}/readyz`, 'GET', {})).status, 200)
  assert.match(await service.figures(), /^sanad_clock_offset_seconds -1\.5$/m)
  offset_ms = 0
})

test('89: a request that comes while the database is asked for its time waits for the answer', async () => {
  asks = true
  const served = service.ask('GET', '/intents/')
  wait.resolve(true)
  assert.equal((await served).status, 200)
  wait = Promise.withResolvers()
  const refused = service.ask('GET', '/intents/')
  wait.resolve(false)
  assert.equal((await refused).status, 503)
  asks = false
})
