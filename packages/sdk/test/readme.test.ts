/** The code of the README and of docs/merchants.md, run as it stands there. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type CheckoutStore, Sanad } from '@sanad/sdk'
import { createFakeSanad } from '@sanad/sdk/testing'
import { fastify } from 'fastify'
import pg from 'pg'
import { openTestService } from '../../server/test/support/story.ts'

const sdk = join(import.meta.dirname, '..')
const blocksOf = (path: string): string[] =>
  [...readFileSync(join(sdk, path), 'utf8').matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code!)
const [hosted, payment, store, receivers, verify, ownTests] = blocksOf('README.md') as [
  string,
  string,
  string,
  string,
  string,
  string,
]
const guide = blocksOf('../../docs/merchants.md')

const service = await openTestService()
const { demo } = service

/** Loads the code as a module of this process. A data URL belongs to no package, so imports of the SDK become addresses. */
const load = (code: string) => {
  const addressOf = (name: string) => pathToFileURL(join(sdk, 'src', name)).href
  const found = code
    .replaceAll("'@sanad/sdk/testing'", `'${addressOf('testing.js')}'`)
    .replaceAll("'@sanad/sdk'", `'${addressOf('sdk.js')}'`)
  return import(`data:text/javascript,${encodeURIComponent(found)}`)
}

const run = (code: string): Promise<string> =>
  new Promise((done, fail) => {
    const env = {
      SANAD_URL: service.origin,
      SANAD_CLIENT_ID: demo.client_id,
      SANAD_CLIENT_SECRET: demo.client_secret,
    }
    const args = ['--input-type=module', '--eval', code]
    execFile(process.execPath, args, { cwd: sdk, env }, (fault, out, err) =>
      fault === null ? done(out) : fail(new Error(err)),
    )
  })

test("README: a payment on Sanad's page, against the service", async () => {
  const page = `${service.origin}/pay/[\\w-]+`
  const lines = [
    `send the buyer to ${page}`,
    'OPEN: 0.00 of 1500.00',
    `for buyers without a shop: ${service.origin}/pay/link/[\\w-]+`,
  ]
  assert.match(await run(hosted), new RegExp(`^${lines.join('\n')}\n$`))
})

test('README: a payment, against the service', async () => {
  assert.deepEqual((await run(payment)).trim().split('\n'), ['pay: 1500.00 YER to 771000001', 'PENDING'])
  // Run again without its store: the payment of this order is being looked for.
  assert.deepEqual((await run(payment)).trim().split('\n'), ['checking: 1500.00 YER to 771000001', 'PENDING'])
  // A second order with the same reference: the error says what to do.
  const other = await run(payment.replace('A-1001', 'A-1002'))
  assert.match(other, /Another order has this reference/)
})

test('README: the store in PostgreSQL keeps one live intent under parallel calls', async () => {
  const { postgresStore } = (await load(store)) as { postgresStore: (pool: pg.Pool) => CheckoutStore }
  const pool = new pg.Pool({ connectionString: service.databaseUrl, max: 4 })
  try {
    await pool.query(/\/\/ (create table .*)/.exec(store)![1]!)
    const sanad = new Sanad({
      baseUrl: service.base,
      clientId: demo.client_id,
      clientSecret: demo.client_secret,
    })
    const order = { orderId: 'PG-1', wallet: demo.wallets.main, amount: '20.00', store: postgresStore(pool) }
    const started = await Promise.all(Array.from({ length: 6 }, () => sanad.checkout.start(order)))
    assert.equal(new Set(started.map(({ intent }) => intent.id)).size, 1)
    assert.equal((await sanad.intents.page({ external_order_id: 'PG-1' })).count, 1)
    service.clock.advance(3_600_000)
    assert.equal((await sanad.checkout.start(order)).attempt, 2)
  } finally {
    await pool.end()
  }
})

test('README: each receiver marks the order as paid, once', async () => {
  process.env.SANAD_WEBHOOK_SECRET = 'fake-signing-secret'
  const shop = await load(receivers)
  const fake = createFakeSanad()
  const order = {
    event: 'payment.verified',
    order_id: 'A-1',
    intent_id: 'one',
    base_amount: '1500.00',
    currency: 'YER',
  } as unknown as Parameters<typeof fake.sign>[0]
  const { body, headers, request } = await fake.sign(order)
  const app = fastify()
  shop.addToFastify(app)
  const answer = await app.inject({ method: 'POST', url: '/webhooks/sanad', payload: body, headers })
  await app.close()
  assert.equal(answer.statusCode, 204)
  assert.equal((await shop.POST(request())).status, 204)
  const handlers: Record<string, (...args: unknown[]) => Promise<Response | undefined>> = {}
  const framework = (name: string) => ({
    post: (path: string, handler: (typeof handlers)[string]) => {
      assert.equal(path, '/webhooks/sanad')
      handlers[name] = handler
    },
  })
  shop.addToExpress(framework('express'))
  shop.addToHono(framework('hono'))
  const response = { statusCode: 0, end() {} }
  await handlers.express!({ headers, body: Buffer.from(body) }, response)
  assert.equal(response.statusCode, 204)
  const sent = request()
  const req = { header: (name: string) => sent.headers.get(name), arrayBuffer: () => sent.arrayBuffer() }
  assert.equal((await handlers.hono!({ req }))!.status, 204)
  assert.equal(shop.markPaid(order), false)
  const other = { order_id: 'A-2', intent_id: 'two', base_amount: '200.00', currency: 'YER' }
  for (const wrong of [{ base_amount: '100.00' }, { currency: 'USD' }, { order_id: 'A-3' }, { base_amount: undefined }])
    assert.equal(shop.markPaid({ ...other, ...wrong }), false)
  assert.equal(shop.markPaid(other), true)
})

test('README: verifying without a framework', async () => {
  const { eventOf, statusFor } = await load(verify)
  const fake = createFakeSanad()
  const { request } = await fake.sign({ event: 'payment.verified' } as never)
  assert.equal((await eventOf(request(), fake.signingSecret, fake.now())).event, 'payment.verified')
  const fault = await eventOf(request(), 'another', fake.now()).catch((one: unknown) => one)
  assert.deepEqual([statusFor(fault), statusFor(new TypeError())], [400, 500])
})

test("README: a shop's own test with the fake", async () => {
  await load(ownTests)
})

test('docs/merchants.md: its program learns of every outcome, against the service', async () => {
  assert.equal(guide.length, 1)
  const out = await run(guide[0]!)
  assert.match(out, /^G-1: PENDING$/m)
})
