/** What all answers of the merchant API have in common: order of checks, error shapes, methods, paths, times and ids. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { METHODS } from 'node:http'
import { test } from 'node:test'
import type { AccountId } from '../../src/core/ids.ts'
import { wholeAccount } from '../../src/core/scope.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { setQuota } from '../../src/intents/totals/set-quota.ts'
import { type Answer, type Ask, askAt, errorsOf, openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { ask, create, demo, clock } = service
const { main, unmonitored } = demo.wallets
const stranger = await service.tokenFor(demo.other.client_id, demo.other.client_secret)

const problem = (type: string, code: string, detail: string, attr: string | null = null) => ({
  type,
  errors: [{ code, detail, attr }],
})
const notFound = problem('client_error', 'not_found', 'Not found.')
const overLimit = Buffer.alloc(1024 * 1024 + 1, ' ')
const shape = (answer: Answer): string =>
  `${answer.status} ${answer.body?.type} ${answer.body === undefined ? '' : errorsOf(answer).join(' ')}`

test('of two errors in a request, the earlier in the order of checks is answered', async () => {
  // A service whose rate limits are used up, to compare 429 with the other errors.
  const full = await openTestService({ SANAD_LIMITS: '{"intents": {"burst": 2}, "wallets": {"burst": 1}}' })
  const pending = (await full.create()).body
  await full.create()
  await full.ask('GET', '/wallets/')
  const unknown = `/intents/${randomUUID()}/`
  const open = (await create()).body
  const own = `/intents/${open.id}/`
  const old = (await create()).body
  clock.advance(3_600_000)
  const fresh = (await create()).body
  const user = demo.dashboard.user_token

  const rows: [earlier: string, later: string, request: () => Promise<Answer>, expected: string][] = [
    ['route', '401', () => ask('GET', '/nowhere/', { token: null }), '404 client_error not_found@null'],
    ['route', '401', () => ask('GET', '/nowhere/', { token: 'junk' }), '404 client_error not_found@null'],
    ['route', '403', () => ask('GET', '/nowhere/', { token: user }), '404 client_error not_found@null'],
    ['route', '405', () => ask('DELETE', '/nowhere/'), '404 client_error not_found@null'],
    ['route', '415', () => ask('POST', '/nowhere/', plain('x')), '404 client_error not_found@null'],
    ['route', '413', () => ask('POST', '/nowhere/', { body: overLimit }), '404 client_error not_found@null'],
    [
      '401',
      '403',
      () => full.ask('GET', '/wallets/', { token: `${user}x` }),
      '401 client_error authentication_failed@null',
    ],
    ['401', '429', () => full.ask('GET', '/wallets/', { token: null }), '401 client_error not_authenticated@null'],
    ['401', '405', () => ask('DELETE', '/wallets/', { token: null }), '401 client_error not_authenticated@null'],
    ['401', 'object', () => ask('GET', unknown, { token: null }), '401 client_error not_authenticated@null'],
    [
      '401',
      'long id',
      () => ask('GET', `/intents/${'a'.repeat(400)}/`, { token: null }),
      '401 client_error not_authenticated@null',
    ],
    [
      '401',
      '413',
      () => ask('POST', '/intents/', { token: null, body: overLimit }),
      '401 client_error not_authenticated@null',
    ],
    [
      '403',
      '429',
      () => full.ask('GET', '/wallets/', { token: full.demo.dashboard.user_token }),
      '403 client_error permission_denied@null',
    ],
    ['403', '405', () => ask('DELETE', '/wallets/', { token: user }), '403 client_error permission_denied@null'],
    ['429', '405', () => full.ask('DELETE', '/wallets/'), '429 client_error throttled@null'],
    ['429', 'object', () => full.ask('GET', unknown), '429 client_error throttled@null'],
    ['429', '413', () => full.ask('POST', '/intents/', { body: overLimit }), '429 client_error throttled@null'],
    [
      '429',
      'field',
      () => full.ask('PATCH', `/intents/${pending.id}/`, { body: {} }),
      '429 client_error throttled@null',
    ],
    ['405', 'object', () => ask('PUT', unknown, { body: {} }), '405 client_error method_not_allowed@null'],
    ['405', 'object', () => ask('DELETE', '/intents/junk/'), '405 client_error method_not_allowed@null'],
    ['405', '415', () => ask('PUT', own, plain('x')), '405 client_error method_not_allowed@null'],
    ['405', '413', () => ask('PUT', own, { body: overLimit }), '405 client_error method_not_allowed@null'],
    ['object', '415', () => ask('PATCH', unknown, plain('x')), '404 client_error not_found@null'],
    ['object', 'malformed', () => ask('PATCH', unknown, { body: '{"reference"' }), '404 client_error not_found@null'],
    ['object', 'field', () => ask('PATCH', unknown, { body: {} }), '404 client_error not_found@null'],
    ['object', 'field', () => ask('PATCH', '/intents/junk/', { body: {} }), '404 client_error not_found@null'],
    ['object', 'field', () => ask('PATCH', own, { token: stranger, body: {} }), '404 client_error not_found@null'],
    [
      '415',
      'malformed',
      () => ask('PATCH', `/intents/${fresh.id}/`, plain('{')),
      '415 client_error unsupported_media_type@null',
    ],
    ['415', 'malformed', () => ask('POST', '/intents/', plain('{')), '415 client_error unsupported_media_type@null'],
    [
      'malformed',
      'field',
      () => ask('POST', '/intents/', { body: '{"wallet": 1,' }),
      '400 client_error parse_error@null',
    ],
    [
      'malformed',
      'object rule',
      () => ask('PATCH', `/intents/${old.id}/`, { body: '{' }),
      '400 client_error parse_error@null',
    ],
    [
      'field',
      'object rule',
      () => ask('PATCH', `/intents/${old.id}/`, { body: { reference: ' ' } }),
      '400 validation_error blank@reference',
    ],
    [
      'field',
      'object rule',
      () => create({ wallet: unmonitored, currency: 'USD' }),
      '400 validation_error invalid_choice@currency',
    ],
    ['field', 'object rule', () => create({ wallet: unmonitored, notes: null }), '400 validation_error null@notes'],
    [
      '(none)',
      'object rule',
      () => create({ wallet: unmonitored }),
      '400 validation_error wallet_not_monitored@wallet',
    ],
    [
      '(none)',
      'object rule',
      () => ask('PATCH', `/intents/${old.id}/`, { body: { reference: 'r' } }),
      '400 validation_error intent_not_pending@reference',
    ],
  ]
  for (const [earlier, later, request, expected] of rows)
    assert.equal(shape(await request()), expected, `${earlier} before ${later}`)
})

const plain = (body: string): Ask => ({ body, headers: { 'content-type': 'text/plain' } })

test('/token needs no bearer token, so a wrong method there is 405', async () => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
    const answer = await ask(method, '/token', { token: null })
    assert.equal(answer.status, 405)
    assert.deepEqual(answer.body, problem('client_error', 'method_not_allowed', `Method "${method}" not allowed.`))
    assert.equal(answer.headers.allow, 'POST, OPTIONS')
  }
})

test('type is validation_error for field and object rules, client_error for every other 4xx', async () => {
  const kinds: [Promise<Answer>, number, string][] = [
    [create({ amount: 'x' }), 400, 'validation_error'],
    [create({ wallet: unmonitored }), 400, 'validation_error'],
    [ask('GET', '/intents/?status=bogus'), 400, 'validation_error'],
    [ask('POST', '/intents/', { body: '[]' }), 400, 'validation_error'],
    [ask('POST', '/intents/', { body: 'null' }), 400, 'validation_error'],
    [ask('POST', '/intents/', { body: '{' }), 400, 'client_error'],
    [ask('GET', '/wallets/', { token: null }), 401, 'client_error'],
    [ask('GET', '/wallets/', { token: demo.dashboard.user_token }), 403, 'client_error'],
    [ask('GET', '/intents/?page=99'), 404, 'client_error'],
    [ask('PUT', '/intents/'), 405, 'client_error'],
    [ask('POST', '/intents/', { body: overLimit }), 413, 'client_error'],
    [ask('POST', '/intents/', plain('{}')), 415, 'client_error'],
  ]
  for (const [request, status, type] of kinds) {
    const answer = await request
    assert.equal(answer.status, status, answer.text)
    assert.deepEqual(Object.keys(answer.body), ['type', 'errors'])
    assert.equal(answer.body.type, type)
    for (const error of answer.body.errors) assert.deepEqual(Object.keys(error), ['code', 'detail', 'attr'])
    assert.equal(answer.headers['content-type'], 'application/json')
  }
})

test('all field errors at once, each with its path: top-level entries first, nested ones last', async () => {
  const answer = await ask('POST', '/intents/', {
    body: {
      items: [{ name: 'tea', price: '1' }, { name: '', price: 'x', quantity: 0 }, null, 5],
      notes: [],
      external_order_id: 'x'.repeat(129),
      currency: 'USD',
      wallet: 'junk',
    },
  })
  assert.equal(answer.status, 400)
  assert.deepEqual(answer.body, {
    type: 'validation_error',
    errors: [
      { code: 'invalid', detail: 'Must be a valid UUID.', attr: 'wallet' },
      { code: 'invalid_choice', detail: '"USD" is not a valid choice.', attr: 'currency' },
      { code: 'max_length', detail: 'Ensure this field has no more than 128 characters.', attr: 'external_order_id' },
      { code: 'invalid', detail: 'Not a valid string.', attr: 'notes' },
      { code: 'null', detail: 'This field may not be null.', attr: 'items.2' },
      { code: 'blank', detail: 'This field may not be blank.', attr: 'items.1.name' },
      { code: 'invalid', detail: 'A valid number is required.', attr: 'items.1.price' },
      { code: 'min_value', detail: 'Ensure this value is greater than or equal to 1.', attr: 'items.1.quantity' },
      {
        code: 'invalid',
        detail: 'Invalid data. Expected a dictionary, but got int.',
        attr: 'items.3.non_field_errors',
      },
    ],
  })
  const empty = await ask('POST', '/intents/', { body: {} })
  assert.deepEqual(empty.body, problem('validation_error', 'required', 'This field is required.', 'wallet'))
  const list = await ask('POST', '/intents/', { body: [] })
  const detail = 'Invalid data. Expected a dictionary, but got list.'
  assert.deepEqual(list.body, problem('validation_error', 'invalid', detail, 'non_field_errors'))
})

test("Sanad's own error codes have the right status and field, and a sentence", async () => {
  const own = await openTestService({ SANAD_LIMITS: 'off', TEST_LOCK_TIMEOUT_MS: '200' })
  const [[account] = []] = await own.sql('select account_id from wallets where id = $1', [own.demo.wallets.main])
  const assertError = (
    answer: Answer,
    status: number,
    code: string,
    attr: string | null,
    type = 'validation_error',
  ) => {
    assert.equal(answer.status, status, answer.text)
    assert.equal(answer.body.type, type)
    assert.deepEqual(errorsOf(answer), [`${code}@${attr}`])
    assert.ok(answer.body.errors[0].detail.length > 10, 'the error has a sentence')
  }
  const [first, second] = [(await own.create()).body, (await own.create()).body]

  assertError(await own.create({ wallet: own.demo.wallets.off }), 400, 'wallet_not_monitored', 'wallet')

  await own.ask('PATCH', `/intents/${first.id}/`, { body: { reference: 'taken' } })
  const taken = await own.ask('PATCH', `/intents/${second.id}/`, { body: { reference: 'TAKEN' } })
  assertError(taken, 400, 'reference_already_used', 'reference')

  const key = { 'SERVICE-IDEMPOTENCY-KEY': randomUUID() }
  assert.equal((await own.create({}, key)).status, 201)
  assertError(await own.create({ amount: '2' }, key), 400, 'idempotency_key_reused', 'SERVICE-IDEMPOTENCY-KEY')

  await own.db.transaction(async (tx) => {
    const values = [account, 'held', first.id, new Date(own.clock.now())]
    const text = `insert into idempotency_keys values ($1, $2, '\\x00', $3, '{}', $4)`
    await tx.run({ text, values })
    const waiting = await own.create({}, { 'SERVICE-IDEMPOTENCY-KEY': 'held' })
    assertError(waiting, 409, 'idempotency_in_progress', 'SERVICE-IDEMPOTENCY-KEY', 'client_error')
    assert.equal(waiting.headers['retry-after'], '1')
    await tx.run({ text: `delete from idempotency_keys where key = 'held'`, values: [] })
  })

  assertError(await own.ask('POST', '/intents/', { body: overLimit }), 413, 'request_too_large', null, 'client_error')

  await own.db.transaction((tx) =>
    setQuota(tx, wholeAccount(account as AccountId), 3, zoneOf('Asia/Aden'), own.clock.now()),
  )
  own.clock.advance(2_000)
  assertError(await own.create(), 400, 'quota_exceeded', 'non_field_errors')
  await own.db.transaction((tx) =>
    setQuota(tx, wholeAccount(account as AccountId), null, zoneOf('Asia/Aden'), own.clock.now()),
  )

  await own.sql(`update wallets set currency = 'USD' where id = $1`, [own.demo.wallets.second])
  assertError(
    await own.create({ wallet: own.demo.wallets.second, currency: 'YER' }),
    400,
    'currency_mismatch',
    'currency',
  )

  own.clock.advance(3_600_000)
  const late = await own.ask('PATCH', `/intents/${first.id}/`, { body: { reference: 'late' } })
  assertError(late, 400, 'intent_not_pending', 'reference')
})

test('an unknown, a foreign and a malformed id, and an unknown path, get the same 404', async () => {
  const { body: mine } = await create()
  assert.equal((await ask('GET', `/intents/${mine.id}/`)).status, 200)
  for (const method of ['GET', 'PATCH'])
    for (const [id, token] of [
      [randomUUID(), service.token],
      [mine.id, stranger],
      [mine.id.slice(1), service.token],
      [`${mine.id}0`, service.token],
      [`${mine.id}.json`, service.token],
      ['junk', service.token],
      ['0', service.token],
      ['%20', service.token],
      [mine.code, service.token],
    ]) {
      const answer = await ask(method, `/intents/${id}/`, { token, body: { reference: 'r' } })
      assert.equal(answer.status, 404, `${method} ${id}`)
      assert.deepEqual(answer.body, notFound)
    }
  assert.equal((await ask('GET', `/intents/${mine.id}/`)).body.reference, '', 'the other account attached nothing')

  const paths = ['/', '', '/Intents/', '/INTENTS/', '/intent/', '/intents.json', '/wallets/1/', '/token/x']
  for (const path of [...paths, `/intents/${mine.id}/events/`, '//intents/', '/intents///'])
    for (const token of [service.token, null]) {
      const answer = await ask('GET', path, { token })
      assert.equal(answer.status, 404, path)
      assert.deepEqual(answer.body, notFound)
      assert.equal(answer.headers['content-type'], 'application/json')
    }
})

test('an unknown path is 404 for every method', async () => {
  for (const method of METHODS) {
    if (method === 'CONNECT') continue
    const answer = await ask(method, '/nowhere/')
    assert.equal(answer.status, 404, method)
    if (method !== 'HEAD') assert.deepEqual(answer.body, notFound, method)
  }
})

test('a method that a path does not have is 405, with Allow', async () => {
  const { body: intent } = await create()
  const paths: [path: string, has: string[], allow: string][] = [
    ['/wallets/', ['GET'], 'GET, HEAD, OPTIONS'],
    ['/intents/', ['GET', 'POST'], 'GET, POST, HEAD, OPTIONS'],
    [`/intents/${intent.id}/`, ['GET', 'PATCH'], 'GET, PATCH, HEAD, OPTIONS'],
    ['/token', ['POST'], 'POST, OPTIONS'],
  ]
  for (const [path, has, allow] of paths)
    for (const method of METHODS) {
      const served = [...has, 'OPTIONS', ...(has.includes('GET') ? ['HEAD'] : [])]
      if (served.includes(method) || method === 'CONNECT') continue
      const answer = await ask(method, path)
      assert.equal(answer.status, 405, `${method} ${path}`)
      assert.equal(answer.headers.allow, allow)
      if (method === 'HEAD') continue
      assert.deepEqual(answer.body, problem('client_error', 'method_not_allowed', `Method "${method}" not allowed.`))
    }
})

test('a body of another type, or of none, is 415 and names the type; JSON is accepted in any spelling', async () => {
  const body = JSON.stringify({ wallet: main, amount: '1' })
  const other = ['text/plain', 'text/plain; charset=utf-8', 'text/json', 'application/vnd.api+json', 'junk', 'a/b/c']
  for (const type of [
    ...other,
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json, text/plain',
  ]) {
    const answer = await ask('POST', '/intents/', { body, headers: { 'content-type': type } })
    assert.equal(answer.status, 415, type)
    const detail = `Unsupported media type "${type}" in request.`
    assert.deepEqual(answer.body, problem('client_error', 'unsupported_media_type', detail))
  }
  for (const type of ['(none)', '']) {
    const answer = await ask('POST', '/intents/', { body, headers: { 'content-type': type } })
    assert.equal(answer.status, 415)
    assert.equal(answer.body.errors[0].detail, 'Unsupported media type "" in request.')
  }
  for (const type of [
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;',
    'application/json ; a=b',
    '*/*',
  ]) {
    const answer = await ask('POST', '/intents/', { body, headers: { 'content-type': type } })
    assert.equal(answer.status, 201, type)
  }
  const empty = await ask('POST', '/intents/', { body: '', headers: { 'content-type': 'text/plain' } })
  assert.deepEqual(errorsOf(empty), ['required@wallet'], 'an empty body has no type to refuse')
  const patch = await ask('PATCH', `/intents/${(await create()).body.id}/`, plain('{"reference": "r"}'))
  assert.equal(patch.status, 415)
})

