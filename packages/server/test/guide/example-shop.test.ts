/** The shop of `examples/shop`: it delivers for money, once, and for test money only in test mode. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { Sanad } from '@sanad/sdk'
import { createFakeSanad } from '@sanad/sdk/testing'

type Shop = { sanad: Sanad; secret: string; origin: () => string; testMode?: boolean; now: () => number }
const { openShop }: { openShop: (shop: Shop) => RequestListener } = await import(
  join(import.meta.dirname, '../../../../examples/shop/shop.js')
)

/** Buys in the shop, then pays a checkout with the number of that order, into the test wallet or a real one. */
const deliveredFor = async (wallet: 'test' | 'real', testMode: boolean): Promise<boolean> => {
  const fake = createFakeSanad()
  const sanad = new Sanad(fake.options)
  const { id } = fake.wallets.find(({ is_test }) => is_test === (wallet === 'test'))!
  const origin = 'https://shop.example.com'
  const shop = { sanad, secret: fake.signingSecret, origin: () => origin, now: fake.now }
  const server = createServer(openShop(testMode ? { ...shop, testMode } : shop)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    await fetch(`${url}/buy`, { method: 'POST', redirect: 'manual' })
    const checkout = await sanad.checkouts.create({ amount: '4500.00', external_order_id: 'A-1001', wallets: [id] })
    fake.pay({ checkout: checkout.id, wallet: id })
    const completed = (await fake.webhooks()).find(({ event }) => event.event === 'checkout.completed')!
    const { body, headers } = completed
    const answer = await fetch(`${url}/webhooks/sanad`, { method: 'POST', body, headers })
    assert.equal(answer.status, 204)
    return (await (await fetch(`${url}/orders/A-1001`)).text()).includes('Paid.')
  } finally {
    server.close()
  }
}

test('the example shop delivers for money, and for test money in test mode only', async () => {
  assert.equal(await deliveredFor('real', false), true)
  assert.equal(await deliveredFor('test', false), false)
  assert.equal(await deliveredFor('test', true), true)
})
