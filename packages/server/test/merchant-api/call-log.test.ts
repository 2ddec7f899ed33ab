/** The log of an account's own API calls: what is stored, what never is, how many calls are stored and for how long. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pruneCalls } from '../../src/calls/api-calls-sql.ts'
import { callLife_ms, callLog } from '../../src/calls/call-log.ts'
import type { AccountId } from '../../src/core/ids.ts'
import { type Answer, askAt, errorsOf, openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: '{"wallets": {"burst": 1}}' })
const { ask, clock, create, db, demo, sql } = service
const accountId = (await sql('select account_id from wallets where id = $1', [demo.wallets.main]))[0]![0] as AccountId

const dashboard = (path: string, token = demo.dashboard.user_token): Promise<Answer> =>
  askAt(`${service.origin}/api/v1/dashboard${path}`, 'GET', { token })
type Call = Readonly<
  Record<'id' | 'at' | 'client_id' | 'method' | 'path' | 'code' | 'request_id' | 'request_body' | 'error_body', string>
> & { readonly status: number; readonly took_ms: number; readonly skipped: number }
let position = ''
/** Waits until `count` new calls are stored; returns the calls since the previous use of this function, the oldest first. */
const newCalls = async (count: number): Promise<Call[]> => {
  for (let tries = 0; tries < 500; tries++) {
    const { results } = (await dashboard('/calls/?page_size=200')).body
    const fresh = (results as Call[]).filter(({ id }) => id > position).toReversed()
    if (fresh.length >= count) {
      position = fresh.at(-1)!.id
      return fresh
    }
    await new Promise((done) => setTimeout(done, 10))
  }
  assert.fail('the calls are not written')
}

test('a call is in the log with its outcome, and a failed one with what was sent and answered', async () => {
  await newCalls(1)
  clock.advance(60_000)
  const created = await create({ external_order_id: 'A-1' })
  const refused = await create({ amount: 'much', notes: 'it’s', client_secret: 'sesame-0815' })
  await ask('GET', '/wallets/')
  const throttled = await ask('GET', '/wallets/?access_token=sesame-4711')
  await ask('PUT', '/intents/')
  const calls = await newCalls(5)
  assert.deepEqual(
    calls.map(({ method, path, status, code }) => [method, path, status, code]),
    [
      ['POST', '/api/v1/merchant/intents/', 201, ''],
      ['POST', '/api/v1/merchant/intents/', 400, 'invalid'],
      ['GET', '/api/v1/merchant/wallets/', 200, ''],
      ['GET', '/api/v1/merchant/wallets/?access_token=***', 429, 'throttled'],
      ['PUT', '/api/v1/merchant/intents/', 405, 'method_not_allowed'],
    ],
  )
  const [first, second] = calls as [Call, Call]
  assert.deepEqual([first.request_id, first.request_body, first.error_body], [created.headers['x-request-id'], '', ''])
  assert.equal(Date.parse(first.at), clock.now())
  assert.equal(first.client_id, demo.client_id)
  assert.ok(first.took_ms >= 0)
  assert.equal(second.error_body, refused.text)
  assert.deepEqual(JSON.parse(second.request_body).client_secret, '***')
  assert.equal(JSON.parse(second.request_body).notes, 'it’s')
  assert.equal(throttled.status, 429)
})

test('no secret is in the log: neither a token nor the secret of a key; a token request is logged without its body', async () => {
  await service.tokenFor(demo.client_id, demo.client_secret)
  const calls = await newCalls(1)
  assert.deepEqual(
    calls.map(({ method, path, status, request_body }) => [method, path, status, request_body]),
    [['POST', '/api/v1/merchant/token', 200, '']],
  )
  // Nor is the body of a refused one, whatever a caller has put into it.
  const headers = { 'service-client-id': demo.client_id, 'service-client-secret': demo.client_secret }
  let refused = 0
  for (let n = 0; n < 11; n++)
    refused = (await askAt(`${service.base}/token`, 'POST', { headers, body: { note: 'open sesame' } })).status
  assert.equal(refused, 429)
  const { status, request_body } = (await newCalls(11)).at(-1)!
  assert.deepEqual([status, request_body], [429, ''])
  // A call with wrong credentials belongs to no account, because anyone can send a client id.
  const wrong = { 'service-client-id': demo.client_id, 'service-client-secret': 'wrong' }
  assert.equal((await askAt(`${service.base}/token`, 'POST', { headers: wrong })).status, 401)
  assert.equal((await ask('GET', '/intents/', { token: 'wrong' })).status, 401)
  await ask('GET', '/intents/')
  assert.equal((await newCalls(1)).length, 1)
  const all = (await sql('select row_to_json(c)::text from api_calls c')).flat().join('\n')
  for (const secret of [service.token, demo.client_secret, 'sesame', 'Bearer']) assert.ok(!all.includes(secret), secret)
})

