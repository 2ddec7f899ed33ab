/**
 * Real orders in a real Vendure, paid by a simulated phone through the real service. `npm run test:plugins` installs and runs it.
 */
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { Sanad } from '@sanad/sdk'
import pg from 'pg'
import { openSanad } from '../../running-sanad.ts'
import { SanadPlugin } from '../src/plugin.js'
import { freePort, openVendure } from './shop.js'

const sanad = await openSanad()
const secret = []
const { plugin, payments } = SanadPlugin.open({ ...sanad.key, webhookSecret: secret })
const database = await sanad.newDatabase('vendure')
const shop = await openVendure([plugin], database)
secret.push(await sanad.addEndpoint(`${shop.origin}/sanad/webhooks`))
after(async () => {
  await shop.app.close()
  await sanad.close()
})

const stateOf = (order) => [order.state, ...order.payments.map((one) => `${one.state} ${one.amount}`)]
/** Waits until the order has this state. */
const becomes = (code, ...expected) =>
  sanad
    .until(`${code}: ${expected}`, async () => {
      const order = await shop.orderOf(code)
      return stateOf(order).join() === expected.join() && order
    })
    .catch(async (fault) => {
      throw new Error(`${fault.message}; it is ${stateOf(await shop.orderOf(code))}`)
    })
const notes = (order) => order.history.items.filter(({ type }) => type === 'ORDER_NOTE').map(({ data }) => data.note)

test('hosted: the order waits, the buyer pays on the page, and the webhook settles it, once', async () => {
  const buyer = await shop.newBuyer()
  const added = await buyer.pay('sanad')
  assert.equal(added.state, 'ArrangingPayment', JSON.stringify(added))
  const { url } = added.payments[0].metadata.public
  assert.equal(added.payments[0].metadata.voucher, undefined, 'the buyer sees the public part alone')
  assert.deepEqual(stateOf(await shop.orderOf(buyer.code)), ['ArrangingPayment', 'AwaitingTransfer 150000'])
  // Nobody can settle it by hand before the money has arrived, and a second payment is refused.
  const [waiting] = (await shop.orderOf(buyer.code)).payments
  const settle = await shop.admin(
    `mutation ($id: ID!) { settlePayment(id: $id) { __typename ... on ErrorResult { message } } }`,
    { id: waiting.id },
  )
  assert.notEqual(settle.settlePayment.__typename, 'Payment')
  const again = await buyer.pay('sanad')
  assert.equal(again.__typename, 'PaymentDeclinedError')

  await sanad.payOnPage(url, '1500')
  const order = await becomes(buyer.code, 'PaymentSettled', 'Settled 150000', 'Declined 0')
  assert.equal(order.payments[0].metadata.voucher, url)
  assert.equal(order.payments[0].metadata.status, 'COMPLETE')
  // Repeated events change nothing.
  await payments().onEvent({ event: 'checkout.completed', checkout_id: order.payments[0].transactionId })
  assert.deepEqual(stateOf(await shop.orderOf(buyer.code)), ['PaymentSettled', 'Settled 150000', 'Declined 0'])

  // A refund is made by hand: it is Pending until the administrator enters the reference of the transfer.
  const { refundOrder } = await shop.admin(
    `mutation ($id: ID!) { refundOrder(input: { paymentId: $id, amount: 50000, lines: [], shipping: 0, adjustment: 0 }) {
      __typename ... on Refund { id state total metadata } ... on ErrorResult { message } } }`,
    { id: order.payments[0].id },
  )
  assert.deepEqual([refundOrder.state, refundOrder.total], ['Pending', 50000], JSON.stringify(refundOrder))
  const { settleRefund } = await shop.admin(
    `mutation ($id: ID!) { settleRefund(input: { id: $id, transactionId: "990011223344" }) {
      ... on Refund { state transactionId } } }`,
    { id: refundOrder.id },
  )
  assert.deepEqual(settleRefund, { state: 'Settled', transactionId: '990011223344' })
})

