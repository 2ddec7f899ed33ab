/** One live intent for each order, whatever happens to calls, answers and time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CheckoutOptions, type Intent, memoryStore, Sanad, SanadConnectionError, SanadError } from '@sanad/sdk'
import { createFakeSanad } from '@sanad/sdk/testing'

const open = () => {
  const fake = createFakeSanad()
  const store = memoryStore()
  const sanad = new Sanad(fake.options)
  const wallet = fake.wallets[0]!.id
  const start = (more: Partial<CheckoutOptions> = {}, by = sanad) =>
    by.checkout.start({ orderId: 'A-1', wallet, amount: '1500.00', store, ...more })
  const count = async () => (await sanad.intents.page({ external_order_id: 'A-1' })).count
  return { fake, store, sanad, wallet, start, count }
}

test('called twice, at once and by two servers: one intent', async () => {
  const { fake, start, count } = open()
  const other = new Sanad(fake.options)
  const started = await Promise.all([start(), start(), start({}, other), start({}, other)])
  assert.equal(new Set(started.map(({ intent }) => intent.id)).size, 1)
  assert.deepEqual(new Set(started.map(({ state }) => state)), new Set(['pay']))
  assert.equal((await start()).intent.id, started[0]!.intent.id)
  assert.equal(await count(), 1)
})

test('the answer is lost and the server stops: the next call finds the intent', async () => {
  const { fake, start, count } = open()
  const hasty = new Sanad({ ...fake.options, maxRetries: 0 })
  await hasty.wallets.list()
  fake.fail({ on: '/intents/', method: 'POST', lose: 'answer' })
  await assert.rejects(start({}, hasty), SanadConnectionError)
  assert.equal((await start()).attempt, 1)
  assert.equal(await count(), 1)
})

test('after expiry or cancellation there is a new intent with a new key; the ended one is not returned again', async () => {
  const { fake, start, count } = open()
  const first = await start()
  fake.advance(3_600_000)
  const second = await start()
  assert.notEqual(second.intent.id, first.intent.id)
  assert.deepEqual([second.state, second.intent.status, second.attempt], ['pay', 'PENDING', 2])
  fake.cancel(second.intent.id)
  assert.equal((await start()).attempt, 3)
  assert.equal(await count(), 3)
})

test('the answer is lost and the intent has expired when the buyer returns: a new intent, not the stored answer', async () => {
  const { fake, start } = open()
  const hasty = new Sanad({ ...fake.options, maxRetries: 0 })
  await hasty.wallets.list()
  fake.fail({ on: '/intents/', method: 'POST', lose: 'answer' })
  await assert.rejects(start({}, hasty), SanadConnectionError)
  fake.advance(2 * 3_600_000)
  const later = await start()
  assert.deepEqual([later.state, later.intent.status, later.attempt], ['pay', 'PENDING', 2])
})

test('a paid order never gets another intent, whatever the options are', async () => {
  const { fake, sanad, start, wallet, count } = open()
  const { intent } = await start()
  await sanad.intents.attachReference(intent.id, 'REF-1')
  assert.equal((await start()).state, 'checking')
  // Another wallet while a payment is being checked: still this one.
  assert.equal((await start({ wallet: fake.wallets[1]!.id })).intent.id, intent.id)
  fake.pay({ wallet, amount: '1500.00', reference: 'REF-1' })
  fake.advance(48 * 3_600_000)
  for (const more of [{}, { amount: '1.00' }, { again: true }]) {
    const now = await start(more)
    assert.deepEqual([now.state, now.intent.id], ['paid', intent.id])
  }
  assert.equal(await count(), 1)
})

test('a wrong amount is left to a user; `again` makes one new attempt, even when called twice', async () => {
  const { fake, sanad, start, wallet, count } = open()
  const { intent } = await start()
  await sanad.intents.attachReference(intent.id, 'REF-1')
  fake.pay({ wallet, amount: '1400.00', reference: 'REF-1' })
  const wrong = await start()
  assert.deepEqual([wrong.state, wrong.intent.paid_amount], ['wrong_amount', '1400.00'])
  const again = await Promise.all([start({ again: true }), start({ again: true })])
  assert.deepEqual(
    again.map(({ intent }) => intent.id),
    [again[0].intent.id, again[0].intent.id],
  )
  assert.equal((await start({ again: true })).intent.id, again[0].intent.id)
  assert.equal(await count(), 2)
})

test('another wallet makes a new attempt; a refused request does not stop a later one', async () => {
  const { fake, start } = open()
  const first = await start()
  const second = fake.wallets[1]!.id
  const changed = await start({ wallet: second })
  assert.deepEqual([changed.attempt, changed.intent.wallet.id], [2, second])
  assert.notEqual(changed.intent.id, first.intent.id)

  const refused = open()
  const fault = await refused.start({ amount: '0.00' }).catch((thrown) => thrown)
  assert.ok(fault instanceof SanadError && fault.has('min_value', 'amount'))
  assert.equal((await refused.start()).state, 'pay')
})

test('a store that does not compare versions is reported after a bounded number of rounds', async () => {
  const { start, store } = open()
  await assert.rejects(
    start({ store: { get: store.get, set: async () => false } }),
    /does its set\(\) compare versions/,
  )
})

test('late or wrong money that a user booked in the dashboard pays the order, without a new attempt', async () => {
  const late = open()
  const { intent } = await late.start()
  late.fake.advance(3_600_000)
  // The buyer has begun again meanwhile.
  const second = await late.start()
  const booked = late.fake.book(intent.id, 'REF-1')
  assert.deepEqual([booked.status, booked.external_order_id, booked.manual_override], ['VERIFIED', 'A-1', true])
  for (const wait of [0, 3_600_000]) {
    late.fake.advance(wait)
    const now = await late.start()
    assert.deepEqual([now.state, now.intent.id], ['paid', booked.id])
  }
  assert.notEqual(second.intent.id, booked.id)
  assert.equal(await late.count(), 3)

  const wrong = open()
  const first = await wrong.start()
  await wrong.sanad.intents.attachReference(first.intent.id, 'REF-2')
  wrong.fake.pay({ wallet: wrong.wallet, amount: '1400.00', reference: 'REF-2' })
  assert.equal((await wrong.start()).state, 'wrong_amount')
  wrong.fake.book(first.intent.id, 'REF-2')
  const accepted = await wrong.start({ again: true })
  assert.deepEqual([accepted.state, accepted.intent.payable_amount], ['paid', '1400.00'])
})

/** Pays an intent: its reference is attached, and its money arrives. */
const payIntent = async ({ fake, sanad }: ReturnType<typeof open>, intent: Intent, amount = intent.payable_amount) => {
  await sanad.intents.attachReference(intent.id, `REF ${intent.id}`)
  fake.pay({ wallet: intent.wallet.id, amount, reference: `REF ${intent.id}` })
}

