/** Receivers of webhooks: Fastify and node:http themselves; Express, Hono and Next by the objects they pass to a handler. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { type ReceiverOptions, Sanad, type WebhookEvent, webhooks } from '@sanad/sdk'
import { createFakeSanad, type FakeWebhook } from '@sanad/sdk/testing'
import { fastify } from 'fastify'

const fake = createFakeSanad()
const testWallet = fake.wallets.find(({ is_test }) => is_test)!.id
fake.pay({ wallet: testWallet, amount: '20.00', reference: 'مرجع-1' })
const [webhook] = (await fake.webhooks()) as [FakeWebhook]

/** The webhook of a payment that was verified on this wallet. */
const verifiedOn = async (wallet: string): Promise<FakeWebhook> => {
  const sanad = new Sanad(fake.options)
  const intent = await sanad.intents.create({ wallet, amount: '20.00', currency: 'YER' })
  const reference = `7700${intent.code}`
  await sanad.intents.attachReference(intent.id, reference)
  fake.pay({ wallet, amount: '20.00', reference })
  return (await fake.webhooks()).find(({ event }) => 'intent_id' in event && event.intent_id === intent.id)!
}

const receiver = () => {
  const events: WebhookEvent[] = []
  const faults: unknown[] = []
  const ids: string[] = []
  const options = {
    secret: fake.signingSecret,
    onEvent: (event: WebhookEvent, { eventId }: { eventId: string }) => {
      if (ids.push(eventId) === 3) throw new Error('the database is away')
      events.push(event)
    },
    onError: (fault: unknown) => void faults.push(fault),
    now: fake.now,
  } satisfies ReceiverOptions<unknown>
  return { options, events, faults, ids }
}

/** Genuine, forged, genuine again, and once more when the shop's own work fails. */
const story = async (
  send: (body: string, headers: Record<string, string>) => Promise<number>,
  { events, faults, ids }: ReturnType<typeof receiver>,
) => {
  const { body, headers } = webhook
  assert.equal(await send(body, headers), 204)
  assert.equal(await send(body.replace('20.00', '99.00'), headers), 400)
  assert.equal(await send(body, {}), 400)
  assert.equal(await send(body, headers), 204)
  assert.equal(await send(body, headers), 500)
  assert.deepEqual(events, [webhook.event, webhook.event])
  assert.deepEqual(new Set(ids), new Set([headers['x-service-event-id']]))
  assert.equal(faults.length, 3)
}

const overHttp = async (listener: RequestListener, work: (url: string) => Promise<void>) => {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`).finally(() => {
    server.closeAllConnections()
    server.close()
  })
}
const post = (url: string) => async (body: string, headers: Record<string, string>) =>
  (await fetch(url, { method: 'POST', body, headers })).status

test('node:http and Express without a parser: genuine deliveries are handled, forged ones refused', async () => {
  const shop = receiver()
  await overHttp(webhooks.express(shop.options), (url) => story(post(url), shop))
})

test('a test send is recognised: it is signed, but no money arrived', async () => {
  const testFlags: boolean[] = []
  const POST = webhooks.next({
    secret: fake.signingSecret,
    onEvent: (_event, { isTest }) => void testFlags.push(isTest),
    now: fake.now,
  })
  const { body, headers } = await verifiedOn(fake.wallets.find(({ is_test }) => !is_test)!.id)
  for (const more of [{}, { 'x-service-test': 'true' }])
    await POST(new Request('http://shop.example/', { method: 'POST', body, headers: { ...headers, ...more } }))
  assert.deepEqual(testFlags, [false, true])
})

test('test money is recognised by the header of its delivery, and where an event says it itself', async () => {
  const testFlags: boolean[] = []
  const POST = webhooks.next({
    secret: fake.signingSecret,
    onEvent: (_event, { isTest }) => void testFlags.push(isTest),
    now: fake.now,
  })
  await POST((await verifiedOn(testWallet)).request())
  const { 'x-service-test': _, ...plain } = webhook.headers
  await POST(new Request('http://shop.example/', { method: 'POST', body: webhook.body, headers: plain }))
  assert.deepEqual(testFlags, [true, true])
})

test('Express with a parser: kept bytes are used, a parsed body is refused with the reason', async () => {
  const shop = receiver()
  const handle = webhooks.express(shop.options)
  const call = async (parsed: object, headers: Record<string, string>) => {
    const response = { statusCode: 0, end() {} }
    const request = { headers, ...parsed, async *[Symbol.asyncIterator]() {} }
    await handle(request as never, response)
    return response.statusCode
  }
  await story((body, headers) => call({ body: Buffer.from(body) }, headers), shop)
  const shopWithRawBody = receiver()
  const { body, headers } = webhook
  const again = webhooks.express(shopWithRawBody.options)
  const response = { statusCode: 0, end() {} }
  await again({ headers, body: JSON.parse(body), rawBody: body, async *[Symbol.asyncIterator]() {} } as never, response)
  assert.equal(response.statusCode, 204)
  assert.equal(await call({ body: JSON.parse(body) }, headers), 500)
  assert.match(String(shop.faults.at(-1)), /before express\.json/)
})

test('Fastify: the plugin reads raw bytes, and other routes keep their parser', async () => {
  const shop = receiver()
  const app = fastify()
  app.register(webhooks.fastify({ ...shop.options, path: '/webhooks/sanad' }))
  app.post('/orders', async (request) => ({ id: (request.body as { id: string }).id }))
  try {
    await story(
      async (payload, headers) =>
        (await app.inject({ method: 'POST', url: '/webhooks/sanad', payload, headers })).statusCode,
      shop,
    )
    const order = await app.inject({ method: 'POST', url: '/orders', payload: { id: 'A-1' } })
    assert.deepEqual(order.json(), { id: 'A-1' })
  } finally {
    await app.close()
  }
})

test('Next, and every runtime with Request and Response: genuine deliveries are handled, forged ones refused', async () => {
  const shop = receiver()
  const POST = webhooks.next(shop.options)
  await story(async (body, headers) => {
    const request = new Request('https://shop.test/', { method: 'POST', body, headers })
    return (await POST(request)).status
  }, shop)
})

test('Hono: the secret is read from the context', async () => {
  const shop = receiver()
  type Context = {
    env: { SECRET: string }
    req: { header(name: string): string | undefined; arrayBuffer(): Promise<ArrayBuffer> }
  }
  const handle = webhooks.hono<Context>({ ...shop.options, secret: (context) => context.env.SECRET })
  await story(async (body, headers) => {
    const request = new Request('https://shop.test/', { method: 'POST', body, headers })
    const req = {
      header: (name: string) => request.headers.get(name) ?? undefined,
      arrayBuffer: () => request.arrayBuffer(),
    }
    return (await handle({ env: { SECRET: fake.signingSecret }, req })).status
  }, shop)
})

test('a body of more than 1 MiB is refused', async () => {
  const shop = receiver()
  await overHttp(webhooks.express(shop.options), async (url) => {
    assert.equal(await post(url)('x'.repeat(1024 * 1024 + 1), webhook.headers), 400)
  })
})
