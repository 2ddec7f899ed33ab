/** The example shop (examples/shop) in a real browser, against the real service: from the order to the receipt. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { Sanad } from '@sanad/sdk'
import { phone as phoneOf } from '../../../server/test/support/phone.ts'
import { purchaseText } from '../../../server/test/support/sms-texts.ts'
import { askAt } from '../../../server/test/support/story.ts'
import { expectGood, expectNoFaults, openDashboard, phone } from '../browser.ts'

type Shop = { sanad: Sanad; secret: string; origin: () => string; now: () => number }
const { openShop }: { openShop: (shop: Shop) => RequestListener } = await import(
  join(import.meta.dirname, '../../../../examples/shop/shop.js')
)

const { service, open } = await openDashboard()
const { clock, demo } = service
const shopPhone = phoneOf(service.origin, clock.now, demo.device)
await shopPhone.heartbeat()
const sender = await service.startNode()
sender.service.work()

const server = createServer()
server.listen(0, '127.0.0.1')
await once(server, 'listening')
after(() => {
  server.closeAllConnections()
  server.close()
})
const shop = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

test('a buyer pays on the page and is sent back to the shop; the webhook marks the order as paid', async () => {
  const endpoint = await askAt(`${service.origin}/api/v1/dashboard/webhooks/`, 'POST', {
    token: demo.dashboard.user_token,
    body: { url: `${shop}/webhooks/sanad`, kinds: ['checkout.completed'] },
  })
  assert.equal(endpoint.status, 201, endpoint.text)
  // The shop's own requests never show the payment: only the webhook can report it.
  let reads = 0
  const sanad = new Sanad({
    baseUrl: service.origin,
    clientId: demo.client_id,
    clientSecret: demo.client_secret,
    fetch: (url, init) => {
      if (init.method !== 'GET') return fetch(url, init)
      reads++
      return Promise.resolve(Response.json({ id: 'x', status: 'OPEN' }))
    },
  })
  server.on('request', openShop({ sanad, secret: endpoint.body.secret, origin: () => shop, now: clock.now }))

  const page = await open({ ...phone, language: 'en' })
  await page.goto(shop)
  await expectGood(page, 'the shop')
  await page.getByRole('button', { name: 'Buy' }).click()
  await page.getByText('4,500 YER').first().waitFor()
  await page.getByRole('button', { name: 'Main wallet' }).click()
  await page.getByRole('textbox').fill('990000000777')
  await page.getByRole('button', { name: 'Send the number' }).click()
  await page.getByRole('heading', { name: 'We are looking for your payment' }).waitFor()
  const received_at = Math.floor(clock.now() / 1000)
  const text = purchaseText('4500', '990000000777')
  const report = { client_id: randomUUID(), kind: 'sms', sender: 'Jawali', text, sim_slot: 'SIM1', received_at }
  assert.equal((await shopPhone.alerts([report])).status, 200)

  await page.waitForURL(`${shop}/orders/A-1001?checkout=*`)
  await page.getByText('Paid. Thank you!').waitFor()
  await expectNoFaults(page, 'the receipt')
  assert.ok(reads <= 5, `${reads} requests for the checkout`)
})