test('too little, then the rest: settled in full; a part when the page ends: settled for that part', async () => {
  const buyer = await shop.newBuyer()
  const { url } = (await buyer.pay('sanad')).payments[0].metadata.public
  await sanad.payOnPage(url, '1000')
  await sanad.payRest(url, '500')
  const whole = await becomes(buyer.code, 'PaymentSettled', 'Settled 150000')
  assert.doesNotMatch(notes(whole).join(), /besides/)

  const other = await shop.newBuyer()
  const payment = (await other.pay('sanad')).payments[0]
  await sanad.payOnPage(payment.metadata.public.url, '1000')
  // The buyer chooses to pay the rest, which books what arrived, and never does.
  const rest = await fetch(`${payment.metadata.public.url}/rest/`, {
    method: 'POST',
    body: new URLSearchParams(),
    redirect: 'manual',
  })
  assert.equal(rest.status, 303)
  await sanad.expire(payment.transactionId)
  const order = await becomes(other.code, 'ArrangingPayment', 'Settled 100000')
  assert.match(notes(order).join(), /1000\.00 of 1500\.00 YER arrived/)
  // What the page has booked already counts for the page: it pays nothing a second time.
  const { intents } = order.payments[0].metadata
  assert.equal(intents.length, 3)
  for (const sanadIntent of intents)
    assert.equal((await other.pay('sanad', { sanadIntent })).__typename, 'PaymentDeclinedError')
  // The order asks for what is missing.
  const second = (await other.pay('sanad')).payments.find((one) => one.state === 'AwaitingTransfer')
  assert.equal(second.amount, 50000)
  await sanad.payOnPage(second.metadata.public.url, '500')
  const declined = intents.map(() => 'Declined 0')
  await becomes(other.code, 'PaymentSettled', 'Settled 100000', ...declined, 'Settled 50000')
})

