/** Tests of a shop without a service: Sanad in memory, a clock that you move, and signed webhooks. `node --test own-tests.ts` */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryStore, Sanad, webhooks } from '@sanad/sdk'
import { createFakeSanad } from '@sanad/sdk/testing'

const open = () => {
  const fake = createFakeSanad({ endEvents: true }) // As if an endpoint had chosen payment.expired and the others.
  const wallet = fake.wallets[0]!.id
  const order = { orderId: 'A-1', wallet, amount: '1500.00', store: memoryStore() }
  const received: string[] = []
  const receive = webhooks.next({
    secret: fake.signingSecret,
    now: fake.now,
    onEvent: (event) => void received.push(event.event), // Here: the function of your shop.
  })
  /** Sends your shop the webhooks that it has not got yet. Returns the kinds of all events so far. */
  const deliver = async (): Promise<string[]> => {
    for (const webhook of await fake.webhooks()) assert.equal((await receive(webhook.request())).status, 204)
    return received
  }
  return { fake, sanad: new Sanad(fake.options), wallet, order, deliver }
}

test('paid: the order is delivered', async () => {
  const { fake, sanad, wallet, order, deliver } = open()
  const { intent } = await sanad.checkout.start(order)
  await sanad.intents.attachReference(intent.id, '220700001234')
  fake.pay({ wallet, amount: '1500.00', reference: '220700001234' })
  assert.equal((await sanad.checkout.start(order)).state, 'paid')
  assert.ok((await deliver()).includes('payment.verified'))
})

test('another amount: a user decides', async () => {
  const { fake, sanad, wallet, order, deliver } = open()
  const { intent } = await sanad.checkout.start(order)
  await sanad.intents.attachReference(intent.id, '220700001235')
  fake.pay({ wallet, amount: '1400.00', reference: '220700001235' })
  assert.equal((await sanad.checkout.start(order)).state, 'wrong_amount')
  assert.ok((await deliver()).includes('payment.wrong_amount'))
})

test('the hour is over: a new attempt', async () => {
  const { fake, sanad, order, deliver } = open()
  const first = await sanad.checkout.start(order)
  fake.advance(3_600_000)
  const second = await sanad.checkout.start(order)
  assert.notEqual(second.intent.id, first.intent.id)
  assert.ok((await deliver()).includes('payment.expired'))
})
