/**
 * Real orders in a real Medusa, paid by a simulated phone through the real service. `npm run test:medusa` installs and runs it.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Sanad } from '@sanad/sdk'
import { chromium } from 'playwright-core'
import { findChromium } from '../../../packages/dashboard/test/chromium.ts'
import { openSanad } from '../../running-sanad.ts'
import { refreshSession, refreshWaiting } from '../src/refresh.js'
import { openMedusa } from './shop.js'

const sanad = await openSanad()
const shop = await openMedusa({
  database: await sanad.newDatabase('medusa'),
  sanad: sanad.key,
  addEndpoint: sanad.addEndpoint,
})
const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`
const { build_ms, migrate_ms, start_ms } = shop.times
console.log(`administration ${seconds(build_ms)}, migrations ${seconds(migrate_ms)}, start ${seconds(start_ms)}`)
after(async () => {
  await shop.close()
  await sanad.close()
})

/** The payment status and the paid total, then for each payment its captures and refunds. */
const stateOf = (order) => {
  const payments = order.payment_collections.flatMap((collection) => collection.payments ?? [])
  const sum = (list) => (list ?? []).reduce((total, { amount }) => total + Number(amount), 0)
  const texts = payments.map(
    ({ amount, captures, refunds }) => `${amount} captured ${sum(captures)} refunded ${sum(refunds)}`,
  )
  return [order.payment_status, Number(order.summary.paid_total), ...texts.sort()]
}
/** Waits until the order has this state. */
const becomes = (id, ...expected) =>
  sanad
    .until(`${id}: ${expected}`, async () => {
      const order = await shop.orderOf(id)
      return stateOf(order).join() === expected.join() && order
    })
    .catch(async (fault) => {
      const order = await shop.orderOf(id)
      throw new Error(`${fault.message}; it is ${stateOf(order)}: ${JSON.stringify(order.payment_collections)}`)
    })
const sessionOf = async (id) => {
  const { data } = await shop.container
    .resolve('query')
    .graph({ entity: 'payment_session', fields: ['id', 'status', 'amount', 'data'], filters: { id } })
  return data[0]
}

test('hosted: the order is placed and waits, the buyer pays on the page, and the webhook captures it, once', async () => {
  const buyer = await shop.newBuyer()
  const session = await buyer.begin()
  assert.equal(session.data.amount, '1500.00')
  const order = await buyer.complete()
  assert.equal((await sessionOf(session.id)).status, 'pending_authorization')
  assert.deepEqual(stateOf(await shop.orderOf(order)), ['awaiting', 0])
  // An administrator tries to authorize before the money has arrived: nothing changes.
  const ask = () =>
    shop.admin('POST', `/orders/${order}/payment-sessions/authorize`, { payment_session_id: session.id })
  await ask().catch(() => {})
  assert.deepEqual(stateOf(await shop.orderOf(order)), ['awaiting', 0])

  await sanad.payOnPage(session.data.url, '1500')
  const paid = await becomes(order, 'captured', 1500, '1500 captured 1500 refunded 0')
  const [payment] = paid.payment_collections[0].payments
  assert.equal(payment.data.voucher, session.data.url)
  assert.equal(payment.data.status, 'COMPLETE')
  // The same webhook again, to both routes, and a reading: nothing changes.
  const { last } = shop.webhooks
  assert.equal((await shop.send(last)).status, 200)
  assert.equal((await shop.send(last, '/hooks/payment/sanad_sanad')).status, 200)
  await Promise.all([refreshSession(shop.container, session.id), refreshSession(shop.container, session.id)])
  assert.deepEqual(stateOf(await shop.orderOf(order)), ['captured', 1500, '1500 captured 1500 refunded 0'])
  // A forged webhook is refused.
  const forged = { body: Buffer.from(last.body.toString().replace('1500', '9500')), headers: last.headers }
  assert.equal((await shop.send(forged)).status, 400)

  // A refund is recorded, and a message asks the administration to send it by hand.
  await shop.admin('POST', `/payments/${payment.id}/refund`, { amount: 500, note: 'reference 990011223344' })
  const refunded = await becomes(order, 'partially_refunded', 1500, '1500 captured 1500 refunded 500')
  const { refunds } = refunded.payment_collections[0].payments[0].data
  assert.deepEqual([refunds.length, refunds[0].amount, refunds[0].by], [1, '500.00', 'hand'])
  await sanad.until('the message', async () => (await shop.messages()).some((one) => /by hand: 500\.00 YER/.test(one)))
})