test('an earlier attempt of another amount or wallet is paid: the order is paid, and both amounts are said', async () => {
  for (const change of [
    { amount: '1200.00' },
    { items: [{ name: 'Tea', price: '600', quantity: 2 }] },
    { wallet: 1 },
  ]) {
    const shop = open()
    const { wallet, ...rest } = { wallet: 0, amount: '1000.00', ...change }
    const later = { ...rest, wallet: shop.fake.wallets[wallet]!.id }
    const first = await shop.start({ amount: '1000.00' })
    const second = await shop.start(later)
    assert.deepEqual([second.state, second.attempt, second.paid], ['pay', 2, '0.00'])
    assert.notEqual(second.intent.id, first.intent.id)
    await payIntent(shop, first.intent)
    const asked = change.wallet === undefined ? '1200.00' : '1000.00'
    for (const more of [later, { ...later, again: true }]) {
      const now = await shop.start(more)
      assert.deepEqual([now.state, now.intent.id, now.asked, now.paid], ['paid', first.intent.id, asked, '1000.00'])
    }
    assert.equal((await shop.start({ amount: '1000.00' })).asked, '1000.00')
    // Both are paid: what arrived is said, and the payment that is named stays the same.
    await payIntent(shop, second.intent)
    const both = await shop.start(later)
    assert.deepEqual([both.intent.id, both.paid], [first.intent.id, wallet === 0 ? '2200.00' : '2000.00'])
    assert.equal(await shop.count(), 2)
  }
})

test('the earlier attempt is paid while the next one is being created: the call says so', async () => {
  const shop = open()
  const { fake } = shop
  const first = await shop.start()
  const slow = new Sanad({
    ...fake.options,
    fetch: async (url, init) => {
      const answer = await fake.options.fetch(url, init)
      if (init.method === 'POST' && url.endsWith('/intents/')) await payIntent(shop, first.intent)
      return answer
    },
  })
  const second = await shop.start({ amount: '12.00' }, slow)
  assert.deepEqual([second.state, second.intent.id, second.attempt], ['paid', first.intent.id, 2])
})

