/**
 * `sanad listen` with an API key, `sanad trigger` and `sanad logs`, against a real service, as a developer runs them on
 * another machine; and the developer API that they use.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { eventKinds } from '@sanad/contract/kinds'
import { verifyWebhook } from '@sanad/sdk'
import { pruneSampleEvents } from '../../src/webhooks/log/event-feed-sql.ts'
import { sampleLife_ms } from '../../src/webhooks/log/trigger-sample.ts'
import { bareEnvironment } from '../support/bare-environment.ts'
import { openMerchantServer } from '../support/merchant-server.ts'
import { phone } from '../support/phone.ts'
import { startFlakyProxy } from '../support/servers/flaky-proxy.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { type Answer, type Ask, askAt, errorsOf, openTestService } from '../support/story.ts'

const service = await openTestService({
  SANAD_LIMITS: '{"webhook_test": {"burst": 8}}',
  SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
})
const { clock, demo, sql } = service
const handset = phone(service.origin, clock.now, demo.device)
const developer = (method: string, path: string, options: Ask = {}): Promise<Answer> =>
  askAt(`${service.origin}/api/v1/developer${path}`, method, { token: service.token, ...options })
const { calls, at, callsAt } = await openMerchantServer(({ path }, response) => {
  response.writeHead(path === '/refuses' ? 500 : 200)
  response.end()
})

let number = 0
const pay = async (): Promise<string> => {
  const reference = String(870_000_000_000 + ++number)
  const intent = (await service.create({ external_order_id: `order ${number}` })).body
  await service.ask('PATCH', `/intents/${intent.id}/`, { body: { reference } })
  const text = purchaseText('1500.00', reference)
  await handset.alerts([{ client_id: reference, kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1' }])
  return intent.id
}

const running = new Set<ChildProcess>()
after(async () => {
  for (const child of running) {
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
})

const key = { SANAD_CLIENT_ID: demo.client_id, SANAD_CLIENT_SECRET: demo.client_secret }
const sanad = (args: readonly string[], env: Record<string, string> = { SANAD_URL: service.origin, ...key }) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../src/main.ts'), ...args], {
    // Without a data directory and a database: these commands must not need them.
    env: { ...bareEnvironment, SANAD_DATA_DIR: '/nowhere/at/all', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += chunk
    })
  const ended = new Promise<{ code: number | null; text: string }>((done) =>
    child.on('close', (code) => {
      running.delete(child)
      done({ code, text })
    }),
  )
  const waitForOutput = async (pattern: RegExp): Promise<RegExpExecArray> => {
    for (let tries = 0; tries < 3_000; tries++) {
      const found = pattern.exec(text)
      if (found !== null) return found
      if (child.exitCode !== null) break
      await new Promise((done) => setTimeout(done, 10))
    }
    throw new Error(`the output never matches ${pattern}: ${text}`)
  }
  return { child, ended, waitForOutput, text: () => text }
}

test('listen forwards the events of the account with a valid signature, and continues after the connection broke', async () => {
  const network = await startFlakyProxy(service.origin)
  service.atEnd(network.close)
  await pay()
  const listener = sanad(['listen', '--forward-to', at('/hooks')], { SANAD_URL: network.origin, ...key })
  const secret = (await listener.waitForOutput(/valid for this run: (whsec_[\w-]+)/))[1]!
  const first = await pay()
  await listener.waitForOutput(new RegExp(first))
  network.state = 'down'
  await listener.waitForOutput(/It is tried again; nothing is lost/)
  const missed = [await pay(), await pay()]
  network.state = 'up'
  for (const id of missed) await listener.waitForOutput(new RegExp(id))
  listener.child.kill('SIGINT')
  const { code, text } = await listener.ended
  assert.equal(code, 0, text)
  assert.match(text, /answers again/)
  assert.match(text, /Stopped\. 3 events heard\./)
  // Events from before it listened are not sent; no event is sent twice.
  const forwarded = callsAt('/hooks')
  assert.deepEqual(
    forwarded.map(({ body }) => JSON.parse(body).intent_id),
    [first, ...missed],
  )
  for (const { headers, body } of forwarded) {
    const event = await verifyWebhook(body, String(headers['x-service-signature']), [secret])
    assert.equal(event.event, 'payment.verified')
    assert.equal(headers['x-service-test'], undefined)
    const [row] = await sql('select body from events where id = $1', [headers['x-service-event-id']])
    assert.equal(row![0], body)
  }
})

test('trigger sends a made-up event to endpoints that subscribe and to `sanad listen`, marked as a test', async () => {
  const listener = sanad(['listen', '--json', '--forward-to', at('/sample')])
  await listener.waitForOutput(/Listening/)
  const before = calls.length
  const none = await sanad(['trigger', 'payment.expired']).ended
  assert.equal(none.code, 0, none.text)
  assert.match(none.text, /No endpoint subscribes to it/)
  await listener.waitForOutput(/"event":"payment\.expired"/)
  listener.child.kill('SIGINT')
  await listener.ended
  const [sample] = callsAt('/sample')
  assert.equal(sample!.headers['x-service-test'], 'true')
  assert.deepEqual([calls.length, JSON.parse(sample!.body).order_id], [before + 1, 'test-order'])

  for (const [path, kinds] of [
    ['/subscribes', ['payment.expired']],
    ['/refuses', ['payment.expired']],
    ['/others', ['payment.verified']],
  ] as const)
    await askAt(`${service.origin}/api/v1/dashboard/webhooks/`, 'POST', {
      token: demo.dashboard.user_token,
      body: { url: at(path), kinds },
    })
  const sent = await sanad(['trigger', 'payment.expired', '--json']).ended
  const { results } = JSON.parse(sent.text)
  assert.deepEqual(
    results
      .map(({ url, outcome, status }: { url: string; outcome: string; status: number }) => [url, outcome, status])
      .toSorted(),
    [
      [at('/refuses'), 'status', 500],
      [at('/subscribes'), 'ok', 200],
    ],
  )
  assert.equal(callsAt('/subscribes')[0]!.headers['x-service-test'], 'true')
  assert.equal(callsAt('/others').length, 0)
  // A made-up event is not stored with the real events.
  assert.deepEqual(await sql(`select from events where kind = 'payment.expired'`), [])
  clock.advance(sampleLife_ms + 1)
  await pruneSampleEvents(service.db, clock.now() - sampleLife_ms, 100)
  assert.deepEqual(await sql('select from sample_events'), [])

  const unknown = await sanad(['trigger', 'payment.lost']).ended
  assert.deepEqual(unknown, {
    code: 1,
    text: `There is no event payment.lost; there are ${eventKinds.join(', ')}.\n`,
  })
})

test('logs shows the calls of the account and why they failed, and follows them', async () => {
  const log = sanad(['logs', '--follow', '--failed', '--last', '1'])
  await service.create({ amount: 'much', external_order_id: 'logged' })
  await log.waitForOutput(/POST \/api\/v1\/merchant\/intents\/ {2}400 invalid {2}\d+ ms/)
  await log.waitForOutput(/A valid number is required/)
  await service.ask('GET', '/intents/not-an-id/')
  await log.waitForOutput(/GET \/api\/v1\/merchant\/intents\/not-an-id\/ {2}404 not_found/)
  log.child.kill('SIGINT')
  const { code, text } = await log.ended
  assert.equal(code, 0, text)
  assert.equal(text.match(/not-an-id/g)!.length, 1)
  assert.ok(!/ 20\d {2}/.test(text), text)
  const once = await sanad(['logs', '--json', '--status', '404', '--last', '5']).ended
  assert.equal(JSON.parse(once.text.trim().split('\n').at(-1)!).path, '/api/v1/merchant/intents/not-an-id/')
  // The calls that read the log are not in the log.
  assert.deepEqual(await sql(`select from api_calls where path like '/api/v1/developer/%'`), [])
})

test('a command says what it is missing, and what the service did not accept', async () => {
  const results = await Promise.all([
    sanad(['logs'], { SANAD_URL: service.origin }).ended,
    sanad(['logs'], { SANAD_URL: service.origin, ...key, SANAD_CLIENT_SECRET: 'wrong' }).ended,
    sanad(['trigger', 'payment.verified'], { SANAD_URL: 'http://127.0.0.1:9', ...key }).ended,
  ])
  for (const [n, pattern] of [
    /An API key is needed/,
    /does not accept this client id/,
    /cannot be reached/,
  ].entries()) {
    assert.equal(results[n]!.code, 1)
    assert.match(results[n]!.text, pattern)
    assert.ok(!results[n]!.text.includes(demo.client_secret))
  }
})

test('the developer API needs a token of an API key, refuses wrong input, has its own limit and shows one account only', async () => {
  for (const path of ['/events/', '/calls/', '/events/trigger/', '/test-payments/']) {
    const method = path.includes('trigger') || path.includes('payments') ? 'POST' : 'GET'
    assert.equal((await developer(method, path, { token: null })).status, 401)
    assert.equal((await developer(method, path, { token: demo.dashboard.user_token })).status, 403)
    assert.equal((await developer('DELETE', path)).status, 405)
  }
  assert.deepEqual(errorsOf(await developer('GET', '/events/?after=x')), ['invalid@after'])
  assert.deepEqual(errorsOf(await developer('GET', '/calls/?status=abc')), ['invalid@status'])
  assert.deepEqual(errorsOf(await developer('POST', '/events/trigger/', { body: {} })), ['required@event'])
  assert.deepEqual(errorsOf(await developer('POST', '/events/trigger/', { body: { event: 7 } })), [
    'invalid_choice@event',
  ])
  const other = await service.tokenFor(demo.other.client_id, demo.other.client_secret)
  const own = (await developer('GET', '/events/')).body
  assert.ok(own.results.length > 0)
  assert.deepEqual((await developer('GET', '/events/', { token: other })).body.results, [])
  // The pages have every event once, in order.
  const all = own.results.map(({ id }: { id: string }) => id)
  const first = (await developer('GET', '/events/?after=00000000-0000-0000-0000-000000000000&page_size=2')).body
  assert.deepEqual(
    first.results.map(({ id }: { id: string }) => id),
    all.slice(0, 2),
  )
  const rest = (await developer('GET', `/events/?after=${first.next}`)).body
  assert.deepEqual(
    rest.results.map(({ id }: { id: string }) => id),
    all.slice(2),
  )
  const statuses: number[] = []
  for (let i = 0; i < 12; i++)
    statuses.push((await developer('POST', '/events/trigger/', { body: { event: 'checkout.expired' } })).status)
  assert.ok(statuses.includes(429), statuses.join())
})