test('expired without money: cancelled, and the buyer can pay again; late money that a member books is settled', async () => {
  const buyer = await shop.newBuyer()
  const first = (await buyer.pay('sanad')).payments[0]
  const { url } = first.metadata.public
  const reference = sanad.newReference()
  for (const [path, fields] of [
    ['wallet', { wallet: sanad.demo.wallets.main }],
    ['reference', { reference }],
  ])
    await fetch(`${url}/${path}/`, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
  await sanad.expire(first.transactionId)
  await becomes(buyer.code, 'ArrangingPayment', 'Cancelled 150000')
  // The money comes too late, and a member books it to the order in Sanad's dashboard.
  await sanad.report('1500', reference)
  const answer = await fetch(`${sanad.origin}/api/v1/dashboard/unmatched/`, {
    headers: { authorization: `Bearer ${sanad.demo.dashboard.user_token}` },
  })
  const { results } = await answer.json()
  const alert = results.find((one) => JSON.stringify(one).includes(reference))
  const intents = await fetch(`${sanad.origin}/api/v1/dashboard/intents/?external_order_id=${buyer.code}`, {
    headers: { authorization: `Bearer ${sanad.demo.dashboard.user_token}` },
  })
  const [intent] = (await intents.json()).results
  const amounts = { alert_amount: '1500.00', intent_amount: '1500.00' }
  await sanad.dashboard(`/unmatched/${alert.id}/book-copy/`, { intent: intent.id, ...amounts })
  const order = await becomes(buyer.code, 'PaymentSettled', 'Cancelled 150000', 'Settled 150000')
  assert.equal(order.payments[1].metadata.booked, true)
  assert.match(order.payments[1].metadata.voucher, /\/intents\//)
})

test('booked money whose event was lost is settled when the buyer wants to pay again: no second page', async () => {
  const buyer = await shop.newBuyer()
  const { transactionId, metadata } = (await buyer.pay('sanad')).payments[0]
  await sanad.payOnPage(metadata.public.url, '1400')
  await sanad.expire(transactionId)
  const order = await becomes(buyer.code, 'ArrangingPayment', 'Declined 150000')
  // Until the booking is read, this server gets no events: they are refused, as if its secret were wrong.
  const kept = secret.splice(0, secret.length, 'another')
  try {
    const [intent] = order.payments[0].metadata.intents
    await sanad.dashboard(`/intents/${intent}/accept-paid/`, { paid_amount: '1400.00' })
    const added = await buyer.pay('sanad')
    assert.equal(added.__typename, 'Order', JSON.stringify(added))
    assert.deepEqual(stateOf(await shop.orderOf(buyer.code)), ['ArrangingPayment', 'Declined 150000', 'Settled 140000'])
  } finally {
    secret.splice(0, secret.length, ...kept)
  }
  // The rest is asked for once, and the event that comes later adds nothing.
  const rest = (await buyer.pay('sanad')).payments.find((one) => one.state === 'AwaitingTransfer')
  assert.equal(rest.amount, 10000)
  await sanad.payOnPage(rest.metadata.public.url, '100')
  await becomes(buyer.code, 'PaymentSettled', 'Declined 150000', 'Settled 140000', 'Settled 10000')
})

test('two servers that learn of the money at the same time settle the payment once', async () => {
  const port = await freePort()
  const webhookSecret = await sanad.addEndpoint(`http://127.0.0.1:${port}/sanad/webhooks`)
  const options = { ...sanad.key, webhookSecret }
  const env = { ...process.env, SECOND_SERVER: JSON.stringify({ database, options, port }) }
  const second = fork(new URL('second-server.js', import.meta.url), { env })
  const { host, username: user } = database
  const [locker, watcher] = [1, 2].map(() => new pg.Client({ host, user, database: database.database }))
  await Promise.all([locker.connect(), watcher.connect()])
  try {
    await once(second, 'message')
    const buyer = await shop.newBuyer()
    const [payment] = (await buyer.pay('sanad')).payments
    // Both servers must be in the middle of their work, by webhook and by refresh, before either can finish it.
    await locker.query('begin')
    await locker.query('select id from "order" where code = $1 for update', [buyer.code])
    await sanad.payOnPage(payment.metadata.public.url, '1500')
    const client = new Sanad(sanad.key)
    await sanad.until(
      'the page is paid',
      async () => (await client.checkouts.retrieve(payment.transactionId)).status === 'COMPLETE',
    )
    const refreshed = once(second, 'message')
    const here = payments().refresh(payment.id)
    second.send(payment.id)
    await sanad.until('both servers wait for the order', async () => {
      const text = `select count(*)::int as n from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`
      const { rows } = await watcher.query(text, [database.database])
      return rows[0].n >= 2
    })
    await locker.query('commit')
    const [[{ state }], own] = await Promise.all([refreshed, here])
    assert.deepEqual([state, own], ['Settled', 'Settled'])
    const order = await becomes(buyer.code, 'PaymentSettled', 'Settled 150000')
    const settled = order.history.items.filter(
      ({ type, data }) => type === 'ORDER_PAYMENT_TRANSITION' && data.to === 'Settled',
    )
    assert.equal(settled.length, 1, JSON.stringify(order.history.items))
    assert.match(notes(order).join(), /^1500\.00 YER arrived\. Voucher: http[^ ]+$/)
  } finally {
    await Promise.all([locker.end(), watcher.end()])
    second.kill()
    await once(second, 'exit')
  }
})

test('hosted: another amount arrived and the page ended: a note reports it, and a member may accept it', async () => {
  const buyer = await shop.newBuyer()
  const payment = (await buyer.pay('sanad')).payments[0]
  await sanad.payOnPage(payment.metadata.public.url, '1400')
  await sanad.expire(payment.transactionId)
  const order = await becomes(buyer.code, 'ArrangingPayment', 'Declined 150000')
  assert.match(notes(order).join(), /^1400\.00 YER arrived instead of 1500\.00\./)
  await payments().onEvent({ event: 'checkout.expired', checkout_id: payment.transactionId })
  assert.equal(notes(await shop.orderOf(buyer.code)).length, 1)
  const [intent] = order.payments[0].metadata.intents
  await sanad.dashboard(`/intents/${intent}/accept-paid/`, { paid_amount: '1400.00' })
  await becomes(buyer.code, 'ArrangingPayment', 'Declined 150000', 'Settled 140000')
  // The rest, with another amount before the right one: the order is paid, and a note reports the other amount.
  const rest = (await buyer.pay('sanad')).payments.find((one) => one.state === 'AwaitingTransfer')
  await sanad.payOnPage(rest.metadata.public.url, '120')
  await sanad.payOnPage(rest.metadata.public.url, '100')
  const paid = await becomes(buyer.code, 'PaymentSettled', 'Declined 150000', 'Settled 140000', 'Settled 10000')
  assert.match(notes(paid).join(), /120\.00 YER arrived besides/)
})

const cancelPayment = async (id) =>
  (
    await shop.admin(
      `mutation ($id: ID!) { cancelPayment(id: $id) { __typename
        ... on CancelPaymentError { paymentErrorMessage } ... on ErrorResult { message } } }`,
      { id },
    )
  ).cancelPayment

test('own page: a payment whose money has arrived cannot be cancelled', async () => {
  const { host, username: user } = database
  const locker = new pg.Client({ host, user, database: database.database })
  await locker.connect()
  try {
    const buyer = await shop.newBuyer()
    const [payment] = (await buyer.pay('sanad-own', { wallet: sanad.demo.wallets.main })).payments
    // The cancellation waits for the order's row, and the money arrives meanwhile.
    await locker.query('begin')
    await locker.query('select id from "order" where code = $1 for update', [buyer.code])
    const cancelled = cancelPayment(payment.id)
    await sanad.until('the cancellation waits for the order', async () => {
      const text = `select 1 from pg_stat_activity where datname = $1 and wait_event_type = 'Lock'`
      return (await locker.query(text, [database.database])).rows.length > 0
    })
    const reference = sanad.newReference()
    await sanad.report('1500', reference)
    const { status } = await new Sanad(sanad.key).intents.attachReference(payment.transactionId, reference)
    assert.equal(status, 'VERIFIED')
    await locker.query('commit')
    const answer = await cancelled
    assert.equal(answer.__typename, 'CancelPaymentError', JSON.stringify(answer))
    await becomes(buyer.code, 'PaymentSettled', 'Settled 150000')
  } finally {
    await locker.end()
  }
})

test('own page: money that arrives after the payment was cancelled is reported by one note', async () => {
  for (const [amount, expected] of [
    ['1500', /^1500\.00 YER arrived although the payment is Cancelled\./],
    ['1400', /^1400\.00 YER arrived although the payment is Cancelled\./],
  ]) {
    const buyer = await shop.newBuyer()
    const [payment] = (await buyer.pay('sanad-own', { wallet: sanad.demo.wallets.main })).payments
    const reference = sanad.newReference()
    await buyer.ask(`mutation ($reference: String!) { attachSanadReference(reference: $reference) { status } }`, {
      reference,
    })
    assert.equal((await cancelPayment(payment.id)).__typename, 'Payment')
    await sanad.report(amount, reference)
    const noted = await sanad.until('the note', async () => {
      const written = notes(await shop.orderOf(buyer.code))
      return written.length > 0 && written
    })
    assert.match(noted.join(), expected)
    await payments().onEvent({ event: 'payment.verified', intent_id: payment.transactionId })
    const order = await becomes(buyer.code, 'ArrangingPayment', 'Cancelled 150000')
    assert.equal(notes(order).length, 1)
  }
})

test('own page: money for a cancelled payment whose event was lost is found by the task, and noted once', async () => {
  const kept = secret.splice(0, secret.length, 'another')
  try {
    const buyer = await shop.newBuyer()
    const [payment] = (await buyer.pay('sanad-own', { wallet: sanad.demo.wallets.main })).payments
    const reference = sanad.newReference()
    assert.equal((await cancelPayment(payment.id)).__typename, 'Payment')
    await new Sanad(sanad.key).intents.attachReference(payment.transactionId, reference)
    await sanad.report('1500', reference)
    assert.deepEqual(notes(await shop.orderOf(buyer.code)), [])
    for (let runs = 0; runs < 2; runs++) assert.ok((await payments().refreshWaiting(-60_000)).ended > 0)
    const order = await becomes(buyer.code, 'ArrangingPayment', 'Cancelled 150000')
    assert.equal(notes(order).length, 1)
    assert.match(notes(order).join(), /^1500\.00 YER arrived although the payment is Cancelled\./)
  } finally {
    secret.splice(0, secret.length, ...kept)
  }
})

test('the scheduled task is in the list of the administration, and can be run from there', async () => {
  const { scheduledTasks } = await shop.admin('{ scheduledTasks { id enabled } }')
  assert.deepEqual(
    scheduledTasks.filter(({ id }) => id === 'sanad-refresh-payments'),
    [{ id: 'sanad-refresh-payments', enabled: true }],
  )
  await shop.admin('mutation { runScheduledTask(id: "sanad-refresh-payments") { success } }')
  await sanad.until('the task has run', async () => {
    const { scheduledTasks: tasks } = await shop.admin('{ scheduledTasks { id lastResult } }')
    const { lastResult } = tasks.find(({ id }) => id === 'sanad-refresh-payments')
    return lastResult !== null && typeof lastResult.waiting === 'number'
  })
})

test('a part was paid on the page of an order that is cancelled: that part is settled, with a note', async () => {
  const buyer = await shop.newBuyer()
  const { url } = (await buyer.pay('sanad')).payments[0].metadata.public
  await sanad.payOnPage(url, '1000')
  await fetch(`${url}/rest/`, { method: 'POST', body: new URLSearchParams(), redirect: 'manual' })
  const { id } = await shop.orderOf(buyer.code)
  await shop.admin(`mutation ($id: ID!) { cancelOrder(input: { orderId: $id }) { __typename } }`, { id })
  const order = await becomes(buyer.code, 'Cancelled', 'Settled 100000')
  assert.match(notes(order).join(), /1000\.00 of 1500\.00 YER arrived/)
})

test('cancelled: the page of a cancelled order can no longer be paid', async () => {
  const buyer = await shop.newBuyer()
  const { url } = (await buyer.pay('sanad')).payments[0].metadata.public
  const { id } = await shop.orderOf(buyer.code)
  await shop.admin(`mutation ($id: ID!) { cancelOrder(input: { orderId: $id }) { __typename } }`, { id })
  await becomes(buyer.code, 'Cancelled', 'Cancelled 150000')
  await assert.rejects(sanad.payOnPage(url, '1500'))
})

test("own page: the right amount is settled; a wrong amount and another buyer's booking are refused", async () => {
  const buyer = await shop.newBuyer()
  const { sanadWallets } = await buyer.ask('{ sanadWallets { id name accountNumber provider } }')
  const wallet = sanadWallets.find((one) => one.id === sanad.demo.wallets.main)
  assert.equal((await buyer.pay('sanad-own')).__typename, 'PaymentDeclinedError')
  const added = await buyer.pay('sanad-own', { wallet: wallet.id })
  const waiting = added.payments.find((one) => one.state === 'AwaitingTransfer')
  assert.equal(waiting.metadata.public.accountNumber, wallet.accountNumber)
  const attach = async (client, reference) =>
    (
      await client.ask(
        `mutation ($reference: String!) { attachSanadReference(reference: $reference) { status message } }`,
        {
          reference,
        },
      )
    ).attachSanadReference
  assert.equal((await attach(buyer, 'WRONG-ONE')).status, 'PENDING')
  const reference = sanad.newReference()
  assert.equal((await attach(buyer, reference)).status, 'PENDING')
  await sanad.report('1500', reference)
  const order = await becomes(buyer.code, 'PaymentSettled', 'Declined 150000', 'Settled 150000')

  const other = await shop.newBuyer()
  const stolen = await other.pay('sanad', { sanadIntent: order.payments[1].transactionId })
  assert.equal(stolen.__typename, 'PaymentDeclinedError')
  await other.pay('sanad-own', { wallet: wallet.id })
  assert.deepEqual(await attach(other, reference), {
    status: 'REFUSED',
    message: 'Another payment of this wallet already has this reference.',
  })
  const short = sanad.newReference()
  await sanad.report('1400', short)
  const wrong = await attach(other, short)
  assert.deepEqual(wrong, { status: 'WRONG_AMOUNT', message: '1400.00 arrived instead of 1500.00.' })
  const declined = await becomes(other.code, 'ArrangingPayment', 'Declined 0', 'Declined 150000')
  assert.match(notes(declined).join(), /1400\.00 YER arrived instead of 1500\.00/)
  // The reference first, then another amount: the webhook reports it.
  const late = sanad.newReference()
  await other.pay('sanad-own', { wallet: wallet.id })
  assert.equal((await attach(other, late)).status, 'PENDING')
  await sanad.report('1300', late)
  await becomes(other.code, 'ArrangingPayment', 'Declined 0', 'Declined 150000', 'Declined 150000')
  // A forged webhook is refused, and no payment is left waiting.
  const forged = await fetch(`${shop.origin}/sanad/webhooks`, {
    method: 'POST',
    body: '{"event":"checkout.completed"}',
  })
  assert.equal(forged.status, 400)
  assert.equal((await payments().refreshWaiting(-60_000)).waiting, 0)
})

const payOnTestWallet = (amount, reference) =>
  sanad.dashboard('/test-payment/', { wallet: sanad.demo.wallets.test, amount, reference })
const client = new Sanad(sanad.key)
const testNote = (amount) => new RegExp(`^${amount.replace('.', '\\.')} YER of test money arrived and was not counted`)

test('test money settles nothing: not by event, timer, settle button or storefront, and one note says so', async () => {
  const buyer = await shop.newBuyer()
  const { payments: added } = await buyer.pay('sanad-own', { wallet: sanad.demo.wallets.test })
  const [payment] = added
  const reference = `TEST-${sanad.newReference()}`
  await payOnTestWallet('1500.00', reference)
  const { attachSanadReference } = await buyer.ask(
    `mutation ($reference: String!) { attachSanadReference(reference: $reference) { status message } }`,
    { reference },
  )
  assert.equal(attachSanadReference.status, 'TEST')
  assert.equal((await client.intents.retrieve(payment.transactionId)).status, 'VERIFIED')
  const order = await becomes(buyer.code, 'ArrangingPayment', 'Declined 150000')
  assert.match(notes(order).join(), testNote('1500.00'))
  await payments().onEvent({ event: 'payment.verified', intent_id: payment.transactionId })
  assert.equal(notes(await becomes(buyer.code, 'ArrangingPayment', 'Declined 150000')).length, 1)

  // Another amount, and then the same for a payment that waits: the timer and the button read it before any event does.
  const kept = secret.splice(0, secret.length, 'another')
  try {
    const other = await shop.newBuyer()
    const [waiting] = (await other.pay('sanad-own', { wallet: sanad.demo.wallets.test })).payments
    const [first, second] = [1, 2].map(() => `TEST-${sanad.newReference()}`)
    await client.intents.attachReference(waiting.transactionId, first)
    await payOnTestWallet('1500.00', first)
    const { settlePayment } = await shop.admin(
      `mutation ($id: ID!) { settlePayment(id: $id) { __typename ... on SettlePaymentError { paymentErrorMessage } } }`,
      { id: waiting.id },
    )
    assert.match(settlePayment.paymentErrorMessage, /test money/)
    assert.ok((await payments().refreshWaiting(-60_000)).waiting > 0)
    await becomes(other.code, 'ArrangingPayment', 'Declined 150000')
    const [short] = (await other.pay('sanad-own', { wallet: sanad.demo.wallets.test })).payments.filter(
      ({ state }) => state === 'AwaitingTransfer',
    )
    await client.intents.attachReference(short.transactionId, second)
    await payOnTestWallet('1400.00', second)
    await payments().refreshWaiting(-60_000)
    const declined = await becomes(other.code, 'ArrangingPayment', 'Declined 150000', 'Declined 150000')
    assert.match(notes(declined)[1], testNote('1400.00'))
    // The buyer can still pay with money.
    const { metadata } = (await other.pay('sanad')).payments.find(({ state }) => state === 'AwaitingTransfer')
    await sanad.payOnPage(metadata.public.url, '1500')
    await payments().refreshWaiting(-60_000)
    await becomes(other.code, 'PaymentSettled', 'Declined 150000', 'Declined 150000', 'Settled 150000')
  } finally {
    secret.splice(0, secret.length, ...kept)
  }
})

test('test money that a member accepts or books to an order pays nothing: not by event, nor when the buyer pays again', async () => {
  const buyer = await shop.newBuyer()
  await buyer.pay('sanad')
  // A member made an intent for the order on the test wallet, and accepts another amount on it.
  const intent = await client.intents.create({
    wallet: sanad.demo.wallets.test,
    amount: '1500.00',
    external_order_id: buyer.code,
  })
  const reference = `TEST-${sanad.newReference()}`
  await client.intents.attachReference(intent.id, reference)
  await payOnTestWallet('1400.00', reference)
  await sanad.dashboard(`/intents/${intent.id}/accept-paid/`, { paid_amount: '1400.00' })
  const noted = await sanad.until('the note', async () => {
    const order = await shop.orderOf(buyer.code)
    return notes(order).length > 0 && order
  })
  assert.match(notes(noted).join(), testNote('1400.00'))
  assert.deepEqual(stateOf(noted), ['ArrangingPayment', 'AwaitingTransfer 150000'])
  const listed = client.intents.list({ external_order_id: buyer.code, status: 'VERIFIED' })
  const [booked] = await Array.fromAsync(listed)
  assert.equal(booked.manual_override, true)
  // The event again, the id from the storefront, and a new payment after the first was cancelled.
  await payments().onEvent({
    event: 'payment.verified',
    intent_id: booked.id,
    order_id: buyer.code,
    manual_override: true,
  })
  assert.equal(notes(await shop.orderOf(buyer.code)).length, 1)
  assert.equal((await buyer.pay('sanad', { sanadIntent: booked.id })).__typename, 'PaymentDeclinedError')
  await cancelPayment(noted.payments[0].id)
  const again = (await buyer.pay('sanad')).payments.find(({ state }) => state === 'AwaitingTransfer')
  assert.equal(again.amount, 150000)
  await becomes(buyer.code, 'ArrangingPayment', 'Cancelled 150000', 'Declined 0', 'AwaitingTransfer 150000')
  // An event that was made up for a test names an intent that does not exist: it writes nothing.
  const unknown = '00000000-0000-4000-8000-000000000000'
  await payments().onEvent({
    event: 'payment.verified',
    intent_id: unknown,
    order_id: buyer.code,
    manual_override: true,
  })
  assert.equal(notes(await shop.orderOf(buyer.code)).length, 1)
})

test('test money for a payment that was cancelled is noted as test money', async () => {
  const buyer = await shop.newBuyer()
  const [payment] = (await buyer.pay('sanad-own', { wallet: sanad.demo.wallets.test })).payments
  assert.equal((await cancelPayment(payment.id)).__typename, 'Payment')
  const reference = `TEST-${sanad.newReference()}`
  await client.intents.attachReference(payment.transactionId, reference)
  await payOnTestWallet('1500.00', reference)
  const order = await sanad.until('the note', async () => {
    const found = await shop.orderOf(buyer.code)
    return notes(found).length > 0 && found
  })
  assert.match(notes(order).join(), testNote('1500.00'))
  assert.deepEqual(stateOf(order), ['ArrangingPayment', 'Cancelled 150000'])
})

test('with testMode test money settles a payment, on a page of your own and on the page of Sanad', async () => {
  const port = await freePort()
  const options = { ...sanad.key, webhookSecret: 'none', testMode: true }
  const env = { ...process.env, SECOND_SERVER: JSON.stringify({ database, options, port }) }
  const second = fork(new URL('second-server.js', import.meta.url), { env })
  const kept = secret.splice(0, secret.length, 'another')
  try {
    await once(second, 'message')
    const refresh = async (id) => {
      const answered = once(second, 'message')
      second.send(id)
      return (await answered)[0].state
    }
    const origin = `http://127.0.0.1:${port}`
    const buyer = await shop.newBuyer(origin)
    const { sanadWallets } = await buyer.ask('{ sanadWallets { id } }')
    assert.ok(sanadWallets.some(({ id }) => id === sanad.demo.wallets.test))
    const [payment] = (await buyer.pay('sanad-own', { wallet: sanad.demo.wallets.test })).payments
    const reference = `TEST-${sanad.newReference()}`
    await client.intents.attachReference(payment.transactionId, reference)
    await payOnTestWallet('1500.00', reference)
    assert.equal(await refresh(payment.id), 'Settled')

    // The page of Sanad offers the test wallet too. A server without testMode counts nothing of it.
    for (const [isTestMode, expected] of [
      [true, 'Settled'],
      [false, 'Declined'],
    ]) {
      const other = await shop.newBuyer(origin)
      const [hosted] = (await other.pay('sanad')).payments
      const number = `TEST-${sanad.newReference()}`
      for (const [path, fields] of [
        ['wallet', { wallet: sanad.demo.wallets.test }],
        ['reference', { reference: number }],
      ]) {
        const sent = { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' }
        assert.equal((await fetch(`${hosted.metadata.public.url}/${path}/`, sent)).status, 303)
      }
      await payOnTestWallet('1500.00', number)
      const checkout = await client.checkouts.retrieve(hosted.transactionId)
      assert.deepEqual([checkout.status, checkout.is_test], ['COMPLETE', true])
      assert.equal(isTestMode ? await refresh(hosted.id) : await payments().refresh(hosted.id), expected)
      if (!isTestMode) assert.match(notes(await shop.orderOf(other.code)).join(), testNote('1500.00'))
    }
  } finally {
    secret.splice(0, secret.length, ...kept)
    second.kill()
    await once(second, 'exit')
  }
})

test('testMode must be true or false: a text such as "0" is refused', () => {
  const options = { ...sanad.key, webhookSecret: 'none' }
  assert.throws(() => SanadPlugin.init({ ...options, testMode: '0' }), /testMode must be true or false/)
})

test('less that a member accepts while the page is open settles the payment over what arrived', async () => {
  const buyer = await shop.newBuyer()
  const { transactionId, metadata } = (await buyer.pay('sanad')).payments[0]
  await sanad.payOnPage(metadata.public.url, '1400')
  const [intent] = (await client.checkouts.retrieve(transactionId)).intents
  await sanad.dashboard(`/intents/${intent.id}/accept-paid/`, { paid_amount: '1400.00' })
  assert.equal((await client.checkouts.retrieve(transactionId)).status, 'COMPLETE')
  const order = await becomes(buyer.code, 'ArrangingPayment', 'Settled 140000')
  assert.match(notes(order).join(), /1400\.00 of 1500\.00 YER arrived/)
  assert.doesNotMatch(notes(order).join(), /besides/)
})