test('hosted: paid before the cart is completed, the webhook places the order', async () => {
  const buyer = await shop.newBuyer()
  const session = await buyer.begin()
  await sanad.payOnPage(session.data.url, '1500')
  const order = await sanad.until('the order', () => shop.orderOfCart(buyer.cart))
  await becomes(order, 'captured', 1500, '1500 captured 1500 refunded 0')
})

test('after a lost webhook the next refresh captures the payment', async () => {
  const buyer = await shop.newBuyer()
  const session = await buyer.begin()
  const order = await buyer.complete()
  shop.webhooks.lost = true
  shop.webhooks.last = undefined
  await sanad.payOnPage(session.data.url, '1500')
  await sanad.until('the lost webhook', async () => shop.webhooks.last?.body.toString().includes('checkout.completed'))
  shop.webhooks.lost = false
  assert.deepEqual(stateOf(await shop.orderOf(order)), ['awaiting', 0])
  assert.ok((await refreshWaiting(shop.container, -60_000, Date.now())) > 0)
  await becomes(order, 'captured', 1500, '1500 captured 1500 refunded 0')
})

test('too little, then the rest: captured in full; a part when the page ends: captured for that part', async () => {
  const buyer = await shop.newBuyer()
  const { data } = await buyer.begin()
  const order = await buyer.complete()
  await sanad.payOnPage(data.url, '1000')
  await sanad.payRest(data.url, '500')
  await becomes(order, 'captured', 1500, '1500 captured 1500 refunded 0')

  const other = await shop.newBuyer()
  const part = await other.begin()
  const partly = await other.complete()
  await sanad.payOnPage(part.data.url, '1000')
  // The buyer chooses to pay the rest, which books what arrived, and never does.
  const rest = { method: 'POST', body: new URLSearchParams(), redirect: /** @type {const} */ ('manual') }
  assert.equal((await fetch(`${part.data.url}/rest/`, rest)).status, 303)
  await sanad.expire(part.data.sanad_id)
  const after = await becomes(partly, 'partially_captured', 1000, '1000 captured 1000 refunded 0')
  assert.equal(Number(after.summary.pending_difference), 500)
  assert.ok((await shop.messages()).some((one) => one.includes('1000.00 of 1500.00 YER arrived')))
})

test('hosted: another amount arrived and the page ended: a message says which amount', async () => {
  const buyer = await shop.newBuyer()
  const session = await buyer.begin()
  await buyer.complete()
  await sanad.payOnPage(session.data.url, '1410')
  await sanad.expire(session.data.sanad_id)
  await sanad.until('refused', async () => (await sessionOf(session.id)).status === 'error')
  await sanad.until('the message', async () =>
    (await shop.messages()).some((one) => one.includes('1410.00 YER instead of 1500.00')),
  )
})