test('two servers ask for two amounts: whichever is paid, both say so', async () => {
  const shop = open()
  const other = new Sanad(shop.fake.options)
  const started = await Promise.all([
    shop.start({ amount: '10.00' }),
    shop.start({ amount: '12.00' }, other),
    shop.start({ amount: '10.00' }, other),
  ])
  await payIntent(shop, started[0]!.intent)
  for (const [amount, by] of [
    ['10.00', shop.sanad],
    ['12.00', other],
  ] as const) {
    const now = await shop.start({ amount }, by)
    assert.deepEqual([now.state, now.intent.id, now.asked, now.paid], ['paid', started[0]!.intent.id, amount, '10.00'])
  }
})

test('a store that lost its attempts, or never had them: a paid order is paid, and no intent is made', async () => {
  const shop = open()
  const { intent } = await shop.start()
  await payIntent(shop, intent)
  const found = await shop.start({ store: memoryStore(), amount: '2000.00' })
  assert.deepEqual([found.state, found.intent.id, found.attempt], ['paid', intent.id, 0])
  assert.deepEqual([found.asked, found.paid], ['2000.00', '1500.00'])
  assert.equal(await shop.count(), 1)

  // The store is a copy of the time before the second attempt, which was paid.
  const restored = open()
  const first = await restored.start()
  const old = await restored.store.get('A-1')
  restored.fake.advance(3_600_000)
  await payIntent(restored, (await restored.start()).intent)
  const store = memoryStore()
  await store.set('A-1', { ...old!, version: 1 })
  const now = await restored.start({ store })
  assert.deepEqual([now.state, now.attempt], ['paid', 1])
  assert.notEqual(now.intent.id, first.intent.id)
})

test('an intent of the order that a user or another program made pays it, whether a first attempt is open or not', async () => {
  const shop = open()
  const make = async (amount: string) => {
    const body = { wallet: shop.fake.wallets[1]!.id, amount, external_order_id: ' A-1 ' }
    const intent = await shop.sanad.intents.create(body)
    await payIntent(shop, intent)
    return intent
  }
  assert.equal((await shop.start()).state, 'pay')
  const made = await make('1500.00')
  const paid = await shop.start({ orderId: 'A-1 ' })
  assert.deepEqual([paid.state, paid.intent.id], ['paid', made.id])
  await make('250.00')
  assert.equal((await shop.start()).paid, '1750.00')
  assert.equal((await shop.start({ orderId: 'A-11' })).state, 'pay')
})

test('the payment is found behind more than a page of later and earlier attempts', async () => {
  const shop = open()
  const make = async (times: number) => {
    for (let n = 0; n < times; n++) {
      shop.fake.advance(1)
      await shop.sanad.intents.create({ wallet: shop.wallet, amount: '1.00', external_order_id: 'A-1' })
    }
  }
  await make(130)
  const paid = await shop.sanad.intents.create({ wallet: shop.wallet, amount: '1.00', external_order_id: 'A-1' })
  await payIntent(shop, paid)
  await make(130)
  for (const wait of [0, 3_600_000]) {
    shop.fake.advance(wait)
    const now = await shop.start()
    assert.deepEqual([now.state, now.intent.id], ['paid', paid.id])
  }
})

test('test money pays no order that is to be paid with real money; on the test wallet it does', async () => {
  const shop = open()
  const test = shop.fake.wallets[2]!.id
  const tried = await shop.start({ wallet: test })
  await payIntent(shop, tried.intent)
  assert.equal((await shop.start({ wallet: test.toUpperCase() })).state, 'paid')
  const real = await shop.start()
  assert.deepEqual([real.state, real.intent.wallet.is_test, real.paid], ['pay', false, '0.00'])
  assert.equal((await shop.start({ store: memoryStore() })).state, 'pay')
  await payIntent(shop, real.intent)
  assert.deepEqual(await shop.start().then(({ state, paid }) => [state, paid]), ['paid', '1500.00'])
  // A reference or a wrong amount on the test wallet does not stop a real payment either.
  const other = open()
  const wrong = await other.start({ wallet: test })
  await payIntent(other, wrong.intent, '1.00')
  assert.equal((await other.start({ wallet: test })).state, 'wrong_amount')
  assert.equal((await other.start()).state, 'pay')
})

