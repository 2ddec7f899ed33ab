/**
 * Keys with less power (decision 87): read-only, some wallets, some addresses, test. Every call of the three APIs that take a key
 * keeps the limits; what they refuse is 403 with the limit in its detail, or is not found.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkoutOperations } from '@sanad/contract/checkout/operations'
import { type Answer, askAt, errorsOf, openTestService } from '../support/story.ts'
import { createMembers } from '../support/users.ts'

const service = await openTestService({
  SANAD_LIMITS: 'off',
  SANAD_TRUST_PROXY: 'yes',
  SANAD_WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8',
})
const { demo, clock, origin, create } = service
const { owner, manager } = await createMembers(service)
const { main, second } = demo.wallets
const [[testWallet]] = (await service.sql(
  `select w.id from wallets w join api_keys k on k.account_id = w.account_id where k.client_id = $1 and w.is_test`,
  [demo.client_id],
)) as [[string]]

type Limits = { test?: boolean; read_only?: boolean; wallets?: string[] | null; addresses?: string[] | null }
const newKey = async (limits: Limits) => {
  const { status, body, text } = await owner.ask('POST', '/keys/', { body: { name: 'Limited', ...limits } })
  assert.equal(status, 201, text)
  return { id: body.key.client_id as string, secret: body.client_secret as string, key: body.key }
}
const exchange = ({ id, secret }: { id: string; secret: string }, from?: string): Promise<Answer> =>
  askAt(`${service.base}/token`, 'POST', {
    headers: {
      'SERVICE-CLIENT-ID': id,
      'SERVICE-CLIENT-SECRET': secret,
      ...(from === undefined ? {} : { 'x-forwarded-for': from }),
    },
  })
/** Makes calls with a new key of these limits. */
const caller = async (limits: Limits) => {
  const made = await newKey(limits)
  const token: string = (await exchange(made)).body.access_token
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> =>
    askAt(`${origin}/api/v1${path}`, method, { token, body, headers })
  return { ...made, token, ask }
}
const refusedWith = (answer: Answer, detail: RegExp): void => {
  assert.deepEqual([answer.status, errorsOf(answer)], [403, ['permission_denied@null']], answer.text)
  assert.match(answer.body.errors[0].detail, detail)
}