test('expired: the session is cancelled; late money that a member books is captured; the buyer can also pay again', async () => {
  const buyer = await shop.newBuyer()
  const session = await buyer.begin()
  const order = await buyer.complete()
  const reference = sanad.newReference()
  for (const [path, fields] of [
    ['wallet', { wallet: sanad.demo.wallets.main }],
    ['reference', { reference }],
  ])
    await fetch(`${session.data.url}/${path}/`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      redirect: 'manual',
    })
  await sanad.expire(session.data.sanad_id)
  await sanad.until('cancelled', async () => (await sessionOf(session.id)).status === 'canceled')
  assert.deepEqual(stateOf(await shop.orderOf(order)).slice(1), [0])
  // The money comes too late, and a member books it to the order in Sanad's dashboard.
  await sanad.report('1500', reference)
  const headers = { authorization: `Bearer ${sanad.demo.dashboard.user_token}` }
  const read = async (path) =>
    (await (await fetch(`${sanad.origin}/api/v1/dashboard${path}`, { headers })).json()).results
  const alert = (await read('/unmatched/')).find((one) => JSON.stringify(one).includes(reference))
  const [intent] = await read(`/intents/?external_order_id=${session.id}`)
  const amounts = { alert_amount: '1500.00', intent_amount: '1500.00' }
  await sanad.dashboard(`/unmatched/${alert.id}/book-copy/`, { intent: intent.id, ...amounts })
  const paid = await becomes(order, 'captured', 1500, '1500 captured 1500 refunded 0')
  const [payment] = paid.payment_collections[0].payments
  assert.equal(payment.data.booked, true)
  assert.match(payment.data.voucher, /\/intents\//)

  const other = await shop.newBuyer()
  const first = await other.begin()
  const again = await other.complete()
  await sanad.expire(first.data.sanad_id)
  await sanad.until('cancelled', async () => (await sessionOf(first.id)).status === 'canceled')
  const second = await other.begin()
  await sanad.payOnPage(second.data.url, '1500')
  await becomes(again, 'captured', 1500, '1500 captured 1500 refunded 0')
})

test('cancelled: the page of a cancelled order, or of a basket that has changed, can no longer be paid', async () => {
  const buyer = await shop.newBuyer()
  const { data } = await buyer.begin()
  const order = await buyer.complete()
  await shop.admin('POST', `/orders/${order}/cancel`)
  await sanad.until('closed', async () => (await sessionOf(data.session_id)).status === 'canceled')
  await assert.rejects(sanad.payOnPage(data.url, '1500'))

  // An intent of the storefront's own page cannot be closed: money that still arrives is recorded, with a message.
  const late = await shop.newBuyer()
  const intent = await late.begin('pp_sanad_own', { wallet: sanad.demo.wallets.main })
  const cancelled = await late.complete()
  const reference = sanad.newReference()
  await shop.store('POST', '/sanad/reference', { payment_session_id: intent.id, reference })
  await shop.admin('POST', `/orders/${cancelled}/cancel`)
  await sanad.report('1500', reference)
  await sanad.until('the message', async () =>
    (await shop.messages()).some((one) => one.includes('cancelled order') && one.includes(intent.id)),
  )
  assert.equal(stateOf(await shop.orderOf(cancelled)).at(-1), '1500 captured 1500 refunded 0')

  const other = await shop.newBuyer()
  const first = await other.begin()
  const second = await other.begin()
  await assert.rejects(sanad.payOnPage(first.data.url, '1500'))
  await sanad.payOnPage(second.data.url, '1500')
  const placed = await sanad.until('the order', () => shop.orderOfCart(other.cart))
  await becomes(placed, 'captured', 1500, '1500 captured 1500 refunded 0')
  // A paid session cannot be deleted: a new payment is refused, and the old one stays.
  await assert.rejects(other.begin(), /Could not delete all payment sessions/)
  const { payment_collections } = await becomes(placed, 'captured', 1500, '1500 captured 1500 refunded 0')
  assert.deepEqual(
    payment_collections[0].payment_sessions.map(({ id }) => id),
    [second.id],
  )
})

