/**
 * A checkout ends at its `expires_at`, and its intents end with it. Page, checkout API, merchant API and matching agree to the
 * second; afterwards nothing is accepted, and money that comes is late.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { migrationsFolder } from '../../src/open-store.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { openCheckouts, textOf } from './checkout-story.ts'

const service = await openCheckouts()
const { ask, askCheckout, clock, demo, events, newCheckout, open, pay, read, send, sql, sweep } = service
const { main, second } = demo.wallets
let number = 870_000_000
const reference = (): string => String(++number * 1000)

const endOf = (shown: { expires_at: string }): number => Date.parse(shown.expires_at)
const merchantIntent = async (id: string) => (await ask('GET', `/intents/${id}/`)).body
const alertState = async (own: string): Promise<unknown> =>
  (await sql('select state from alerts where reference = $1', [own]))[0]?.[0]
const eventsOf = async (id: string) => (await events()).filter((one) => one.body.checkout_id === id)

test('an intent ends with its checkout: both say the same expires_at, also in the merchant API and on the page', async () => {
  const { id, page } = await newCheckout({ expires_in: 300 })
  clock.advance(290_000)
  await send(`${page}/wallet/`, { wallet: main })
  const shown = await read(id)
  assert.equal(shown.intents[0].expires_at, shown.expires_at)
  assert.equal((await merchantIntent(shown.intents[0].id)).expires_at, shown.expires_at)
  const { text } = await open(page)
  assert.match(text, /data-left="10000"/)
  const [, time] = /Can be paid until <bdi>([^<]+)</.exec(text) ?? []
  assert.equal(time, shown.expires_at.slice(11, 16), 'the minute, and never a later one; the countdown has the seconds')
})

test('an intent of a longer checkout ends one hour after it was opened', async () => {
  const { id, page } = await newCheckout({ expires_in: 7200 })
  clock.advance(600_000)
  const opened = clock.now()
  await send(`${page}/wallet/`, { wallet: main })
  assert.equal(endOf((await read(id)).intents[0]), opened + 3_600_000)
  clock.advance(3_600_000)
  await send(`${page}/wallet/`, { wallet: main })
  const { intents, expires_at } = await read(id)
  assert.equal(intents[1].expires_at, expires_at, 'the second one has less than an hour left')
})

test('another wallet, the part that arrived and the rest all end with the checkout', async () => {
  const { id, page } = await newCheckout({ expires_in: 300, allow_remaining: true })
  clock.advance(280_000)
  await send(`${page}/wallet/`, { wallet: second })
  await send(`${page}/wallet/`, { wallet: main })
  const first = reference()
  await send(`${page}/reference/`, { reference: first })
  await pay('1400', first)
  const wrong = await open(page)
  assert.match(wrong.text, /data-left="20000"/, 'the page says how long the rest can be paid')
  assert.equal((await send(`${page}/rest/`, {})).status, 303)
  const { intents, expires_at, paid } = await read(id)
  assert.deepEqual([intents.length, paid], [4, '1400.00'])
  for (const intent of intents) assert.equal(intent.expires_at, expires_at)
  clock.advance(20_000)
  const late = reference()
  assert.equal((await send(`${page}/reference/`, { reference: late })).status, 400)
  const after = await read(id)
  assert.deepEqual([after.status, after.paid, after.ended_at], ['EXPIRED', '1400.00', expires_at])
})

test('a payment one millisecond before the end completes the checkout; at the end it is late', async () => {
  for (const left_ms of [1, 0]) {
    const { id, page } = await newCheckout({ expires_in: 300 })
    await send(`${page}/wallet/`, { wallet: main })
    const own = reference()
    await send(`${page}/reference/`, { reference: own })
    clock.advance(300_000 - left_ms)
    await pay('1500', own)
    const { status, paid, intents, ended_at, expires_at } = await read(id)
    assert.deepEqual([status, paid], left_ms === 1 ? ['COMPLETE', '1500.00'] : ['EXPIRED', '0.00'])
    assert.equal(intents[0].status, left_ms === 1 ? 'VERIFIED' : 'EXPIRED')
    if (left_ms === 0) {
      assert.equal(ended_at, expires_at)
      assert.notEqual(await alertState(own), 'matched')
    }
  }
})

test('after the end every form of the page is refused with a sentence that says so, and changes nothing', async () => {
  const { id, page } = await newCheckout({ expires_in: 300, allow_remaining: true })
  await send(`${page}/wallet/`, { wallet: main })
  clock.advance(300_000)
  const before = await read(id)
  assert.deepEqual([before.status, before.intents[0].status], ['EXPIRED', 'EXPIRED'])
  const forms: [string, Record<string, string>][] = [
    ['wallet', { wallet: main }],
    ['wallet', { wallet: second }],
    ['reference', { reference: reference() }],
    ['rest', {}],
  ]
  for (const [form, fields] of forms) {
    const refused = await send(`${page}/${form}/`, fields)
    assert.equal(refused.status, 400, form)
    assert.match(textOf(refused.text), /The time to pay ended at .*nothing is accepted here any more/, form)
  }
  assert.match(
    (await send(`${page}/reference/?lang=ar`, { reference: reference() })).text,
    /انتهت مهلة الدفع الساعة .*لا تُقبل هنا/,
  )
  const { references_tried: tried, ...after } = await read(id)
  assert.deepEqual(after, before)
  assert.equal(tried, undefined)
  const patched = await ask('PATCH', `/intents/${before.intents[0].id}/`, { body: { reference: reference() } })
  assert.equal(patched.status, 400)
})

test('a cancellation after the end is refused, and the checkout stays expired', async () => {
  const { id, page } = await newCheckout({ expires_in: 300 })
  clock.advance(299_000)
  await send(`${page}/wallet/`, { wallet: main })
  clock.advance(1_000)
  const refused = await askCheckout('POST', `/sessions/${id}/cancel/`)
  assert.equal(refused.status, 400)
  assert.equal((await read(id)).status, 'EXPIRED')
})

test('the end of a checkout with an open intent has one event, at its expires_at', async () => {
  const { id, page } = await newCheckout({ expires_in: 300, external_order_id: 'END-1' })
  await send(`${page}/wallet/`, { wallet: main })
  clock.advance(300_000)
  await Promise.all([sweep(), open(page), sweep(), open(page)])
  await sweep()
  const { expires_at } = await read(id)
  const own = await eventsOf(id)
  assert.deepEqual(
    own.map(({ kind, body }) => [kind, body.expired_at]),
    [['checkout.expired', expires_at]],
  )
})

test('lists say the same as the checkout before any end is stored', async () => {
  const { id, page } = await newCheckout({ expires_in: 300, external_order_id: 'LIST-END' })
  await send(`${page}/wallet/`, { wallet: main })
  const found = async (status: string): Promise<number> =>
    (await askCheckout('GET', `/sessions/?external_order_id=LIST-END&status=${status}`)).body.count
  clock.advance(299_999)
  assert.deepEqual([await found('OPEN'), await found('EXPIRED')], [1, 0])
  clock.advance(1)
  assert.deepEqual([await found('OPEN'), await found('EXPIRED')], [0, 1])
  assert.equal((await read(id)).status, 'EXPIRED')
})

test('the checkout of a payment link ends as expires_in of the link says', async () => {
  const link = await askCheckout('POST', '/links/', { body: { amount: '1500', expires_in: 300, once: true } })
  const path = new URL(link.body.url).pathname
  const begun = await send(path, {})
  const page = String(begun.headers.location).split('?')[0]!
  clock.advance(240_000)
  await send(`${page}/wallet/`, { wallet: main })
  const own = reference()
  await send(`${page}/reference/`, { reference: own })
  clock.advance(60_000)
  await pay('1500', own)
  assert.match(textOf((await open(page)).text), /The time to pay is over/)
  const [last] = (await askCheckout('GET', '/sessions/?page_size=1')).body.results
  assert.deepEqual([last.status, last.intents[0].expires_at], ['EXPIRED', last.expires_at])
})

test('at the upgrade a checkout whose intent ends later keeps the end that its page showed; others keep theirs', async () => {
  const earlier = await newCheckout({ expires_in: 300 })
  await send(`${earlier.page}/wallet/`, { wallet: main })
  const [{ id: intent }] = (await read(earlier.id)).intents
  const plain = await newCheckout({ expires_in: 300 })
  const before = await read(plain.id)
  const cancelled = await newCheckout({ expires_in: 300 })
  await send(`${cancelled.page}/wallet/`, { wallet: main })
  await askCheckout('POST', `/sessions/${cancelled.id}/cancel/`)
  const ended = await read(cancelled.id)
  const shownEnd = new Date(clock.now() + 3_600_000).toISOString()
  await sql('update intents set expires_at = $2 where id = any($1)', [[intent, ended.intents[0].id], shownEnd])
  const file = readFileSync(join(migrationsFolder, '0027_kept_ends_and_numbers.sql'), 'utf8')
  await sql(file.slice(0, file.indexOf(';')))
  assert.equal(endOf(await read(earlier.id)), Date.parse(shownEnd))
  assert.deepEqual(await read(plain.id), before)
  assert.equal((await read(cancelled.id)).expires_at, ended.expires_at)
})

test('a pasted message is refused after the end too, without a question', async () => {
  const { page } = await newCheckout({ expires_in: 300 })
  await send(`${page}/wallet/`, { wallet: main })
  const message = purchaseText('1500', reference())
  assert.equal((await send(`${page}/reference/`, { reference: message })).status, 200, 'before the end it is read')
  clock.advance(300_000)
  const refused = await send(`${page}/reference/`, { reference: message })
  assert.equal(refused.status, 400)
  assert.match(textOf(refused.text), /nothing is accepted here any more/)
})

test('the amounts still add up', () => assertMoneyInvariants(sql))
