/** Rate limits while a buyer sends a form: the script is told when to try again, a browser without scripts is led back to the page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCheckouts } from './checkout-story.ts'

const service = await openCheckouts({ SANAD_LIMITS: '{"pay_change": {"burst": 3}}' })
const { clock, demo, newCheckout, open, send, shopPhone, submit } = service
await shopPhone.heartbeat()

test('too many forms: the script gets 429 with the time to wait, and the same form is accepted afterwards', async () => {
  const { page } = await newCheckout()
  await send(`${page}/wallet/`, { wallet: demo.wallets.main })
  for (let n = 0; n < 2; n++) await send(`${page}/reference/`, { reference: '' })
  const refused = await send(`${page}/reference/`, { reference: '820000000001' })
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) >= 1)
  const browser = await submit(`${page}/reference/`, { reference: '820000000001' })
  assert.equal(browser.status, 303)
  const shown = await open(String(browser.headers.location))
  assert.match(shown.text, /Too many requests\. Wait a little/)
  assert.ok(shown.text.includes('>820000000001</textarea>'))
  clock.advance(61_000)
  assert.equal((await send(`${page}/reference/`, { reference: '820000000001' })).status, 303)
})