test('another amount arrives for an earlier attempt: a user decides, and `again` continues with the open one', async () => {
  const shop = open()
  const first = await shop.start({ amount: '1000.00' })
  const second = await shop.start()
  await shop.sanad.intents.attachReference(first.intent.id, 'REF-1')
  const checking = await shop.start()
  assert.deepEqual([checking.state, checking.intent.id], ['checking', first.intent.id])
  shop.fake.pay({ wallet: shop.wallet, amount: '900.00', reference: 'REF-1' })
  const wrong = await shop.start()
  assert.deepEqual([wrong.state, wrong.intent.id], ['wrong_amount', first.intent.id])
  for (const again of [true, false]) {
    const now = await shop.start({ again })
    assert.deepEqual([now.state, now.intent.id, now.attempt], ['pay', second.intent.id, 2])
  }
  // A user accepts the money after all.
  shop.fake.book(first.intent.id, 'REF-1')
  assert.deepEqual(await shop.start().then(({ state, paid }) => [state, paid]), ['paid', '900.00'])
  assert.equal(await shop.count(), 3)
})

test('a record of an earlier version: the wrong amount before its attempt was decided about', async () => {
  const shop = open()
  const first = await shop.start()
  await payIntent(shop, first.intent, '1400.00')
  await shop.start({ again: true })
  const { decided: _, ...earlier } = (await shop.store.get('A-1'))!
  const store = memoryStore()
  await store.set('A-1', { ...earlier, version: 1 })
  assert.equal((await shop.start({ store })).state, 'pay')
  const changed = await shop.start({ store, amount: '1600.00' })
  assert.equal(changed.state, 'pay')
  assert.equal((await shop.start({ store, amount: '1600.00' })).intent.id, changed.intent.id)
})

test('a payment of an earlier order with the same number pays the order unless it is named in `ignore`', async () => {
  const shop = open()
  const { fake, sanad, start, wallet } = shop
  const old = await sanad.intents.create({ wallet, amount: '1500.00', external_order_id: 'A-1' })
  fake.book(old.id, 'REF-0')
  fake.advance(1000)
  assert.equal((await start()).state, 'paid')
  const ignore = [old.id]
  const first = await start({ ignore })
  assert.deepEqual([first.state, first.paid], ['pay', '0.00'])
  fake.advance(3_600_000)
  assert.deepEqual(await start({ ignore }).then(({ state, attempt }) => [state, attempt]), ['pay', 2])
  // The same number and the same store for the next order.
  const second = await start({ ignore })
  await payIntent(shop, second.intent)
  assert.equal((await start({ ignore })).intent.id, second.intent.id)
  const third = await start({ ignore: [old.id, second.intent.id] })
  assert.deepEqual([third.state, third.attempt], ['pay', 3])
})

test('the same order with another note, or its amount written otherwise, is no new attempt', async () => {
  const { start, count, fake } = open()
  const first = await start({ notes: 'one' })
  for (const more of [{ notes: 'two' }, { amount: '1500' }, { amount: ' 1500.0' }])
    assert.equal((await start(more)).intent.id, first.intent.id)
  assert.equal((await start({ wallet: fake.wallets[0]!.id.toUpperCase() })).intent.id, first.intent.id)
  assert.equal(await count(), 1)
})

test('a number as an amount and a blank order number are refused before anything is stored or sent', async () => {
  const { start, fake, store } = open()
  for (const amount of [1500, null]) await assert.rejects(start({ amount: amount as never }), /amount must be a string/)
  const items = [{ name: 'Tea', price: 1 as never }]
  await assert.rejects(start({ items }), /items\.0\.price must be a string/)
  for (const orderId of ['', '  ', '\u2003', '\x1f', undefined])
    await assert.rejects(start({ orderId: orderId as never }), /orderId must be your order number/)
  assert.equal(fake.calls.length, 0)
  assert.equal(await store.get('A-1'), null)
  assert.equal((await start()).state, 'pay')
})

test('a first call reads the list once, a later one too; a new attempt reads it again after it was created', async () => {
  const { fake, start } = open()
  const callsOf = async (more: Partial<CheckoutOptions> = {}) => {
    const before = fake.calls.length
    await start(more)
    return fake.calls.slice(before).map(({ method, path }) => `${method} ${path.split('?')[0]}`)
  }
  assert.deepEqual(await callsOf(), ['POST /token', 'GET /intents/', 'POST /intents/'])
  assert.deepEqual(await callsOf(), ['GET /intents/'])
  assert.deepEqual(await callsOf({ amount: '9.00' }), ['GET /intents/', 'POST /intents/', 'GET /intents/'])
})
