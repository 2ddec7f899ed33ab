/**
 * The shop decides about the money of a buyer whose checkout is open: it accepts a wrong amount, books onto the open intent, or books
 * onto a copy of an expired one. On every path the checkout is complete at once, with one event, and the buyer's page says so.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { queueStory } from '../support/queue-story.ts'
import { okBody } from '../support/story.ts'
import { openCheckouts, textOf } from './checkout-story.ts'

const service = await openCheckouts()
const { askCheckout, clock, demo, events, newCheckout, open, read, send, sql, sweep } = service
const { owner, manager, money, newReference, audited } = await queueStory(service)
const { main, second } = demo.wallets

type Row = Record<string, string>
const statuses = async (id: string) => (await read(id)).intents.map(({ status }: Row) => status)
const endOf = async (id: string) => {
  const own = (await events()).filter(({ body }) => body.checkout_id === id)
  return own.map(({ kind, body }) => [kind, body.amount, body.paid])
}
const complete = async (id: string, paid: string) => {
  const shown = await read(id)
  assert.deepEqual([shown.status, shown.paid], ['COMPLETE', paid])
  const [[stored]] = (await sql('select status from checkouts where id = $1', [id])) as [[string]]
  assert.equal(stored, 'COMPLETE', 'the end is stored with the booking')
  await sweep()
  assert.deepEqual(await endOf(id), [['checkout.completed', shown.amount, paid]])
}

/** A checkout of 1,500 whose reference arrived with another amount. */
const wrong = async (arrived: string, fields: Record<string, unknown> = {}) => {
  const { id, page } = await newCheckout({ wallets: [main], ...fields })
  await send(`${page}/wallet/`, { wallet: main })
  const reference = newReference()
  await send(`${page}/reference/`, { reference })
  const alert = await money(arrived, reference)
  const { intents } = await read(id)
  assert.equal(intents.at(-1).status, 'WRONG_AMOUNT')
  return { id, page, intent: intents.at(-1).id as string, alert }
}
const accept = (intent: string, paid_amount: string) =>
  manager.ask('POST', `/intents/${intent}/accept-paid/`, { body: { paid_amount } })
const book = (alert: string, intent: Row, alert_amount: string, action: 'book' | 'book-copy') =>
  manager.ask('POST', `/unmatched/${alert}/${action}/`, {
    body: { intent: intent.id, alert_amount, intent_amount: intent.payable_amount },
  })

test('a wrong amount that the shop accepts completes the checkout: less is forgiven, more is in excess', async () => {
  const less = await wrong('1400.00')
  okBody(await accept(less.intent, '1400.00'))
  assert.deepEqual(await statuses(less.id), ['WRONG_AMOUNT', 'VERIFIED'])
  await complete(less.id, '1400.00')
  assert.match(textOf((await open(less.page)).text), /The money has arrived.*1,400 YER/)
  const shown = okBody(await owner.ask('GET', `/checkouts/${less.id}/`))
  assert.deepEqual([shown.arrived_amount, shown.forgiven_amount], ['1400.00', '100.00'])
  // Again: the money is spent, and nothing changes.
  assert.equal((await accept(less.intent, '1400.00')).body.errors[0].code, 'alert_not_open')
  assert.equal((await read(less.id)).intents.length, 2)

  const more = await wrong('1600.00')
  okBody(await accept(more.intent, '1600.00'))
  await complete(more.id, '1600.00')
})

test('the rest that a buyer was to pay is cancelled if the shop accepts less; with a reference it stays', async () => {
  for (const [referenceSent, status] of [
    [false, 'CANCELLED'],
    [true, 'PENDING'],
  ] as const) {
    const { id, page, intent } = await wrong('1400.00')
    // The buyer chooses a wallet again, and is asked for the whole amount.
    await send(`${page}/wallet/`, { wallet: main })
    if (referenceSent) await send(`${page}/reference/`, { reference: newReference() })
    okBody(await accept(intent, '1400.00'))
    assert.deepEqual(await statuses(id), ['WRONG_AMOUNT', status, 'VERIFIED'])
    await complete(id, '1400.00')
    const kinds = await sql('select kind, by from intent_moves where intent_id = $1 order by id', [
      (await read(id)).intents[1].id,
    ])
    assert.equal(kinds.at(-1)![0], referenceSent ? 'reference' : 'cancelled')
  }
})

