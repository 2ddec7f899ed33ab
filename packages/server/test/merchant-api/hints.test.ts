/**
 * The headers for developers: what had no effect is named in answers that succeed too, a limit is told, and nothing that a
 * caller sends can end a header, fill it, or come back unescaped.
 */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { type Answer, askAt, openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: '{"checkouts_list": {"burst": 1}}' })
const { ask, create, demo, token } = service

const hintOf = ({ headers }: Answer): string | undefined => headers['x-service-hint'] as string | undefined
const ignoredOf = ({ headers }: Answer): string | undefined => headers['x-service-ignored'] as string | undefined

test('fields that a create does not know are named, with the one that was probably meant', async () => {
  const sent: [body: Record<string, unknown>, ignored: string, hint: string][] = [
    [{ order_id: 'A-1' }, 'order_id', 'order_id is not a field of this call: did you mean external_order_id?'],
    [{ orderId: 'A-1' }, 'orderId', 'orderId is not a field of this call: did you mean external_order_id?'],
    [
      { External_Order_Id: 'A-1' },
      'External_Order_Id',
      'External_Order_Id is not a field of this call: did you mean external_order_id?',
    ],
    [
      { externl_order_id: 'A-1' },
      'externl_order_id',
      'externl_order_id is not a field of this call: did you mean external_order_id?',
    ],
    [{ note: 'x' }, 'note', 'note is not a field of this call: did you mean notes?'],
    [
      { callback_url: 'https://shop.example.com/' },
      'callback_url',
      'callback_url is not a field of this call and was ignored; its fields are wallet, amount, items, currency, external_order_id, notes.',
    ],
    [
      { items: [{ name: 'Bread', price: '250.00', qty: 2 }], amount: undefined },
      'items.0.qty',
      'items.0.qty is not a field of this call: did you mean items.0.quantity?',
    ],
    [
      { items: [{ name: 'Bread', price: '250.00' }] },
      'amount',
      'amount is not read beside items: the total of the items is collected.',
    ],
  ]
  for (const [body, ignored, hint] of sent) {
    const answer = await create(body)
    assert.equal(answer.status, 201, answer.text)
    assert.deepEqual([ignoredOf(answer), hintOf(answer)], [ignored, hint])
  }
})

test('a request without anything unknown has neither header', async () => {
  const answers = [
    await create({ external_order_id: 'A-1', notes: 'x', currency: 'YER', amount: '١٥٠٠' }),
    await create({ items: [{ name: 'Bread', description: '', price: '250.00', quantity: 2 }], amount: undefined }),
    await ask('GET', '/intents/?page_size=5&page=1&ordering=-created_at,status&status=PENDING&search='),
    await ask('GET', '/wallets/?include_test=1'),
    await ask('OPTIONS', '/intents/'),
  ]
  for (const answer of answers) {
    assert.ok(answer.status < 300, answer.text)
    assert.deepEqual([ignoredOf(answer), hintOf(answer)], [undefined, undefined])
  }
})

test('parameters that had no effect are named, with what was used instead', async () => {
  const sent: [path: string, ignored: string | undefined, hint: RegExp][] = [
    ['/intents/?page_size=abc', 'page_size', /^page_size is a whole number from 1 to 100: 20 was used\.$/],
    ['/intents/?page_size=0', 'page_size', /20 was used/],
    ['/intents/?page_size=1000', undefined, /^page_size is at most 100: 100 was used\.$/],
    ['/intents/?limit=5', 'limit', /^limit is not a parameter of this call and was ignored: did you mean page_size\?$/],
    ['/intents/?offset=5', 'offset', /did you mean page\?/],
    ['/intents/?order_id=A-1', 'order_id', /did you mean external_order_id\?/],
    ['/intents/?wallet_id=x&sort=status', 'wallet_id, sort', /did you mean wallet\?/],
    ['/intents/?ordering=unknown', 'ordering', /^ordering is one of created_at, verified_at, payable_amount, status, /],
    ['/intents/?ordering=-amount', 'ordering', /with a leading -/],
    ['/intents/?colour=red', 'colour', /it reads status, code, /],
    ['/intents/?status=PENDING&status=VERIFIED', undefined, /separate several values by commas/],
    ['/intents/?status[]=PENDING', 'status%5B%5D', /did you mean status\?/],
    ['/wallets/?include_test=true', 'include_test', /^include_test counts only as include_test=1\.$/],
    ['/wallets/?test=1', 'test', /did you mean include_test\?/],
  ]
  for (const [path, ignored, hint] of sent) {
    const answer = await ask('GET', path)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(ignoredOf(answer), ignored, path)
    assert.match(hintOf(answer) ?? '', hint, path)
  }
  const posted = await ask('POST', '/intents/?amount=5', { body: { wallet: demo.wallets.main, amount: '5' } })
  assert.deepEqual(
    [posted.status, ignoredOf(posted), hintOf(posted)],
    [201, 'amount', 'This call reads no parameters from the query: they were ignored.'],
  )
})

