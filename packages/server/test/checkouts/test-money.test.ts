/**
 * Test money is marked wherever a shop could take it for money: in checkouts, their events, the opt-in events of intents, the
 * buyer's receipt, the dashboard's lists, and by a header of each delivery. The three payloads of the contract stay as they are.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Checkout, CheckoutCompleted, CheckoutExpired } from '@sanad/contract/checkout'
import { PaymentCancelled, PaymentExpired, PaymentVerified, PaymentWrongAmount } from '@sanad/contract/events'
import { type WebhookEvent, webhooks } from '@sanad/sdk'
import { Value } from 'typebox/value'
import { endDueCheckouts } from '../../src/checkouts/end-checkouts.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { expireIntents } from '../../src/intents/expire-intents.ts'
import { type Answer, askAt } from '../support/story.ts'
import { senderStory } from '../webhooks/sender-story.ts'
import { textOf } from './checkout-story.ts'

const { service, clock, demo, sql, callsAt, newEndpoint, newReference, pay, handset, alertOf, startSender, until } =
  await senderStory()
const { main, test: testWallet } = demo.wallets
const zone = zoneOf('Asia/Aden')

const checkouts = (method: string, path: string, body?: unknown): Promise<Answer> =>
  askAt(`${service.origin}/api/v1/checkout${path}`, method, { token: service.token, body })
const dashboard = (method: string, path: string, body?: unknown): Promise<Answer> =>
  askAt(`${service.origin}/api/v1/dashboard${path}`, method, { token: demo.dashboard.user_token, body })
const form = (path: string, fields: Record<string, string>): Promise<Answer> =>
  askAt(`${service.origin}${path}`, 'POST', {
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'accept-language': 'en' },
  })
const open = (path: string): Promise<Answer> =>
  askAt(`${service.origin}${path}`, 'GET', { headers: { 'accept-language': 'en' } })
const sweep = async (): Promise<void> => {
  await expireIntents(service.db, 500, clock.now(), zone)
  await endDueCheckouts(service.db, zone, 500, clock.now(), () => {})
}
const newCheckout = async (body: Record<string, unknown>) => {
  const answer = await checkouts('POST', '/sessions/', { amount: '1500.00', ...body })
  assert.equal(answer.status, 201, answer.text)
  assert.ok(Value.Check(Checkout, answer.body), answer.text)
  return { ...answer.body, page: new URL(answer.body.url).pathname } as { id: string; page: string; is_test: boolean }
}
const isTest = async (id: string): Promise<boolean> => (await checkouts('GET', `/sessions/${id}/`)).body.is_test
const payTest = async (amount: string, reference: string): Promise<void> => {
  const answer = await dashboard('POST', '/test-payment/', { wallet: testWallet, amount, reference })
  assert.equal(answer.status, 201, answer.text)
}

test('a checkout says whether it is test money: from the start, after the choice of a wallet, and in every list', async () => {
  const only = await newCheckout({ wallets: [testWallet], external_order_id: 'TM-1' })
  const both = await newCheckout({ wallets: [testWallet, main], external_order_id: 'TM-2' })
  const real = await newCheckout({ external_order_id: 'TM-3' })
  assert.deepEqual([only.is_test, both.is_test, real.is_test], [true, false, false])
  await form(`${both.page}/wallet/`, { wallet: testWallet })
  await form(`${real.page}/wallet/`, { wallet: main })
  const listed = async (results: { id: string; is_test: boolean }[]) =>
    [only, both, real].map(({ id }) => results.find((one) => one.id === id)!.is_test)
  assert.deepEqual(await listed((await checkouts('GET', '/sessions/')).body.results), [true, true, false])
  assert.deepEqual(await listed((await dashboard('GET', '/checkouts/')).body.results), [true, true, false])
  assert.equal((await dashboard('GET', `/checkouts/${both.id}/`)).body.is_test, true)
  await form(`${both.page}/wallet/`, { wallet: main })
  assert.equal(await isTest(both.id), false, 'a real wallet was chosen instead')
  const again = await askAt(`${service.origin}/api/v1/checkout/sessions/`, 'POST', {
    token: service.token,
    body: { amount: '5.00', wallets: [testWallet] },
    headers: { 'idempotency-key': 'test-money' },
  })
  const replayed = await askAt(`${service.origin}/api/v1/checkout/sessions/`, 'POST', {
    token: service.token,
    body: { amount: '5.00', wallets: [testWallet] },
    headers: { 'idempotency-key': 'test-money' },
  })
  assert.deepEqual([again.body.is_test, replayed.body.is_test], [true, true])
})

test('a part of test money makes the whole checkout test money', async () => {
  const { id, page } = await newCheckout({ wallets: [testWallet, main], allow_remaining: true })
  await form(`${page}/wallet/`, { wallet: testWallet })
  const first = newReference()
  await form(`${page}/reference/`, { reference: first })
  await payTest('1400.00', first)
  await form(`${page}/rest/`, {})
  await form(`${page}/wallet/`, { wallet: main })
  assert.equal(await isTest(id), true)
})

test("the buyer's pages of the test wallet say that it is no money, the receipt too, in both languages", async () => {
  const { page } = await newCheckout({ wallets: [testWallet] })
  await form(`${page}/wallet/`, { wallet: testWallet })
  assert.match(textOf((await open(page)).text), /This is the test wallet: do not send real money to it/)
  const own = newReference()
  await form(`${page}/reference/`, { reference: own })
  assert.match(textOf((await open(page)).text), /This is the test wallet: do not send real money to it/)
  await payTest('1500.00', own)
  const receipt = textOf((await open(page)).text)
  assert.match(receipt, /Test payment: no real money arrived.*TEST/)
  assert.doesNotMatch(receipt, /PAID|The money has arrived/)
  assert.match(textOf((await open(`${page}?lang=ar`)).text), /دفعة تجريبية/)
})

test('every event of the test wallet is marked, by a field where it is ours and by the header always; the SDK says isTest', async () => {
  const kinds = [
    'payment.verified',
    'payment.received',
    'payment.wrong_amount',
    'payment.expired',
    'payment.cancelled',
    'checkout.completed',
    'checkout.expired',
  ]
  const { secret } = await newEndpoint('/marked', kinds)
  // Test money: a checkout is paid, another expires; intents get a wrong amount, expire, and are cancelled.
  const paid = await newCheckout({ wallets: [testWallet], external_order_id: 'T' })
  await form(`${paid.page}/wallet/`, { wallet: testWallet })
  const own = newReference()
  await form(`${paid.page}/reference/`, { reference: own })
  await payTest('1500.00', own)
  await newCheckout({ wallets: [testWallet], external_order_id: 'T', expires_in: 300 })
  const intentOf = async (wallet: string, reference?: string): Promise<string> => {
    const body = { wallet, amount: '1500.00', currency: 'YER', external_order_id: wallet === main ? 'R' : 'T' }
    const { id } = (await service.ask('POST', '/intents/', { body })).body
    if (reference !== undefined) await service.ask('PATCH', `/intents/${id}/`, { body: { reference } })
    return id
  }
  const wrong = newReference()
  await intentOf(testWallet, wrong)
  await payTest('1400.00', wrong)
  await dashboard('POST', `/intents/${await intentOf(testWallet)}/cancel/`, {})
  await intentOf(testWallet)
  // Real money, in the same ways.
  const real = await newCheckout({ wallets: [main], external_order_id: 'R' })
  await form(`${real.page}/wallet/`, { wallet: main })
  const realReference = newReference()
  await form(`${real.page}/reference/`, { reference: realReference })
  await handset.alerts([alertOf(realReference)])
  await newCheckout({ wallets: [main], external_order_id: 'R', expires_in: 300 })
  const realWrong = newReference()
  await intentOf(main, realWrong)
  await handset.alerts([{ ...alertOf(realWrong), text: alertOf(realWrong).text.replace('1500.00', '1400.00') }])
  await dashboard('POST', `/intents/${await intentOf(main)}/cancel/`, {})
  await intentOf(main)
  await pay()
  clock.advance(3_600_001)
  await sweep()
  // Started now: a call that is under way while the clock is moved would outlive its lease.
  const sender = startSender()
  await until('all are delivered', async () => Number((await sql('select count(*) from deliveries'))[0]![0]) === 0)
  await sender.stop()

  const seen = new Map<string, Set<string>>()
  for (const { headers, body } of callsAt('/marked')) {
    const event = JSON.parse(body)
    // The checkouts of earlier tests end too.
    if (event.event !== 'payment.received' && !['T', 'R'].includes(event.order_id)) continue
    const isOfTest = event.event === 'payment.received' || event.order_id === 'T'
    const label = `${isOfTest ? 'test' : 'real'} ${body}`
    // A checkout that never had an intent has no wallet: its field says it.
    if (event.event !== 'checkout.expired')
      assert.equal(headers['x-service-test'], isOfTest ? 'true' : undefined, label)
    if (event.event !== 'payment.verified') assert.equal(event.is_test ?? false, isOfTest, label)
    else assert.ok(Value.Check(PaymentVerified, event), label)
    const schema = {
      'payment.wrong_amount': PaymentWrongAmount,
      'payment.expired': PaymentExpired,
      'payment.cancelled': PaymentCancelled,
      'checkout.completed': CheckoutCompleted,
      'checkout.expired': CheckoutExpired,
    }[event.event as string]
    if (schema !== undefined) assert.ok(Value.Check(schema, event), label)
    const found: { event: WebhookEvent; isTest: boolean }[] = []
    const receive = webhooks.next({
      secret,
      now: clock.now,
      toleranceS: Number.POSITIVE_INFINITY,
      onEvent: (received, delivery) => void found.push({ event: received, isTest: delivery.isTest }),
    })
    const answer = await receive(
      new Request('https://shop.example.com/', { method: 'POST', headers: headers as Record<string, string>, body }),
    )
    assert.equal(answer.status, 204)
    assert.equal(found[0]!.isTest, isOfTest, label)
    seen.set(event.event, (seen.get(event.event) ?? new Set()).add(isOfTest ? 'test' : 'real'))
  }
  for (const kind of kinds)
    assert.deepEqual(
      [...(seen.get(kind) ?? [])].sort(),
      kind === 'payment.received' ? ['test'] : ['real', 'test'],
      kind,
    )
})

test("the developers' feed marks the events of the test wallet", async () => {
  const { body } = await askAt(`${service.origin}/api/v1/developer/events/?page_size=200`, 'GET', {
    token: service.token,
  })
  const verified: [string, boolean][] = body.results
    .filter(({ event }: { event: string }) => event === 'payment.verified')
    .map((row: { is_test: boolean; body: string }) => [JSON.parse(row.body).order_id, row.is_test])
  assert.deepEqual(new Set(verified.filter(([, mark]) => mark).map(([order]) => order)), new Set(['', 'T']))
  assert.ok(verified.some(([order, mark]) => order === 'R' && !mark))
})