test('more than 1 MiB is 413; 1 MiB is read', async () => {
  const draft = JSON.stringify({ wallet: main, amount: '1' })
  const refused = await ask('POST', '/intents/', { body: draft.padEnd(1024 * 1024 + 1) })
  assert.equal(refused.status, 413)
  const detail = 'The request body is larger than 1 MiB.'
  assert.deepEqual(refused.body, problem('client_error', 'request_too_large', detail))
  assert.equal((await ask('POST', '/intents/', { body: draft.padEnd(1024 * 1024) })).status, 201)
})

test('Accept is ignored: never 406', async () => {
  for (const accept of ['text/html', 'application/xml', 'image/png;q=1, application/json;q=0', 'junk', '']) {
    const answer = await ask('GET', '/wallets/?format=xml', { headers: { accept } })
    assert.equal(answer.status, 200, accept)
    assert.equal(answer.headers['content-type'], 'application/json')
  }
})

test('a fault is a 500 without internal details; the log has them; later requests work', async () => {
  const { body: intent } = await create()
  await service.sql('alter table intents rename to mislaid')
  try {
    const body = { wallet: main, amount: '1' }
    for (const [method, path] of [
      ['GET', `/intents/${intent.id}/`],
      ['PATCH', `/intents/${intent.id}/`],
      ['GET', '/intents/'],
      ['GET', '/intents/?search=x'],
      ['POST', '/intents/'],
    ] as const) {
      const answer = await ask(method, path, { body: method === 'PATCH' ? { reference: 'r' } : body })
      assert.equal(answer.status, 500, `${method} ${path}`)
      assert.equal(
        answer.text,
        '{"type":"server_error","errors":[{"code":"error","detail":"Server Error (500)","attr":null}]}',
      )
      assert.equal(answer.headers['content-type'], 'application/json')
      const { req } = JSON.parse(service.lines.findLast((line) => line.includes('a request failed')) ?? '{}')
      assert.equal(req, answer.headers['x-request-id'], 'the log line has the request id of the answer')
    }
    assert.ok(service.lines.some((line) => line.includes('relation') && line.includes('a request failed')))
  } finally {
    await service.sql('alter table mislaid rename to intents')
  }
  assert.equal((await ask('GET', `/intents/${intent.id}/`)).status, 200)
  assert.equal((await create()).status, 201)
})

