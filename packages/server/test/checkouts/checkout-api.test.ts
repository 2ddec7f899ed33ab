/** The checkout API over HTTP: every field rule, idempotency, retrieve, list, cancel, other accounts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Checkout, CheckoutPage } from '@sanad/contract/checkout'
import { ErrorAnswer } from '@sanad/contract/errors'
import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { type Answer, askAt, errorsOf } from '../support/story.ts'
import { openCheckouts } from './checkout-story.ts'

const service = await openCheckouts()
const { askCheckout, clock, createCheckout, demo, newCheckout, open, origin, read, send, sql } = service

const assertFits = (schema: TSchema, answer: Answer): Answer => {
  if (!Check(schema, answer.body)) assert.fail(`${JSON.stringify([...Errors(schema, answer.body)])} ${answer.text}`)
  return answer
}
const count = async (): Promise<number> => Number((await sql('select count(*) from checkouts'))[0]![0])

test('a checkout is created with the URL of its page, and is the same when it is read', async () => {
  const body = {
    amount: '1500.50',
    external_order_id: 'A-1042',
    description: 'Two books',
    return_url: 'https://shop.example.com/thanks?x=1',
    cancel_url: 'http://localhost:3000/basket',
    metadata: { basket: '77', note: 'مرحبا' },
    customer: { name: 'علي المثال', phone: '+967 770 000 000' },
    locale: 'ar',
    expires_in: 300,
    allow_remaining: true,
    wallets: [demo.wallets.main, demo.wallets.test],
  }
  const created = assertFits(Checkout, await createCheckout(body))
  assert.equal(created.status, 201, created.text)
  const { id, url, expires_at, created_at, ...rest } = created.body
  assert.equal(created.headers.location, `${origin}/api/v1/checkout/sessions/${id}/`)
  assert.match(url, new RegExp(`^${origin}/pay/[A-Za-z0-9_-]{27}$`))
  assert.equal(Date.parse(expires_at) - Date.parse(created_at), 300_000)
  assert.deepEqual(rest, {
    status: 'OPEN',
    amount: '1500.50',
    paid: '0.00',
    is_test: false,
    currency: 'YER',
    external_order_id: 'A-1042',
    description: 'Two books',
    items: [],
    wallets: [demo.wallets.main, demo.wallets.test],
    return_url: 'https://shop.example.com/thanks?x=1',
    cancel_url: 'http://localhost:3000/basket',
    metadata: { basket: '77', note: 'مرحبا' },
    customer: { name: 'علي المثال', phone: '+967 770 000 000' },
    locale: 'ar',
    allow_remaining: true,
    link: null,
    intents: [],
    ended_at: null,
  })
  assert.deepEqual(await read(id), created.body)
  assert.deepEqual((await askCheckout('GET', `/sessions/${id.toUpperCase()}`)).body, created.body)
})

test('the total comes from the items; an amount beside them is ignored', async () => {
  const items = [
    { name: 'Book', price: '700.25', quantity: 2 },
    { name: 'Delivery', price: '0' },
  ]
  const { status, body } = await createCheckout({ items, amount: 'junk' })
  assert.equal(status, 201)
  assert.equal(body.amount, '1400.50')
  assert.deepEqual(
    body.items.map((item: { total_price: string }) => item.total_price),
    ['1400.50', '0.00'],
  )
})

test('every bad field gets its own error, and nothing is created', async () => {
  const before = await count()
  const cases: [body: Record<string, unknown>, errors: string[]][] = [
    [{ amount: undefined }, ['required@amount']],
    [{ amount: '0' }, ['min_value@amount']],
    [{ amount: '1.001' }, ['max_decimal_places@amount']],
    [{ amount: null }, ['null@amount']],
    [{ items: 'x' }, ['not_a_list@items.non_field_errors']],
    [{ items: [{ price: '1' }] }, ['required@items.0.name']],
    [{ items: [{ name: 'Free', price: '0' }] }, ['min_value@items']],
    [{ currency: 'USD' }, ['invalid_choice@currency']],
    [{ external_order_id: 'x'.repeat(129) }, ['max_length@external_order_id']],
    [{ description: 'x'.repeat(501) }, ['max_length@description']],
    [{ description: 'a\0b' }, ['null_characters_not_allowed@description']],
    [{ wallets: 'x' }, ['not_a_list@wallets.non_field_errors']],
    [{ wallets: ['x'] }, ['invalid@wallets.0']],
    [{ wallets: [demo.wallets.main, demo.other.wallet] }, ['does_not_exist@wallets.1']],
    [{ wallets: [demo.wallets.inactive] }, ['does_not_exist@wallets.0']],
    [{ wallets: [demo.wallets.off] }, ['wallet_not_monitored@wallets.0']],
    [{ wallets: Array(51).fill(demo.wallets.main) }, ['max_length@wallets.non_field_errors']],
    [{ return_url: 'http://shop.example.com/' }, ['invalid@return_url']],
    [{ return_url: 'javascript:alert(1)' }, ['invalid@return_url']],
    [{ return_url: 'https://user:secret@shop.example.com/' }, ['invalid@return_url']],
    [{ return_url: `https://shop.example.com/${'x'.repeat(2000)}` }, ['max_length@return_url']],
    [{ cancel_url: '//shop.example.com' }, ['invalid@cancel_url']],
    [{ metadata: [] }, ['invalid@metadata.non_field_errors']],
    [{ metadata: { a: null } }, ['null@metadata.a']],
    [{ metadata: { a: {} } }, ['invalid@metadata.a']],
    [{ metadata: { a: 'x'.repeat(501) } }, ['max_length@metadata.a']],
    [{ metadata: { ['x'.repeat(41)]: '1' } }, ['max_length@metadata']],
    [{ metadata: { '': '1' } }, ['blank@metadata']],
    [
      { metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`k${n}`, 'v'])) },
      ['max_length@metadata.non_field_errors'],
    ],
    [{ customer: 'x' }, ['invalid@customer.non_field_errors']],
    [{ customer: { name: 'x'.repeat(101) } }, ['max_length@customer.name']],
    [{ customer: { phone: 'call me' } }, ['invalid@customer.phone']],
    [{ locale: 'fr' }, ['invalid_choice@locale']],
    [{ expires_in: 299 }, ['min_value@expires_in']],
    [{ expires_in: 604801 }, ['max_value@expires_in']],
    [{ expires_in: 'soon' }, ['invalid@expires_in']],
    [{ allow_remaining: 'perhaps' }, ['invalid@allow_remaining']],
    [
      { amount: 'x', locale: 'fr', wallets: [demo.wallets.off], metadata: { a: null } },
      ['invalid@amount', 'invalid_choice@locale', 'null@metadata.a', 'wallet_not_monitored@wallets.0'],
    ],
  ]
  for (const [body, errors] of cases) {
    const answer = assertFits(ErrorAnswer, await createCheckout(body))
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.deepEqual(errorsOf(answer), errors, JSON.stringify(body))
  }
  for (const [body, errors] of [
    ['[]', ['invalid@non_field_errors']],
    ['null', ['null@non_field_errors']],
  ] as const)
    assert.deepEqual(errorsOf(await askCheckout('POST', '/sessions/', { body })), errors)
  assert.deepEqual(errorsOf(await askCheckout('POST', '/sessions/', { body: '{' })), ['parse_error@null'])
  assert.equal(
    (await askCheckout('POST', '/sessions/', { body: 'a=1', headers: { 'content-type': 'text/plain' } })).status,
    415,
  )
  assert.equal(await count(), before)
})

test('no checkout is created if no wallet can be offered', async () => {
  await sql('update devices set switched_on = false where id = $1', [demo.device.id])
  clock.advance(5_000)
  const answer = await createCheckout()
  await sql('update devices set switched_on = true where id = $1', [demo.device.id])
  clock.advance(5_000)
  assert.deepEqual(errorsOf(answer), ['wallet_not_monitored@wallets'])
})

test('a repeated idempotency key gets the same answer, byte for byte, also after the checkout has ended', async () => {
  const key = { 'SERVICE-IDEMPOTENCY-KEY': 'order-1' }
  const first = await createCheckout({ external_order_id: 'K-1' }, key)
  const again = await createCheckout({ external_order_id: 'K-1' }, key)
  assert.deepEqual([again.status, again.text], [201, first.text])
  assert.equal(again.headers['idempotent-replayed'], 'true')
  assert.equal(first.headers['idempotent-replayed'], undefined)
  assert.equal((await askCheckout('POST', `/sessions/${first.body.id}/cancel/`)).body.status, 'CANCELLED')
  assert.equal((await createCheckout({ external_order_id: 'K-1' }, key)).text, first.text)
  assert.deepEqual(errorsOf(await createCheckout({ external_order_id: 'K-2' }, key)), [
    'idempotency_key_reused@SERVICE-IDEMPOTENCY-KEY',
  ])
  assert.deepEqual(errorsOf(await createCheckout({ locale: 'fr' }, { 'SERVICE-IDEMPOTENCY-KEY': 'k'.repeat(129) })), [
    'invalid_choice@locale',
    'max_length@SERVICE-IDEMPOTENCY-KEY',
  ])
  // Idempotency keys of intents and of checkouts are separate.
  assert.equal((await service.create({}, key)).status, 201)
})

test('six requests at once with one key make one checkout', async () => {
  const key = { 'SERVICE-IDEMPOTENCY-KEY': 'at-once' }
  const answers = await Promise.all(Array.from({ length: 6 }, () => createCheckout({ external_order_id: 'ONCE' }, key)))
  assert.equal(new Set(answers.map((answer) => answer.text)).size, 1)
  assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [201])
  const [[rows] = []] = await sql(`select count(*) from checkouts where external_order_id = 'ONCE'`)
  assert.equal(rows, '1')
})

test('a checkout of another account does not exist, and no id is confirmed', async () => {
  const { id } = await newCheckout()
  const token = await service.tokenFor(demo.other.client_id, demo.other.client_secret)
  assert.equal((await askCheckout('GET', `/sessions/${id}/`, { token })).status, 404)
  assert.equal((await askCheckout('POST', `/sessions/${id}/cancel/`, { token })).status, 404)
  assert.equal((await askCheckout('GET', '/sessions/', { token })).body.count, 0)
  assert.equal((await askCheckout('GET', '/sessions/not-an-id/')).status, 404)
  assert.equal((await askCheckout('GET', '/sessions/019b7ca9-8f2e-7c3a-9d41-5b6e7f809a1b/')).status, 404)
  assert.equal((await read(id)).status, 'OPEN')
})

test('tokens, methods and unknown paths are answered as in the merchant API', async () => {
  assert.equal((await askCheckout('GET', '/sessions/', { token: null })).status, 401)
  assert.equal((await askCheckout('GET', '/sessions/', { token: demo.dashboard.user_token })).status, 403)
  const put = await askCheckout('PUT', '/sessions/')
  assert.deepEqual([put.status, put.headers.allow], [405, 'GET, POST, HEAD, OPTIONS'])
  assert.equal((await askCheckout('GET', '/other/')).status, 404)
  assert.equal((await askCheckout('OPTIONS', '/sessions/')).body.name, 'Checkout List')
})

test('cancelling ends the checkout and its open intent, once', async () => {
  const { id, page } = await newCheckout()
  await send(`${page}/wallet/`, { wallet: demo.wallets.main })
  const cancelled = assertFits(Checkout, await askCheckout('POST', `/sessions/${id}/cancel/`))
  assert.equal(cancelled.status, 200)
  assert.equal(cancelled.body.status, 'CANCELLED')
  assert.equal(cancelled.body.intents[0].status, 'CANCELLED')
  const again = await askCheckout('POST', `/sessions/${id}/cancel/`)
  assert.deepEqual([again.status, errorsOf(again)], [400, ['checkout_not_open@non_field_errors']])
  assert.match((await open(page)).text, /The shop has cancelled/)
  assert.equal((await send(`${page}/wallet/`, { wallet: demo.wallets.main })).status, 400)
})

test('the list of checkouts is filtered, ordered and paged', async () => {
  const listOf = async (query: string) => assertFits(CheckoutPage, await askCheckout('GET', `/sessions/?${query}`)).body
  clock.advance(1_000)
  const from = new Date(clock.now()).toISOString()
  const one = await newCheckout({
    external_order_id: 'L-1',
    amount: '10',
    description: 'Green tea',
    customer: { name: 'Huda' },
  })
  clock.advance(1_000)
  const two = await newCheckout({ external_order_id: 'L-2', amount: '30' })
  clock.advance(1_000)
  const three = await newCheckout({ external_order_id: 'L-3', amount: '20', expires_in: 300 })
  await send(`${one.page}/wallet/`, { wallet: demo.wallets.second })
  await send(`${one.page}/reference/`, { reference: '556677889900' })
  await askCheckout('POST', `/sessions/${two.id}/cancel/`)
  const ids = async (query: string): Promise<string[]> =>
    (await listOf(`created_after=${from}&${query}`)).results.map((found: { id: string }) => found.id)

  assert.deepEqual(await ids(''), [three.id, two.id, one.id])
  assert.deepEqual(await ids('ordering=created_at'), [one.id, two.id, three.id])
  assert.deepEqual(await ids('ordering=-amount'), [two.id, three.id, one.id])
  assert.deepEqual(await ids('ordering=junk,amount'), [one.id, three.id, two.id])
  assert.deepEqual(await ids('status=CANCELLED'), [two.id])
  assert.deepEqual(await ids('status=OPEN,%20CANCELLED&ordering=created_at'), [one.id, two.id, three.id])
  assert.deepEqual(await ids('external_order_id=L-3'), [three.id])
  assert.deepEqual(await ids(`wallet=${demo.wallets.second}`), [one.id])
  assert.deepEqual(await ids('reference=556677889900'), [one.id])
  assert.deepEqual(await ids('search=green%20HUDA'), [one.id])
  assert.deepEqual(await ids('search=green%20L-2'), [])
  assert.deepEqual(await ids('search=%25'), [])
  clock.advance(300_000)
  assert.deepEqual(await ids('status=EXPIRED'), [three.id])
  assert.deepEqual(await ids('status=OPEN'), [one.id])
  const page = await listOf(`created_after=${from}&page_size=2`)
  assert.equal(page.count, 3)
  assert.equal(page.results.length, 2)
  const next = await askAt(page.next, 'GET', { token: service.token })
  assert.deepEqual(
    next.body.results.map((found: { id: string }) => found.id),
    [one.id],
  )
  assert.equal(next.body.next, null)
  assert.equal((await askCheckout('GET', '/sessions/?page=99')).status, 404)
  assert.deepEqual(errorsOf(await askCheckout('GET', '/sessions/?status=PAID&wallet=x&created_after=junk')), [
    'invalid_choice@status',
    'invalid@wallet',
    'invalid@created_after',
  ])
})

test('the token of the page is stored nowhere in plain text', async () => {
  const { page } = await newCheckout({ external_order_id: 'SECRET' })
  const token = page.split('/').at(-1)!
  const rows = await sql(`select c::text from checkouts c union all select k::text from checkout_keys k`)
  assert.ok(rows.length > 0)
  assert.equal(JSON.stringify(rows).includes(token), false)
})

test('an idempotency key is free again after a day', async () => {
  const key = { 'SERVICE-IDEMPOTENCY-KEY': 'for-a-day' }
  await createCheckout({ external_order_id: 'D-1' }, key)
  clock.advance(24 * 3_600_000 - 1)
  assert.equal((await createCheckout({ external_order_id: 'D-1' }, key)).headers['idempotent-replayed'], 'true')
  clock.advance(1)
  const fresh = await createCheckout({ external_order_id: 'D-2' }, key)
  assert.deepEqual([fresh.status, fresh.headers['idempotent-replayed']], [201, undefined])
})
