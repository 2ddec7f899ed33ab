/** One live intent for each order, whatever happens to calls, answers and time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CheckoutOptions, memoryStore, Sanad, SanadConnectionError, SanadError } from '@sanad/sdk'
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
  fake.fail({ on: '/intents/', lose: 'answer' })
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
  fake.fail({ on: '/intents/', lose: 'answer' })
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

test('a payment of an earlier order with the same number does not pay the order', async () => {
  const { fake, sanad, start, wallet } = open()
  const old = await sanad.intents.create({ wallet, amount: '1500.00', external_order_id: 'A-1' })
  fake.book(old.id, 'REF-0')
  fake.advance(1000)
  assert.equal((await start()).state, 'pay')
  fake.advance(3_600_000)
  assert.deepEqual(await start().then(({ state, attempt }) => [state, attempt]), ['pay', 2])
})