test('deeply nested JSON is a 400', async () => {
  for (const body of ['['.repeat(10_000), '['.repeat(10_000) + ']'.repeat(10_000), '{"a":'.repeat(10_000)]) {
    const answer = await ask('POST', '/intents/', { body })
    assert.equal(shape(answer), '400 client_error parse_error@null')
    assert.match(answer.body.errors[0].detail, /^JSON parse error - /)
  }
})

test('a path without its last slash, or /token with one, is accepted without a redirect', async () => {
  const headers = { 'SERVICE-CLIENT-ID': demo.client_id, 'SERVICE-CLIENT-SECRET': demo.client_secret }
  assert.equal((await ask('POST', '/token/', { token: null, headers })).status, 200)
  const created = await ask('POST', '/intents', { body: { wallet: main, amount: '14' } })
  assert.equal(created.status, 201)
  assert.equal(created.headers.location, `${service.base}/intents/${created.body.id}/`)
  const bare = `/intents/${created.body.id}`
  assert.equal((await ask('GET', bare)).text, created.text)
  assert.equal((await ask('PATCH', bare, { body: { reference: 'bare-14' } })).body.reference, 'bare-14')
  assert.equal((await ask('GET', '/wallets')).text, (await ask('GET', '/wallets/')).text)
  const listed = await ask('GET', '/intents?reference=bare-14')
  assert.equal(listed.body.count, 1)
  assert.equal((await ask('GET', '/wallets?include_test=1')).body.length, 3)
  assert.equal((await ask('GET', bare, { token: null })).status, 401)
})