test('an idempotency key in a header of another name is named', async () => {
  for (const name of ['idempotency-key', 'x-idempotency-key']) {
    const answer = await create({}, { [name]: 'k-1' })
    assert.equal(answer.status, 201)
    assert.equal(ignoredOf(answer), name)
    assert.match(hintOf(answer) ?? '', /SERVICE-IDEMPOTENCY-KEY/)
  }
  assert.equal(hintOf(await create({}, { 'service-idempotency-key': 'k-2', 'idempotency-key': 'k-2' })), undefined)
})

test('at most ten names are sent, short and escaped, whatever they contain', async () => {
  const names = [
    'a\r\nX-Evil: 1',
    'b,c',
    'طلبية',
    'ا'.repeat(100),
    'd'.repeat(5_000),
    '\u0000e',
    '\ud800f',
    '"g"',
    '😀'.repeat(50),
    '<script>',
    ...Array.from({ length: 50 }, (_, n) => `more_${n}`),
  ]
  const fields = Object.fromEntries(names.map((name) => [name, 1]))
  const answer = await create(fields)
  assert.equal(answer.status, 201, answer.text)
  const ignored = ignoredOf(answer)!
  assert.match(ignored, /^[\w.%*, -]+$/)
  assert.equal(ignored.split(', ').length, 10)
  assert.ok(ignored.split(', ').every((name) => name.length <= 60))
  assert.equal(decodeURIComponent(ignored.split(', ')[2]!), 'طلبية')
  assert.equal(answer.headers['x-evil'], undefined)
  const query = names
    .map((name) => `${encodeURIComponent(name.toWellFormed())}=1`)
    .join('&')
    .slice(0, 7_000)
  const listed = await ask('GET', `/intents/?${query}`)
  assert.equal(listed.status, 200)
  assert.match(ignoredOf(listed)!, /^[\w.%*, -]+$/)
  assert.equal(ignoredOf(listed)!.split(', ').length, 10)
})

test('a hint is one line of printable ASCII, at most 300 characters, and never has a secret', async () => {
  const secret = demo.client_secret
  const odd = encodeURIComponent('x\r\nSet-Cookie: a=1')
  const requests: [method: string, path: string, options: Parameters<typeof askAt>[2]][] = [
    ['GET', `/api/v1/merchant/${odd}/${secret}`, {}],
    ['GET', `/api/v1/merchant/intents/${odd}/`, { token }],
    ['GET', `/api/v1/merchant/intents/${secret}/`, { token }],
    ['GET', `/api/v1/merchant/intents/?${secret}=1&${odd}=${odd}`, { token }],
    ['GET', `/api/v1/merchant/intents/?status=${odd}&ordering=${odd}&page_size=${odd}`, { token }],
    ['POST', '/api/v1/merchant/intents/', { token, body: { [secret]: secret, [`\r\n${secret}`]: 1, wallet: secret } }],
    ['POST', '/api/v1/merchant/intents/', { token, body: `{"${secret}": ${secret}` }],
    ['POST', '/api/v1/merchant/token', { headers: { 'service-client-id': secret, 'service-client-secret': secret } }],
    ['GET', '/api/v1/merchant/wallets/', { token: secret }],
    ['GET', '/api/v1/merchant/wallets/', { headers: { authorization: `Token ${secret}` } }],
    ['POST', '/api/v1/checkout/sessions/', { token, body: { amount: '1', locale: secret, [secret]: 1 } }],
  ]
  for (const [method, path, options] of requests) {
    const answer = await askAt(`${service.origin}${path}`, method, options)
    const hint = hintOf(answer) ?? ''
    assert.match(hint, /^[\x20-\x7e]{1,300}$/, path)
    assert.match(ignoredOf(answer) ?? '', /^[\x20-\x7e]{0,640}$/, path)
    assert.ok(!`${hint}${ignoredOf(answer)}`.includes(secret.slice(0, 20)), hint)
    assert.equal(answer.headers['set-cookie'], undefined)
  }
})

test('a raw request with line breaks in its target is refused and gets no header of its own', async () => {
  const { port } = new URL(service.origin)
  const answer = await new Promise<string>((done, fail) => {
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(`GET /api/v1/merchant/intent\tX: 1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    )
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1')
    })
    socket.on('end', () => done(text))
    socket.on('error', fail)
  })
  assert.match(answer, /^HTTP\/1\.1 4\d\d /)
  assert.ok(!/^X: 1/m.test(answer.split('\r\n\r\n')[0]!))
})

test('a refused call beyond a limit says which limit it is', async () => {
  const list = () => askAt(`${service.origin}/api/v1/checkout/sessions/`, 'GET', { token })
  assert.equal((await list()).status, 200)
  const refused = await list()
  assert.equal(refused.status, 429)
  assert.equal(
    hintOf(refused),
    'A key may make 1 in any minute and 50000 in any day of such calls: wait for Retry-After seconds.',
  )
})

test('dashboard calls have no hints', async () => {
  const answer = await askAt(`${service.origin}/api/v1/dashboard/intents/?colour=red`, 'GET', {
    token: demo.dashboard.user_token,
  })
  assert.deepEqual([answer.status, hintOf(answer), ignoredOf(answer)], [200, undefined, undefined])
})