test('late money for a session that Medusa has deleted is reported in a message, and pays nothing else', async () => {
  const buyer = await shop.newBuyer()
  const wallet = sanad.demo.wallets.main
  const first = await buyer.begin('pp_sanad_own', { wallet })
  const reference = sanad.newReference()
  await shop.store('POST', '/sanad/reference', { payment_session_id: first.id, reference })
  // The basket changes: Medusa deletes the session and makes another. The intent of the first cannot be cancelled.
  const second = await buyer.begin('pp_sanad_own', { wallet })
  assert.equal(await sessionOf(first.id), undefined)
  const order = await buyer.complete()
  await sanad.report('1500', reference)
  await sanad.until('the message', async () =>
    (await shop.messages()).some(
      (one) =>
        one.startsWith('Money without a payment session: 1500.00 YER arrived.') &&
        one.includes(first.id) &&
        one.includes(`/intents/${first.data.sanad_id}`),
    ),
  )
  assert.equal((await sessionOf(second.id)).status, 'pending_authorization')
  assert.deepEqual(stateOf(await shop.orderOf(order)), ['awaiting', 0])
  // The buyer pays the new session too: that one pays the order.
  const again = sanad.newReference()
  await shop.store('POST', '/sanad/reference', { payment_session_id: second.id, reference: again })
  await sanad.report('1500', again)
  await becomes(order, 'captured', 1500, '1500 captured 1500 refunded 0')
})

test('own page: the right amount is captured, a wrong or empty reference and a wrong amount are not', async () => {
  const { wallets } = await shop.store('GET', '/sanad/wallets?provider_id=pp_sanad_own')
  const wallet = wallets.find((one) => one.id === sanad.demo.wallets.main)
  const attach = (session, reference) =>
    shop.store('POST', '/sanad/reference', { payment_session_id: session.id, reference })
  const buyer = await shop.newBuyer()
  await assert.rejects(buyer.begin('pp_sanad_own'), /Choose a wallet/)
  const session = await buyer.begin('pp_sanad_own', { wallet: wallet.id })
  assert.equal(session.data.account_number, wallet.account_number)
  const order = await buyer.complete()
  for (const wrong of ['', '  ', 'x'.repeat(129)]) await assert.rejects(attach(session, wrong), /1 to 128/)
  assert.equal((await attach(session, `  ${'😀'.repeat(128)} `)).status, 'PENDING')
  assert.equal((await attach(session, 'WRONG-ONE')).status, 'PENDING')
  const reference = sanad.newReference()
  assert.equal((await attach(session, reference)).status, 'PENDING')
  await sanad.report('1500', reference)
  await becomes(order, 'captured', 1500, '1500 captured 1500 refunded 0')

  const other = await shop.newBuyer()
  const short = await other.begin('pp_sanad_own', { wallet: wallet.id })
  const unpaid = await other.complete()
  await assert.rejects(attach(short, reference), /already has this reference/)
  const wrong = sanad.newReference()
  await sanad.report('1400', wrong)
  assert.deepEqual(await attach(short, wrong), { status: 'WRONG_AMOUNT', outcome: 'wrong', arrived: '1400.00' })
  assert.equal((await sessionOf(short.id)).status, 'error')
  assert.deepEqual(stateOf(await shop.orderOf(unpaid)).slice(1), [0])
  assert.ok((await shop.messages()).some((one) => one.includes('1400.00 YER instead of 1500.00')))
})

test('own page: the amount of a session changes, and the first intent is paid: the money is recorded, once', async () => {
  const buyer = await shop.newBuyer()
  const session = await buyer.begin('pp_sanad_own', { wallet: sanad.demo.wallets.main })
  const order = await buyer.complete()
  const { data } = await sessionOf(session.id)
  const payments = shop.container.resolve('payment')
  await payments.updatePaymentSession({ id: session.id, amount: 1600, currency_code: 'yer', data, context: {} })
  const changed = await sessionOf(session.id)
  assert.equal(changed.data.amount, '1600.00')
  assert.notEqual(changed.data.sanad_id, data.sanad_id)
  const reference = sanad.newReference()
  await new Sanad(sanad.key).intents.attachReference(data.sanad_id, reference)
  await sanad.report('1500', reference)
  await becomes(order, 'captured', 1500, '1500 captured 1500 refunded 0')
  await refreshSession(shop.container, session.id)
  await becomes(order, 'captured', 1500, '1500 captured 1500 refunded 0')
})