test('HEAD answers as GET, without the body', async () => {
  const { body: intent } = await create()
  for (const path of [
    '/wallets/',
    '/intents/?page_size=1',
    `/intents/${intent.id}/`,
    `/intents/${randomUUID()}/`,
    '/intents/?page=999',
  ]) {
    const [get, head] = [await ask('GET', path), await ask('HEAD', path)]
    assert.equal(head.status, get.status, path)
    assert.equal(head.text, '')
    const stable = ({ date: _date, 'x-request-id': _id, ...rest }: Answer['headers']) => rest
    assert.deepEqual(stable(head.headers), stable(get.headers), path)
  }
})

test('OPTIONS needs a token and answers what a path can do, without reading the object', async () => {
  for (const [path, name, allow] of [
    ['/wallets/', 'Wallet List', 'GET, HEAD, OPTIONS'],
    ['/intents/', 'Intent List', 'GET, POST, HEAD, OPTIONS'],
    ['/intents/junk/', 'Intent Instance', 'GET, PATCH, HEAD, OPTIONS'],
  ]) {
    const answer = await ask('OPTIONS', path!)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.allow, allow)
    const json = ['application/json']
    assert.deepEqual(answer.body, { name, description: '', renders: json, parses: json })
    assert.equal((await ask('OPTIONS', path!, { token: null })).status, 401)
  }
  const token = await ask('OPTIONS', '/token', { token: null })
  assert.equal(token.status, 200)
  assert.equal(token.headers.allow, 'POST, OPTIONS')
})