test('the log is filtered and paged, and has no call of another account', async () => {
  const get = async (query: string): Promise<Call[]> => (await dashboard(`/calls/?${query}`)).body.results
  const all = await get('page_size=200')
  const failed = await get('failed=1&page_size=200')
  assert.deepEqual(
    failed,
    all.filter(({ status }) => status >= 400),
  )
  assert.ok(failed.length >= 3 && failed.length < all.length)
  assert.deepEqual(
    await get('method=post&status=4xx'),
    failed.filter(({ method }) => method === 'POST'),
  )
  assert.deepEqual(
    (await get('status=429&method=get')).map(({ code }) => code),
    ['throttled'],
  )
  const { next, results } = (await dashboard('/calls/?page_size=2')).body
  assert.deepEqual([...results, ...(await get(`page_size=200&after=${next}`))], all)
  for (const [query, error] of [
    ['status=lost', 'invalid@status'],
    ['method=%00', 'invalid@method'],
    ['after=x', 'invalid@after'],
  ])
    assert.deepEqual(errorsOf(await dashboard(`/calls/?${query}`)), [error])

  const other = await service.tokenFor(demo.other.client_id, demo.other.client_secret)
  const theirs = (await askAt(`${service.origin}/api/v1/developer/calls/`, 'GET', { token: other })).body.results
  assert.ok(theirs.every(({ client_id }: Call) => client_id === demo.other.client_id))
})

test('no secret is in the log, whichever field, parameter or header of any call contained it', async () => {
  // An hour later, so that the rate limits do not count the calls of the tests above.
  clock.advance(3_600_000)
  const secrets = [service.token, demo.client_secret, `whsec_${demo.client_secret}`]
  const names = ['wallet', 'amount', 'currency', 'notes', 'external_order_id', 'items', 'reference', 'client_secret']
  const paths = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../openapi/merchant.json'), 'utf8')).paths
  let sent = 0
  for (const [path, methods] of Object.entries<Record<string, unknown>>(paths))
    for (const method of Object.keys(methods))
      for (const secret of secrets) {
        if (path === '/token') continue
        const nested = { name: secret, price: secret, token: [secret, secret] }
        const body = Object.fromEntries(names.map((name) => [name, name === 'items' ? [nested] : secret]))
        const query = names.map((name) => `${name}=${secret}`).join('&')
        const headers = { 'x-request-id': secret, 'idempotency-key': secret.slice(0, 64), 'x-secret': secret }
        clock.advance(20_000)
        await ask(method.toUpperCase(), `${path.replace(/\{\w+\}/, secret)}?${query}`, {
          ...(method === 'get' ? {} : { body }),
          headers,
        })
        sent++
      }
  await newCalls(sent)
  const all = (await sql('select row_to_json(c)::text from api_calls c')).flat().join('\n')
  for (const secret of [service.token, demo.client_secret]) assert.ok(!all.includes(secret.slice(0, 24)), all)
})

test('the rate of stored calls is limited, failed ones separately; the next stored call counts the skipped ones', async () => {
  const log = callLog(db, (fault) => assert.fail(String(fault)), { most: 3, refill_ms: 10_000 })
  after(log.close)
  const call = (status: number, requestId: string) => ({
    accountId,
    at: clock.now(),
    clientId: demo.client_id,
    method: 'GET',
    url: '/busy',
    status,
    code: '',
    took_ms: 1,
    requestId,
    requestBody: () => '',
    errorBody: () => '{}',
  })
  clock.advance(1_000)
  for (let i = 0; i < 10; i++) log.add(call(200, `ok-${i}`))
  for (let i = 0; i < 2; i++) log.add(call(500, `failed-${i}`))
  clock.advance(10_000)
  log.add(call(200, 'later'))
  await log.flush()
  const stored = await sql(`select request_id, skipped from api_calls where path = '/busy' order by id`)
  assert.deepEqual(stored, [
    ['ok-0', '0'],
    ['ok-1', '0'],
    ['ok-2', '0'],
    ['failed-0', '7'],
    ['failed-1', '0'],
    ['later', '0'],
  ])
})

test('calls are deleted after a week', async () => {
  const count = async () => Number((await sql('select count(*) from api_calls'))[0]![0])
  const before = await count()
  await pruneCalls(db, clock.now() - callLife_ms, 1000)
  assert.equal(await count(), before)
  clock.advance(callLife_ms + 1)
  await pruneCalls(db, clock.now() - callLife_ms, 2)
  assert.equal(await count(), before - 2)
  await pruneCalls(db, clock.now() - callLife_ms, 1000)
  assert.equal(await count(), 0)
})