const client = new Sanad(sanad.key)
const payOnTestWallet = (amount, reference) =>
  sanad.dashboard('/test-payment/', { wallet: sanad.demo.wallets.test, amount, reference })
const testReference = () => `TEST-${sanad.newReference()}`
/** Waits for the message about test money that names this session or intent. Returns how many there are. */
const testMessages = (amount, named) =>
  sanad.until(`the message about test money: ${named}`, async () => {
    const text = `Test money: ${amount} YER of test money arrived and was not counted`
    return (await shop.messages()).filter((one) => one.startsWith(text) && one.includes(named)).length
  })

test('test money captures nothing: not by webhook, job, capture or storefront, and one message says so', async () => {
  const wallet = sanad.demo.wallets.test
  const buyer = await shop.newBuyer()
  const session = await buyer.begin('pp_sanad_own', { wallet })
  const order = await buyer.complete()
  const reference = testReference()
  await payOnTestWallet('1500.00', reference)
  const answer = await shop.store('POST', '/sanad/reference', { payment_session_id: session.id, reference })
  assert.deepEqual(answer, { status: 'TEST', outcome: 'test', arrived: '0.00' })
  assert.equal((await client.intents.retrieve(session.data.sanad_id)).status, 'VERIFIED')
  assert.equal(await testMessages('1500.00', session.id), 1)
  assert.equal((await sessionOf(session.id)).status, 'error')
  await shop
    .admin('POST', `/orders/${order}/payment-sessions/authorize`, { payment_session_id: session.id })
    .catch(() => {})
  await refreshSession(shop.container, session.id)
  assert.deepEqual(stateOf(await shop.orderOf(order)).slice(1), [0])
  assert.equal(await testMessages('1500.00', session.id), 1)

  // The webhook is lost, and the job reads it; another amount of test money is no other amount.
  const other = await shop.newBuyer()
  const waiting = await other.begin('pp_sanad_own', { wallet })
  const unpaid = await other.complete()
  const short = testReference()
  await client.intents.attachReference(waiting.data.sanad_id, short)
  shop.webhooks.lost = true
  await payOnTestWallet('1400.00', short)
  await sanad.until('the lost webhook', async () => shop.webhooks.last?.body.toString().includes(waiting.id))
  shop.webhooks.lost = false
  assert.ok((await refreshWaiting(shop.container, -60_000, Date.now())) > 0)
  assert.equal(await testMessages('1400.00', waiting.id), 1)
  assert.ok((await shop.messages()).every((one) => !one.includes('1400.00 YER instead') || !one.includes(waiting.id)))
  assert.deepEqual(stateOf(await shop.orderOf(unpaid)).slice(1), [0])
  // The buyer can still pay with money.
  const real = await other.begin()
  await sanad.payOnPage(real.data.url, '1500')
  await becomes(unpaid, 'captured', 1500, '1500 captured 1500 refunded 0')
})

test('test money of another intent of the session, accepted or not, captures nothing', async () => {
  const buyer = await shop.newBuyer()
  const session = await buyer.begin()
  const order = await buyer.complete()
  for (const [amount, isAccepted] of [
    ['1500.00', false],
    ['1400.00', true],
  ]) {
    const body = { wallet: sanad.demo.wallets.test, amount: '1500.00', external_order_id: session.id }
    const { id } = await client.intents.create(body)
    const reference = testReference()
    await client.intents.attachReference(id, reference)
    await payOnTestWallet(amount, reference)
    if (isAccepted) await sanad.dashboard(`/intents/${id}/accept-paid/`, { paid_amount: amount })
    await testMessages(amount, session.id)
  }
  await refreshSession(shop.container, session.id)
  assert.equal(await testMessages('1500.00', session.id), 1)
  assert.deepEqual(stateOf(await shop.orderOf(order)), ['awaiting', 0])
  // A cancelled order: no message asks to refund test money.
  await shop.admin('POST', `/orders/${order}/cancel`)
  await sanad.until('closed', async () => (await sessionOf(session.id)).status === 'canceled')
  assert.ok(!(await shop.messages()).some((one) => one.includes('cancelled order') && one.includes(session.id)))
})