test('a browser of another site gets no CORS headers', async () => {
  const headers = {
    origin: 'https://shop.example',
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization',
  }
  for (const [method, path] of [
    ['OPTIONS', '/intents/'],
    ['GET', '/wallets/'],
    ['POST', '/token'],
    ['OPTIONS', '/token'],
  ] as const) {
    const answer = await ask(method, path, { headers })
    for (const name of Object.keys(answer.headers)) assert.ok(!name.startsWith('access-control-'), `${method}: ${name}`)
  }
})

test("times have six digits and a numeric offset in the service's zone, and are accepted as filters", async () => {
  for (const [zone, createdAt, expiresAt] of [
    ['', '2026-01-02T06:04:05.678000+03:00', '2026-01-02T07:04:05.678000+03:00'],
    ['America/St_Johns', '2026-01-01T23:34:05.678000-03:30', '2026-01-02T00:34:05.678000-03:30'],
    ['UTC', '2026-01-02T03:04:05.678000+00:00', '2026-01-02T04:04:05.678000+00:00'],
  ] as const) {
    const zoned = await openTestService({ SANAD_TIME_ZONE: zone })
    const { body: intent } = await zoned.create()
    assert.equal(intent.created_at, createdAt)
    assert.equal(intent.expires_at, expiresAt)
    const at = encodeURIComponent(intent.created_at)
    for (const query of [`created_after=${at}`, `created_before=${at}`, `created_after=${at}&created_before=${at}`])
      assert.equal((await zoned.ask('GET', `/intents/?${query}`)).body.count, 1, query)
    const next = encodeURIComponent(intent.created_at.replace('678000', '678001'))
    assert.equal((await zoned.ask('GET', `/intents/?created_after=${next}`)).body.count, 0)
    zoned.clock.advance(322)
    assert.match((await zoned.create()).body.created_at, /06\.000000[+-]\d\d:\d\d$/)
  }
})

