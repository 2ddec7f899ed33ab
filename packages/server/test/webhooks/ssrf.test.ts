/**
 * SSRF: every spelling of a private address that the guard knows, tried where an endpoint is saved, tested and sent
 * to, with rows written directly to the database.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type AccountId, type EventId, timeOrderedId } from '../../src/core/ids.ts'
import { endpointSecrets } from '../../src/webhooks/endpoints/endpoint-secrets.ts'
import { insertEvents } from '../../src/webhooks/event-sql.ts'
import { askAt, errorsOf, openTestService } from '../support/story.ts'
import { everyPrivateHost } from './private-addresses.ts'

/** The addresses that each name resolves to. */
const dnsAnswers = new Map<string, string[]>([
  ['inside.example.com', ['10.1.2.3']],
  ['mixed.example.com', ['93.184.216.34', '169.254.169.254']],
  ['mapped.example.com', ['::ffff:127.0.0.1']],
  ['loop.example.com', ['127.0.0.1']],
  ['turns.example.com', ['93.184.216.34']],
])
const service = await openTestService(
  { SANAD_LIMITS: 'off' },
  { resolve: async (name) => (dnsAnswers.get(name) ?? ['93.184.216.34']).map((address) => ({ address })) },
)
const { clock, demo, db, sql } = service
const token = demo.dashboard.user_token
const accountId = (await sql('select account_id from wallets where id = $1', [demo.wallets.main]))[0]![0] as AccountId
const secrets = endpointSecrets(service.masterKey)

let connections = 0
const privateServer = createServer((_request, response) => {
  connections++
  response.end()
})
  .on('connection', () => {
    connections++
  })
  .listen(0, '127.0.0.1')
await once(privateServer, 'listening')
after(() => {
  privateServer.closeAllConnections()
  privateServer.close()
})
const { port } = privateServer.address() as AddressInfo

const ask = (method: string, path: string, body?: unknown) =>
  askAt(`${service.origin}/api/v1/dashboard${path}`, method, { token, body })

const urls = [
  // Some hosts already have a port.
  ...everyPrivateHost.map((host) => (/:\d+$/.test(host) ? `http://${host}/` : `http://${host}:${port}/`)),
  ...['inside', 'mixed', 'mapped', 'loop'].map((name) => `http://${name}.example.com:${port}/`),
]

/** Inserts an endpoint directly: the API refuses these addresses. */
const insertEndpoint = async (url: string): Promise<string> => {
  const id = randomUUID()
  await sql(
    `insert into webhook_endpoints (account_id, id, url, kinds, secret_sealed, created_at)
     values ($1, $2, $3, array['payment.verified'], $4, $5)`,
    [accountId, id, url, secrets.seal(id as never, 'whsec_x'), new Date(clock.now()).toISOString()],
  )
  return id
}

test('more than ninety spellings are tried, each once', () => {
  assert.ok(urls.length > 90)
  assert.equal(new Set(urls).size, urls.length)
})

test('saving: no endpoint is created with a private address, or changed to one', async () => {
  const created = await ask('POST', '/webhooks/', { url: `http://turns.example.com:${port}/` })
  assert.equal(created.status, 201, created.text)
  for (const url of urls) {
    for (const answer of [
      await ask('POST', '/webhooks/', { url }),
      await ask('PATCH', `/webhooks/${created.body.webhook.id}/`, { url }),
    ]) {
      assert.equal(answer.status, 400, url)
      assert.deepEqual(errorsOf(answer), ['url_not_public@url'], url)
    }
  }
  assert.equal((await ask('GET', '/webhooks/')).body.results.length, 1)
  assert.equal((await ask('DELETE', `/webhooks/${created.body.webhook.id}/`)).status, 204)
  assert.equal(connections, 0)
})

test('test send: a private address written directly to the database is refused, and no connection is opened', async () => {
  const id = await insertEndpoint('http://turns.example.com/')
  for (const url of urls) {
    await sql('update webhook_endpoints set url = $2 where id = $1', [id, url])
    const { status, body } = await ask('POST', `/webhooks/${id}/test/`)
    assert.equal(status, 200, url)
    assert.deepEqual([body.outcome, body.response], ['refused', null], url)
  }
  // The name resolved to a public address when it was saved, and resolves to a private one now.
  await sql('update webhook_endpoints set url = $2 where id = $1', [id, `http://turns.example.com:${port}/`])
  dnsAnswers.set('turns.example.com', ['127.0.0.1'])
  assert.equal((await ask('POST', `/webhooks/${id}/test/`)).body.outcome, 'refused')
  await sql('update webhook_endpoints set enabled = false where id = $1', [id])
  assert.equal(connections, 0)
})

test('sending: a private address written directly to the database is blocked and logged; no connection is opened', async () => {
  const ids: string[] = []
  for (const url of [...urls, `http://turns.example.com:${port}/`]) ids.push(await insertEndpoint(url))
  await insertEvents(db, [
    {
      accountId,
      id: timeOrderedId<EventId>(clock.now()),
      kind: 'payment.verified',
      walletId: demo.wallets.main as never,
      intentId: null,
      alertId: randomUUID() as never,
      body: '{"event":"payment.verified"}',
      createdAt: clock.now(),
    },
  ])
  const worker = await service.startNode()
  worker.service.work()
  const attempts = () =>
    sql(
      `select w.url, a.outcome, a.status, a.error from delivery_attempts a join webhook_endpoints w on w.id = a.endpoint_id
        where w.id = any($1::uuid[])`,
      [ids],
    )
  for (let tries = 0; tries < 3000 && (await attempts()).length < ids.length; tries++) await delay(10)
  const rows = await attempts()
  assert.equal(rows.length, ids.length)
  for (const [url, outcome, status, error] of rows) {
    assert.deepEqual([outcome, status], ['blocked', null], url!)
    assert.match(error!, /not .*on the public internet/, url!)
  }
  assert.equal(connections, 0)
})