const ofMain = (await create({ wallet: main, external_order_id: 'LIM-1' })).body
const ofSecond = (await create({ wallet: second, external_order_id: 'LIM-2' })).body
const checkoutBody = (wallets: string[] | undefined) => ({ amount: '100.00', ...(wallets ? { wallets } : {}) })
const newCheckout = async (wallets?: string[]) => {
  const answer = await askAt(`${origin}/api/v1/checkout/sessions/`, 'POST', {
    token: service.token,
    body: checkoutBody(wallets),
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.id as string
}
const [checkoutOfMain, checkoutOfSecond, checkoutOfAll] = [
  await newCheckout([main]),
  await newCheckout([second]),
  await newCheckout(),
]
const link = async (wallets: string[]) =>
  (
    await askAt(`${origin}/api/v1/checkout/links/`, 'POST', {
      token: service.token,
      body: { amount: '100.00', wallets },
    })
  ).body.id as string
const [linkOfMain, linkOfSecond] = [await link([main]), await link([second])]

test('a read-only key reads everything and changes nothing', async () => {
  const { ask } = await caller({ read_only: true })
  for (const path of [
    '/merchant/wallets/',
    '/merchant/intents/',
    `/merchant/intents/${ofMain.id}/`,
    '/checkout/sessions/',
    `/checkout/sessions/${checkoutOfMain}/`,
    '/checkout/links/',
    `/checkout/links/${linkOfMain}/`,
    '/developer/events/',
    '/developer/calls/',
  ])
    assert.equal((await ask('GET', path)).status, 200, path)
  const writes: [string, string, unknown][] = [
    ['POST', '/merchant/intents/', { wallet: main, amount: '5.00' }],
    ['PATCH', `/merchant/intents/${ofMain.id}/`, { reference: 'RO-1' }],
    ['POST', '/checkout/sessions/', checkoutBody(undefined)],
    ['POST', `/checkout/sessions/${checkoutOfMain}/cancel/`, {}],
    ['POST', '/checkout/links/', { amount: '5.00' }],
    ['PATCH', `/checkout/links/${linkOfMain}/`, { active: false }],
    ['POST', '/developer/events/trigger/', { event: 'payment.verified' }],
  ]
  for (const [method, path, body] of writes) refusedWith(await ask(method, path, body), /^This key may only read\.$/)
  assert.equal((await ask('OPTIONS', '/merchant/intents/')).status, 200)
  assert.equal((await ask('DELETE', '/merchant/intents/')).status, 405)
  const known = checkoutOperations.filter(({ method }) => method !== 'GET').length
  assert.equal(writes.filter(([, path]) => path.startsWith('/checkout/')).length, known, 'every change is tried')
})

test('a key of some wallets finds, lists, creates and changes only what belongs to them', async () => {
  const { ask } = await caller({ wallets: [main] })
  const ids = async (path: string) => {
    const { status, body, text } = await ask('GET', path)
    assert.equal(status, 200, text)
    return (Array.isArray(body) ? body : body.results).map(({ id }: { id: string }) => id)
  }
  assert.deepEqual(await ids('/merchant/wallets/?include_test=1'), [main])
  assert.deepEqual(await ids('/merchant/intents/'), [ofMain.id])
  assert.deepEqual(await ids('/merchant/intents/?search=LIM-2'), [])
  assert.deepEqual(await ids(`/merchant/intents/?wallet=${second}`), [])
  assert.deepEqual(await ids('/checkout/sessions/'), [checkoutOfMain])
  assert.deepEqual(await ids('/checkout/links/'), [linkOfMain])
  for (const [method, path, body] of [
    ['GET', `/merchant/intents/${ofSecond.id}/`],
    ['PATCH', `/merchant/intents/${ofSecond.id}/`, { reference: 'OTHER-1' }],
    ['PATCH', `/merchant/intents/${ofSecond.id}/`, { reference: '' }],
    ['GET', `/checkout/sessions/${checkoutOfSecond}/`],
    ['GET', `/checkout/sessions/${checkoutOfAll}/`],
    ['POST', `/checkout/sessions/${checkoutOfSecond}/cancel/`, {}],
    ['GET', `/checkout/links/${linkOfSecond}/`],
    ['PATCH', `/checkout/links/${linkOfSecond}/`, { active: false }],
  ] as const)
    assert.equal((await ask(method, path, body)).status, 404, `${method} ${path}`)
  const refused = await ask('POST', '/merchant/intents/', { wallet: second, amount: '5.00' })
  assert.deepEqual([refused.status, errorsOf(refused)], [400, ['does_not_exist@wallet']])
  for (const path of ['/checkout/sessions/', '/checkout/links/'])
    assert.deepEqual(errorsOf(await ask('POST', path, checkoutBody([second]))), ['does_not_exist@wallets.0'])
  // Without wallets in the request it offers its own.
  const checkout = await ask('POST', '/checkout/sessions/', checkoutBody(undefined))
  assert.deepEqual([checkout.status, checkout.body.wallets], [201, [main]], checkout.text)
  const made = await ask('POST', '/checkout/links/', { amount: '7.00' })
  assert.deepEqual([made.status, made.body.wallets], [201, [main]], made.text)
  assert.equal((await ask('POST', `/checkout/sessions/${checkout.body.id}/cancel/`, {})).status, 200)
  const intent = await ask('POST', '/merchant/intents/', { wallet: main, amount: '5.00' })
  assert.equal(intent.status, 201, intent.text)
  assert.equal((await ask('PATCH', `/merchant/intents/${intent.body.id}/`, { reference: 'MINE-1' })).status, 200)
  refusedWith(await ask('POST', '/developer/events/trigger/', { event: 'payment.verified' }), /limited to some wallets/)
})

test('an idempotency key of another key gives away nothing', async () => {
  const { ask } = await caller({ wallets: [main] })
  const used = { 'SERVICE-IDEMPOTENCY-KEY': 'shared-1' }
  const body = { wallet: second, amount: '9.00' }
  assert.equal((await create(body, used)).status, 201)
  const again = await ask('POST', '/merchant/intents/', body, used)
  assert.deepEqual([again.status, errorsOf(again)], [400, ['does_not_exist@wallet']])
  const forCheckout = { 'SERVICE-IDEMPOTENCY-KEY': 'shared-2' }
  const whole = await askAt(`${origin}/api/v1/checkout/sessions/`, 'POST', {
    token: service.token,
    body: checkoutBody(undefined),
    headers: forCheckout,
  })
  assert.equal(whole.status, 201)
  const limited = await ask('POST', '/checkout/sessions/', checkoutBody(undefined), forCheckout)
  assert.deepEqual([limited.status, limited.text.includes(whole.body.id)], [400, false], limited.text)
})

test('a key of some wallets sees its own calls and the events of its wallets', async () => {
  const { ask, id } = await caller({ wallets: [second] })
  await ask('GET', '/merchant/intents/none/')
  await service.sql('select 1')
  const { body } = await ask('GET', '/developer/calls/')
  const others = body.results.filter(({ client_id }: { client_id: string }) => client_id !== id)
  assert.deepEqual(others, [])
  assert.equal((await ask('GET', '/developer/events/')).status, 200)
})

test('a test key uses the test wallet only; its id begins with 7e57 and a live one’s does not', async () => {
  const { ask, id, key } = await caller({ test: true })
  assert.match(id, /^7e57[0-9a-f]{28}$/)
  assert.deepEqual([key.test, (await newKey({})).key.test], [true, false])
  assert.deepEqual((await ask('GET', '/merchant/wallets/')).body, [])
  const wallets = (await ask('GET', '/merchant/wallets/?include_test=1')).body
  assert.deepEqual(
    wallets.map((wallet: { id: string }) => wallet.id),
    [testWallet],
  )
  assert.equal((await ask('POST', '/merchant/intents/', { wallet: testWallet, amount: '5.00' })).status, 201)
  assert.deepEqual(errorsOf(await ask('POST', '/merchant/intents/', { wallet: main, amount: '5.00' })), [
    'does_not_exist@wallet',
  ])
  const checkout = await ask('POST', '/checkout/sessions/', checkoutBody(undefined))
  assert.deepEqual([checkout.status, checkout.body.wallets], [201, [testWallet]], checkout.text)
  assert.equal((await ask('GET', `/merchant/intents/${ofMain.id}/`)).status, 404)
  const both = await owner.ask('POST', '/keys/', { body: { name: 'Both', test: true, wallets: [main] } })
  assert.deepEqual([both.status, errorsOf(both)], [400, ['key_is_test@wallets']])
})

test('a key with addresses is refused from others, for a token and for a call, also with a token from before', async () => {
  const made = await newKey({ addresses: ['203.0.113.7', '2001:db8::/32'] })
  assert.deepEqual(made.key.addresses, ['203.0.113.7/32', '2001:db8::/32'])
  const inside = await exchange(made, '203.0.113.7')
  assert.equal(inside.status, 200)
  refusedWith(await exchange(made, '203.0.113.8'), /^This key may not be used from this address\.$/)
  refusedWith(await exchange(made), /address/)
  // An address that the caller wrote itself stands before the one that the proxy has added.
  refusedWith(await exchange(made, '203.0.113.7, 198.51.100.1'), /address/)
  const call = (from: string) =>
    askAt(`${service.base}/wallets/`, 'GET', {
      token: inside.body.access_token,
      headers: { 'x-forwarded-for': from },
    })
  assert.equal((await call('2001:db8::5')).status, 200)
  refusedWith(await call('203.0.113.8'), /address/)
  // The limit is changed while a token is valid.
  const changed = await owner.ask('PATCH', `/keys/${made.id}/`, { body: { addresses: ['198.51.100.0/24'] } })
  assert.equal(changed.status, 200, changed.text)
  clock.advance(1_600)
  refusedWith(await call('2001:db8::5'), /address/)
  assert.equal((await call('198.51.100.9')).status, 200)
})

test('addresses are ignored in X-Forwarded-For when no proxy is trusted', async () => {
  const plain = await openTestService({ SANAD_LIMITS: 'off' })
  const { owner: plainOwner } = await createMembers(plain)
  const { body } = await plainOwner.ask('POST', '/keys/', { body: { name: 'Far', addresses: ['203.0.113.7'] } })
  const answer = await askAt(`${plain.base}/token`, 'POST', {
    headers: {
      'SERVICE-CLIENT-ID': body.key.client_id,
      'SERVICE-CLIENT-SECRET': body.client_secret,
      'x-forwarded-for': '203.0.113.7',
    },
  })
  refusedWith(answer, /address/)
})

test('wrong limits are refused and change nothing; only an owner sets them; owners are told of looser ones', async () => {
  const made = await newKey({ read_only: true, wallets: [main] })
  const wrong: [Limits | Record<string, unknown>, string[]][] = [
    [{ wallets: [demo.other.wallet] }, ['does_not_exist@wallets']],
    [{ wallets: [testWallet] }, ['does_not_exist@wallets']],
    [{ wallets: [] }, ['empty@wallets.non_field_errors']],
    [{ addresses: ['shop.example'] }, ['invalid@addresses.0']],
    [{ addresses: ['10.0.0.1/8'] }, ['invalid@addresses.0']],
    [{ read_only: 'perhaps' }, ['invalid@read_only']],
  ]
  for (const [limits, errors] of wrong)
    for (const [method, path] of [
      ['POST', '/keys/'],
      ['PATCH', `/keys/${made.id}/`],
    ] as const) {
      const refused = await owner.ask(method, path, { body: { name: 'Wrong', ...limits } })
      assert.equal(refused.status, 400, JSON.stringify(limits))
      assert.deepEqual(errorsOf(refused), errors, refused.text)
    }
  const listed = async () =>
    (await owner.ask('GET', '/keys/?page_size=200')).body.results.find(
      ({ client_id }: { client_id: string }) => client_id === made.id,
    )
  assert.deepEqual([(await listed()).name, (await listed()).wallets], ['Limited', [main]])
  assert.equal((await manager.ask('PATCH', `/keys/${made.id}/`, { body: { read_only: false } })).status, 403)
  const notices = async () =>
    (await service.sql(`select facts::text from owner_notices where kind = 'key_loosened'`)).length
  const before = await notices()
  const tighter = await owner.ask('PATCH', `/keys/${made.id}/`, { body: { addresses: ['203.0.113.0/24'] } })
  assert.equal(tighter.status, 200, tighter.text)
  assert.equal(await notices(), before)
  assert.equal((await owner.ask('PATCH', `/keys/${made.id}/`, { body: { read_only: false } })).status, 200)
  assert.equal(await notices(), before + 1)
  const { body: audit } = await owner.ask('GET', `/audit/?object=${made.id}`)
  assert.deepEqual(
    [audit.results[0].action, audit.results[0].before.read_only, audit.results[0].after.read_only],
    ['key.limit', true, false],
  )
})

test('the last use of a key is shown with its address and the calls of the day', async () => {
  const made = await newKey({})
  const token = (await exchange(made, '198.51.100.7')).body.access_token
  for (const from of ['198.51.100.7', '198.51.100.8'])
    await askAt(`${service.base}/wallets/`, 'GET', { token, headers: { 'x-forwarded-for': from } })
  const shown = async () =>
    (await owner.ask('GET', '/keys/?page_size=200')).body.results.find(
      ({ client_id }: { client_id: string }) => client_id === made.id,
    )
  assert.deepEqual([(await shown()).last_address, (await shown()).calls_today], ['198.51.100.8', 3])
  clock.advance(86_400_000)
  assert.equal((await shown()).calls_today, 0)
  assert.equal((await exchange(made, '198.51.100.9')).status, 200)
  assert.deepEqual([(await shown()).last_address, (await shown()).calls_today], ['198.51.100.9', 1])
})