test('money that is booked onto the open intent completes the checkout at once', async () => {
  const { id, page } = await newCheckout({ wallets: [main] })
  await send(`${page}/wallet/`, { wallet: main })
  const [intent] = (await read(id)).intents
  const alert = await money('1200.00', newReference())
  okBody(await book(alert, intent, '1200.00', 'book'))
  assert.deepEqual(await statuses(id), ['VERIFIED'])
  await complete(id, '1200.00')
})

test('money that is booked onto a copy of an expired intent belongs to the open checkout', async () => {
  const { id, page } = await newCheckout({ wallets: [main, second], expires_in: 86_400 })
  await send(`${page}/wallet/`, { wallet: main })
  const [intent] = (await read(id)).intents
  clock.advance(3_601_000)
  await sweep()
  await send(`${page}/wallet/`, { wallet: second })
  assert.deepEqual(await statuses(id), ['EXPIRED', 'PENDING'])
  const alert = await money('1500.00', newReference())
  const booked = okBody(await book(alert, intent, '1500.00', 'book-copy')).intent
  assert.deepEqual(await statuses(id), ['EXPIRED', 'CANCELLED', 'VERIFIED'])
  assert.equal((await read(id)).intents.at(-1).id, booked.id)
  await complete(id, '1500.00')
  assert.ok((await audited(booked.id)).some((entry) => entry.startsWith('intent.book ')))
})

test('a checkout that has ended is not changed: the money has its own intent', async () => {
  const late = await wrong('1300.00')
  clock.advance(86_400_000 * 2)
  await sweep()
  assert.equal((await read(late.id)).status, 'EXPIRED')
  const { id: fresh } = okBody(await accept(late.intent, '1300.00'))
  assert.deepEqual([(await read(late.id)).status, (await read(late.id)).paid], ['EXPIRED', '0.00'])
  assert.equal(okBody(await service.ask('GET', `/intents/${fresh}/`)).status, 'VERIFIED')
  assert.deepEqual(
    (await endOf(late.id)).map(([kind]) => kind),
    ['checkout.expired'],
  )

  const gone = await wrong('1300.00')
  okBody(await askCheckout('POST', `/sessions/${gone.id}/cancel/`))
  okBody(await accept(gone.intent, '1300.00'))
  assert.deepEqual([(await read(gone.id)).status, (await read(gone.id)).paid], ['CANCELLED', '0.00'])
})

test('the shop accepts while the buyer asks to pay the rest, and while the checkout is cancelled: the money is spent once', async () => {
  for (let round = 0; round < 6; round++) {
    const { id, page, intent, alert } = await wrong('1400.00', { allow_remaining: true })
    const [accepted] = await Promise.all([
      accept(intent, '1400.00'),
      send(`${page}/rest/`, { wallet: main }),
      ...(round % 2 === 0 ? [sweep()] : []),
    ])
    const spent = await sql('select id from intents where alert_id = $1 and status = $2', [alert, 'VERIFIED'])
    assert.equal(spent.length, 1)
    const after = await read(id)
    assert.deepEqual(
      [after.status, after.paid],
      [accepted.status === 200 ? 'COMPLETE' : 'OPEN', '1400.00'],
      accepted.text,
    )
  }
  for (let round = 0; round < 6; round++) {
    const { id, intent } = await wrong('1400.00')
    const [accepted, cancelled] = await Promise.all([
      accept(intent, '1400.00'),
      askCheckout('POST', `/sessions/${id}/cancel/`),
    ])
    assert.equal(accepted.status, 200, accepted.text)
    assert.equal((await read(id)).status, cancelled.status === 200 ? 'CANCELLED' : 'COMPLETE', cancelled.text)
    await sweep()
    assert.equal((await endOf(id)).length, cancelled.status === 200 ? 0 : 1)
  }
  await assertMoneyInvariants(sql)
})
