/** The log of an account's own API calls: what is stored, what never is, how many calls are stored and for how long. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createKey, revokeKey } from '../../src/accounts/keys/key-secrets.ts'
import { openTokens } from '../../src/accounts/sessions/token.ts'
import { builtDashboard } from '../../src/built-dashboard.ts'
import { pruneApiCalls } from '../../src/calls/api-calls-sql.ts'
import { callLog } from '../../src/calls/call-log.ts'
import { type AccountId, type ClientId, firstIdAt } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { dashboardPages } from '../../src/http/app/dashboard-pages.ts'
import { type Answer, askAt, errorsOf, openTestService } from '../support/story.ts'

// With the dashboard's page, which has a route for every path that has no other.
const pages = await builtDashboard(() => {})
const service = await openTestService(
  { SANAD_LIMITS: '{"wallets": {"burst": 1}}' },
  { more: async (app) => void (await app.register(dashboardPages(pages))) },
)
const { ask, clock, create, db, demo, sql } = service
const accountId = (await sql('select account_id from wallets where id = $1', [demo.wallets.main]))[0]![0] as AccountId

const dashboard = (path: string, token = demo.dashboard.user_token): Promise<Answer> =>
  askAt(`${service.origin}/api/v1/dashboard${path}`, 'GET', { token })
type Call = Readonly<
  Record<
    | 'id'
    | 'at'
    | 'client_id'
    | 'method'
    | 'path'
    | 'code'
    | 'request_id'
    | 'request_body'
    | 'error_body'
    | 'hint'
    | 'ignored',
    string
  >
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

const anyCall = () => ({
  accountId,
  at: clock.now(),
  clientId: demo.client_id,
  method: 'GET',
  url: '/',
  status: 200,
  code: '',
  took_ms: 1,
  requestId: 'one',
  requestBody: () => '',
  errorBody: () => '{}',
  hint: '',
  ignored: '',
  unproved: false,
})

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
  // A token that is not ours belongs to no account.
  assert.equal((await ask('GET', '/intents/', { token: 'wrong' })).status, 401)
  await ask('GET', '/intents/')
  assert.equal((await newCalls(1)).length, 1)
  const all = (await sql('select row_to_json(c)::text from api_calls c')).flat().join('\n')
  for (const secret of [service.token, demo.client_secret, 'sesame', 'Bearer']) assert.ok(!all.includes(secret), secret)
})

test('a call is in the log with its hint and with what had no effect, also one that succeeded', async () => {
  const created = await create({ order_id: 'A-2' })
  await ask('GET', '/intents/?status=paid')
  const [made, refused] = (await newCalls(2)) as [Call, Call]
  assert.equal(created.status, 201)
  assert.equal(created.headers['x-service-ignored'], 'order_id')
  assert.deepEqual(
    [made.status, made.ignored, made.hint],
    [201, 'order_id', 'order_id is not a field of this call: did you mean external_order_id?'],
  )
  assert.equal(refused.ignored, '')
  assert.match(refused.hint, /^status is one of PENDING, /)
})

test('refused calls that name a key of the account are in its log: a wrong secret, an ended token, an unknown path', async () => {
  const key = await createKey(db, accountId, 'To be revoked', clock.now())
  const token = await service.tokenFor(key.clientId, key.clientSecret)
  const brief = await openTokens(service.masterKey).issue(
    { typ: 'client', sub: demo.client_id as ClientId, acc: accountId, generation: 1 },
    1,
    clock.now() - 60_000,
  )
  await revokeKey(db, wholeAccount(accountId), key.clientId, clock.now())
  clock.advance(2_000)
  await newCalls(1)
  const wrongSecret = { 'service-client-id': demo.client_id, 'service-client-secret': 'A'.repeat(43) }
  const requests: [method: string, path: string, options: Parameters<typeof askAt>[2]][] = [
    ['POST', '/api/v1/merchant/token', { headers: wrongSecret, body: { note: 'open sesame' } }],
    ['GET', '/api/v1/merchant/wallets/?access_token=sesame', { token: brief }],
    ['POST', '/api/v1/checkout/sessions/', { token, body: { amount: '1.00' } }],
    ['GET', '/api/v1/merchant/intent/', { token: service.token }],
    ['POST', '/intents/', { token: service.token, body: { amount: '1.00' } }],
    ['GET', '/api/v1/merchant/intent/', { token: brief }],
  ]
  const answers: Answer[] = []
  for (const [method, path, options] of requests) {
    answers.push(await askAt(`${service.origin}${path}`, method, options))
    await new Promise((done) => setTimeout(done, 5))
  }
  const calls = await newCalls(requests.length)
  assert.deepEqual(
    calls.map(({ client_id, method, path, status, code, request_body }) => [
      client_id,
      method,
      path,
      status,
      code,
      request_body,
    ]),
    [
      [demo.client_id, 'POST', '/api/v1/merchant/token', 401, 'authentication_failed', ''],
      [demo.client_id, 'GET', '/api/v1/merchant/wallets/?access_token=***', 401, 'authentication_failed', ''],
      [key.clientId, 'POST', '/api/v1/checkout/sessions/', 401, 'authentication_failed', ''],
      [demo.client_id, 'GET', '/api/v1/merchant/intent/', 404, 'not_found', ''],
      [demo.client_id, 'POST', '/intents/', 404, 'not_found', ''],
      [demo.client_id, 'GET', '/api/v1/merchant/intent/', 404, 'not_found', ''],
    ],
  )
  for (const [n, call] of calls.entries()) {
    assert.equal(call.hint, answers[n]!.headers['x-service-hint'], call.path)
    assert.ok(call.hint.length > 20)
  }
})

test('refused calls that name no key of the account are in no log', async () => {
  const count = async () => Number((await sql('select count(*) from api_calls'))[0]![0])
  const before = await count()
  const foreign = await openTokens(Buffer.alloc(32, 7)).issue(
    { typ: 'client', sub: demo.client_id as ClientId, acc: accountId, generation: 1 },
    3600,
    clock.now(),
  )
  const sent = (id: string) => ({ 'service-client-id': id, 'service-client-secret': 'A'.repeat(43) })
  const requests: [path: string, options: Parameters<typeof askAt>[2]][] = [
    ['/api/v1/merchant/token', { headers: sent('0'.repeat(32)) }],
    ['/api/v1/merchant/token', { headers: sent(demo.client_id.slice(1)) }],
    ['/api/v1/merchant/wallets/', { token: foreign }],
    ['/api/v1/merchant/wallets/', { token: demo.dashboard.user_token }],
    ['/api/v1/merchant/intent/', { token: foreign }],
    ['/api/v1/merchant/intent/', { token: demo.dashboard.user_token }],
    ['/api/v1/merchant/intent/', { headers: { authorization: 'Basic x' } }],
    ['/api/v1/developer/call/', { token: service.token }],
    ['/assets/none.js', { token: foreign }],
  ]
  for (const [path, options] of requests)
    assert.ok((await askAt(`${service.origin}${path}`, 'POST', options)).status >= 401)
  await create({ external_order_id: 'the last' })
  await newCalls(1)
  assert.equal(await count(), before + 1)
})

test('the answer to wrong credentials is the same for a client id that exists and one that does not', async () => {
  clock.advance(3_600_000)
  const answerTo = async (id: string, secret: string) => {
    const headers = { 'service-client-id': id, 'service-client-secret': secret }
    const { status, text, headers: sent } = await askAt(`${service.base}/token`, 'POST', { headers })
    const { 'x-request-id': _id, date: _date, ...rest } = sent
    return { status, text, ...rest }
  }
  const existing = demo.second_key.client_id
  const unknown = 'f'.repeat(32)
  for (const secret of ['A'.repeat(43), 'short', '"quoted"', `${'A'.repeat(40)}...`, existing])
    assert.deepEqual(await answerTo(existing, secret), await answerTo(unknown, secret), secret)
  // Also when the limit of failures is reached.
  let [last, other] = [await answerTo(existing, 'short'), await answerTo(unknown, 'short')]
  for (let n = 0; n < 6; n++) [last, other] = [await answerTo(existing, 'short'), await answerTo(unknown, 'short')]
  assert.equal(last.status, 429)
  assert.deepEqual(last, other)
  assert.match(String((last as Record<string, unknown>)['x-service-hint']), /10 in any minute and 500 in any day/)
  // Those before the limit are in the log, with a secret of whatever form.
  assert.equal((await newCalls(10)).length, 10)
})

test('strangers who send wrong secrets fill neither the log nor the count of skipped calls', async () => {
  const log = callLog(
    db,
    (fault) => assert.fail(String(fault)),
    { most: 3, refill_ms: 10_000 },
    { most: 2, refill_ms: 60_000 },
  )
  after(log.close)
  clock.advance(1_000)
  const call = { ...anyCall(), url: '/flooded' }
  for (let i = 0; i < 100; i++)
    log.add({ ...call, at: clock.now(), status: 401, requestId: `stranger-${i}`, unproved: true })
  for (let i = 0; i < 3; i++) log.add({ ...call, at: clock.now(), status: 400, requestId: `own-${i}` })
  clock.advance(60_000)
  log.add({ ...call, at: clock.now(), status: 401, requestId: 'stranger-later', unproved: true })
  log.add({ ...call, at: clock.now(), status: 400, requestId: 'own-later' })
  await log.flush()
  assert.deepEqual(await sql(`select request_id, skipped from api_calls where path = '/flooded' order by id`), [
    ['stranger-0', '0'],
    ['stranger-1', '0'],
    ['own-0', '0'],
    ['own-1', '0'],
    ['own-2', '0'],
    ['stranger-later', '98'],
    ['own-later', '0'],
  ])
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
  const call = (status: number, requestId: string) => ({ ...anyCall(), url: '/busy', status, requestId })
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

test('calls before an id are deleted, oldest first', async () => {
  const account = wholeAccount(accountId)
  const count = async () =>
    Number((await sql('select count(*) from api_calls where account_id = $1', [account.accountId]))[0]![0])
  const prune = (before: number, most: number) => pruneApiCalls(db, account, firstIdAt(before), most)
  const before = await count()
  await prune(0, 1000)
  assert.equal(await count(), before)
  await prune(clock.now() + 1, 2)
  assert.equal(await count(), before - 2)
  await prune(clock.now() + 1, 1000)
  assert.equal(await count(), 0)
})