test('with testMode the page offers the test wallet, and its money is captured', async () => {
  const { wallets } = await shop.store('GET', '/sanad/wallets?provider_id=pp_sanad_own')
  assert.ok(wallets.every(({ id }) => id !== sanad.demo.wallets.test))
  const buyer = await shop.newBuyer()
  const session = await buyer.begin('pp_sanad_test')
  const order = await buyer.complete()
  const reference = testReference()
  for (const [path, fields] of [
    ['wallet', { wallet: sanad.demo.wallets.test }],
    ['reference', { reference }],
  ]) {
    const sent = { method: 'POST', body: new URLSearchParams(fields), redirect: /** @type {const} */ ('manual') }
    assert.equal((await fetch(`${session.data.url}/${path}/`, sent)).status, 303)
  }
  await payOnTestWallet('1500.00', reference)
  await becomes(order, 'captured', 1500, '1500 captured 1500 refunded 0')
})

test('less that a member accepts while the page is open is captured for what arrived', async () => {
  const buyer = await shop.newBuyer()
  const { data } = await buyer.begin()
  const order = await buyer.complete()
  await sanad.payOnPage(data.url, '1420')
  const [intent] = (await client.checkouts.retrieve(data.sanad_id)).intents
  await sanad.dashboard(`/intents/${intent.id}/accept-paid/`, { paid_amount: '1420.00' })
  await becomes(order, 'partially_captured', 1420, '1420 captured 1420 refunded 0')
})

test('administration: the page of an order shows the voucher as a link', async () => {
  const buyer = await shop.newBuyer()
  const session = await buyer.begin()
  const order = await buyer.complete()
  const { email, password } = await shop.newAdministrator()
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] })
  try {
    const page = await browser.newPage({ locale: 'en-US', viewport: { width: 1440, height: 1600 } })
    await page.goto(`${shop.origin}/app/login`)
    await page.locator('input[name=email]').fill(email)
    await page.locator('input[name=password]').fill(password)
    await page.locator('button[type=submit]').click()
    await page.waitForURL((url) => !url.pathname.endsWith('/login'))
    await page.goto(`${shop.origin}/app/orders/${order}`)
    const link = page.getByRole('link', { name: 'Voucher' })
    await link.waitFor().catch(async (fault) => {
      throw new Error(`${page.url()}: ${await page.locator('body').innerText()}`, { cause: fault })
    })
    assert.equal(await link.getAttribute('href'), session.data.voucher)
    await page.getByText('1500.00 YER · Waiting for the payment').waitFor()
    await sanad.payOnPage(session.data.url, '1500')
    await becomes(order, 'captured', 1500, '1500 captured 1500 refunded 0')
    await page.reload()
    await page.getByText(/^Reference \d{12}$/).waitFor()
    /** Takes a picture, if a folder is set. @param {string} name */
    const take = async (name) => {
      const folder = process.env.SANAD_TEST_PICTURES
      if (folder !== undefined) await page.screenshot({ path: `${folder}/medusa-order-${name}.png`, fullPage: true })
    }
    await take('en')
    await page.evaluate(() => {
      localStorage.setItem('lng', 'ar')
      localStorage.setItem('medusa_admin_theme', 'dark')
    })
    await page.context().clearCookies({ name: 'lng' })
    await page.setViewportSize({ width: 390, height: 1200 })
    await page.reload()
    await page.getByRole('link', { name: 'إيصال الدفع' }).waitFor()
    await take('ar')
  } finally {
    await browser.close()
  }
})