test('ids are in lower case, version 7 for intents; any version and either case is accepted', async () => {
  const created = await create({ wallet: main.toUpperCase(), external_order_id: 'order-17' })
  assert.equal(created.status, 201)
  const { id, wallet } = created.body
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(wallet.id, main)
  for (const spelled of [id, id.toUpperCase(), id.replaceAll('-', ''), `{${id}}`, `urn:uuid:${id}`]) {
    const answer = await ask('GET', `/intents/${encodeURIComponent(spelled)}/`)
    assert.equal(answer.text, created.text, spelled)
  }
  const filtered = await ask('GET', `/intents/?external_order_id=order-17&wallet=${main.toUpperCase()}`)
  assert.equal(filtered.body.count, 1)
  for (const version of ['1', '3', '4', '5', '6', '7', '8', '0', 'f']) {
    const unknown = `99999999-9999-${version}999-8999-99999999999A`
    assert.equal((await ask('GET', `/intents/${unknown}/`)).status, 404)
    const refused = await create({ wallet: unknown })
    const detail = `Invalid pk "${unknown.toLowerCase()}" - object does not exist.`
    assert.deepEqual(refused.body, problem('validation_error', 'does_not_exist', detail, 'wallet'))
  }
  const junk = await create({ wallet: `${main}0` })
  assert.deepEqual(junk.body, problem('validation_error', 'invalid', 'Must be a valid UUID.', 'wallet'))
})

test('another version in the path is 404, with or without a token', async () => {
  for (const base of [
    '/api/v2/merchant',
    '/api/v0/merchant',
    '/api/merchant',
    '/api/V1/merchant',
    '/merchant',
    '/api/v1',
  ])
    for (const path of ['/wallets/', '/intents/', '/token'])
      for (const token of [service.token, null]) {
        const answer = await askAt(`${service.origin}${base}${path}`, path === '/token' ? 'POST' : 'GET', { token })
        assert.equal(answer.status, 404, base)
        assert.deepEqual(answer.body, notFound)
      }
})
