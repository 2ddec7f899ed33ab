/**
 * The shop collects the rest after a payment that was too small: what arrived counts as a part, and the rest is paid on a checkout
 * that the shop shares. The rule is that of the buyer's page; the money of a part pays nothing else.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectRest } from '@sanad/contract/dashboard/checkouts/collect-rest'
import { hour_ms } from '../../src/core/duration.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { fits, queueStory } from '../support/queue-story.ts'
import type { Answer } from '../support/story.ts'
import { okBody } from '../support/story.ts'
import { openCheckouts, textOf } from './checkout-story.ts'

const service = await openCheckouts()
const { clock, create, demo, events, newCheckout, open, read, send, sql, sweep } = service
const { attach, audited, cashier, manager, money, newReference, owner, stateOf, stranger, viewer } =
  await queueStory(service)
const { main } = demo.wallets
clock.advance(2 * 24 * hour_ms)

type Row = Record<string, string>
type Asks = typeof owner.ask
const collect = (id: string, paid_amount = '1400.00', ask: Asks = cashier.ask, more: Row | object = {}) =>
  ask('POST', `/intents/${id}/collect-rest/`, { body: { paid_amount, ...more } })
/** Ends are stored by the background loop. */
const check = async (): Promise<void> => {
  await sweep()
  await assertMoneyInvariants(sql)
}
const code = (answer: Answer): string => answer.body.errors[0].code

/** An intent of the merchant's API of 1,500 for which another amount arrived. */
const wrong = async (arrived = '1400.00', fields: Record<string, unknown> = {}) => {
  const id: string = okBody(
    await create({ wallet: main, amount: '1500.00', external_order_id: 'A-1042', ...fields }),
  ).id
  const reference = newReference()
  await attach(id, reference)
  return { id, alert: await money(arrived, reference) }
}
/** The same in an open checkout. */
const wrongInCheckout = async (fields: Record<string, unknown> = {}) => {
  const checkout = await newCheckout({ wallets: [main], ...fields })
  await send(`${checkout.page}/wallet/`, { wallet: main })
  const reference = newReference()
  await send(`${checkout.page}/reference/`, { reference })
  const alert = await money('1400.00', reference)
  const [last] = (await read(checkout.id)).intents.slice(-1)
  assert.equal(last.status, 'WRONG_AMOUNT')
  return { ...checkout, intent: last.id as string, alert }
}
const payRest = async (page: string, amount: string): Promise<void> => {
  await send(`${page}/wallet/`, { wallet: main })
  const reference = newReference()
  await send(`${page}/reference/`, { reference })
  await money(amount, reference)
}

test('an intent without a checkout gets one over the whole order: the part counts, and only the rest is asked for', async () => {
  const { id, alert } = await wrong()
  const answer = await collect(id)
  fits(collectRest.answer, answer)
  const checkout = okBody(answer)
  assert.deepEqual(
    [checkout.status, checkout.amount, checkout.arrived_amount, checkout.forgiven_amount, checkout.external_order_id],
    ['OPEN', '1500.00', '1400.00', '0.00', 'A-1042'],
  )
  assert.deepEqual(
    checkout.intents.map(({ status, payable_amount }: Row) => [status, payable_amount]),
    [['VERIFIED', '1400.00']],
  )
  assert.equal(await stateOf(alert), 'booked')
  const page = new URL(checkout.url).pathname
  assert.match(textOf((await open(page)).text), /100 YER/)
  await payRest(page, '100.00')
  const done = await read(checkout.id)
  assert.deepEqual([done.status, done.paid], ['COMPLETE', '1500.00'])
  await sweep()
  assert.equal((await events()).filter(({ body }) => body.checkout_id === checkout.id).length, 1)
  const part = checkout.intents[0].id
  assert.match((await audited(part)).join(), /intent\.collect_rest/)
  assert.match((await audited(alert)).join(), /alert\.book/)
  // The intent that ended stays as it is.
  assert.equal(okBody(await owner.ask('GET', `/intents/${id}/`)).status, 'WRONG_AMOUNT')
  await check()
})

test('the rest may come in two parts', async () => {
  const checkout = okBody(await collect((await wrong()).id))
  const page = new URL(checkout.url).pathname
  await payRest(page, '60.00')
  assert.match(textOf((await open(page)).text), /60 YER/)
  await send(`${page}/rest/`, {})
  const reference = newReference()
  await send(`${page}/reference/`, { reference })
  await money('40.00', reference)
  const done = await read(checkout.id)
  assert.deepEqual([done.status, done.paid], ['COMPLETE', '1500.00'])
  await check()
})

test('an open checkout collects its own rest, also if the merchant did not let the buyer pay it', async () => {
  const { id, page, intent } = await wrongInCheckout({ allow_remaining: false })
  const checkout = okBody(await collect(intent))
  assert.equal(checkout.id, id)
  assert.equal(new URL(checkout.url).pathname, page)
  await payRest(page, '100.00')
  const done = await read(id)
  assert.deepEqual([done.status, done.paid], ['COMPLETE', '1500.00'])
  await check()
})

test('the buyer began again: an intent over the whole amount is cancelled, unless a reference was sent for it', async () => {
  const first = await wrongInCheckout()
  await send(`${first.page}/wallet/`, { wallet: main })
  okBody(await collect(first.intent))
  const statuses = (await read(first.id)).intents.map(({ status }: Row) => status)
  assert.deepEqual(statuses, ['WRONG_AMOUNT', 'CANCELLED', 'VERIFIED'])
  assert.match(textOf((await open(first.page)).text), /100 YER/)

  const sent = await wrongInCheckout()
  await send(`${sent.page}/wallet/`, { wallet: main })
  await send(`${sent.page}/reference/`, { reference: newReference() })
  const before = await read(sent.id)
  const refused = await collect(sent.intent)
  assert.deepEqual([refused.status, code(refused)], [400, 'checkout_rest_refused'])
  assert.deepEqual(await read(sent.id), before)
  assert.equal(await stateOf(sent.alert), 'wrong_amount')
  await check()
})

test('after the end of its checkout a new one is made, which can be paid for a day', async () => {
  const { id, intent } = await wrongInCheckout({ expires_in: 300 })
  clock.advance(hour_ms)
  const checkout = okBody(await collect(intent))
  assert.notEqual(checkout.id, id)
  assert.equal(Date.parse(checkout.expires_at) - Date.parse(checkout.created_at), 24 * hour_ms)
  await payRest(new URL(checkout.url).pathname, '100.00')
  assert.equal((await read(checkout.id)).status, 'COMPLETE')
  await check()
})

test('of two members who decide at once, one collects the rest or accepts the amount', async () => {
  const { id } = await wrong()
  const answers = await Promise.all([
    collect(id),
    collect(id, '1400.00', manager.ask),
    manager.ask('POST', `/intents/${id}/accept-paid/`, { body: { paid_amount: '1400.00' } }),
  ])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400, 400])
  const [[open]] = (await sql(
    "select count(*) from checkouts c where status = 'OPEN' and not exists (select from checkout_intents l where l.checkout_id = c.id)",
  )) as [[string]]
  assert.equal(Number(open), 0, 'a refused call leaves no checkout')
  await check()
})

test('nothing is collected if nothing is missing, if the amount has changed, or if the money was spent or set aside', async () => {
  const over = await wrong('1600.00')
  const changed = await wrong()
  const aside = await wrong()
  okBody(await cashier.ask('POST', `/unmatched/${aside.alert}/dismiss/`, { body: { reason: 'sent back' } }))
  const spent = await wrong()
  okBody(await manager.ask('POST', `/intents/${spent.id}/accept-paid/`, { body: { paid_amount: '1400.00' } }))
  const pending = okBody(await create({ wallet: main, amount: '1500.00' })).id
  const before = await sql('select count(*) from checkouts')
  const answers: readonly (readonly [Answer, string])[] = [
    [await collect(over.id, '1600.00'), 'checkout_rest_refused'],
    [await collect(changed.id, '1399.00'), 'amount_changed'],
    [await collect(aside.id), 'alert_not_open'],
    [await collect(spent.id), 'alert_not_open'],
    [await collect(pending), 'intent_not_wrong'],
  ]
  for (const [answer, expected] of answers) assert.deepEqual([answer.status, code(answer)], [400, expected])
  assert.equal((await collect(changed.id, 'x')).status, 400)
  assert.deepEqual(await sql('select count(*) from checkouts'), before)
})

test('a viewer and another account collect nothing', async () => {
  const { id } = await wrong()
  assert.equal((await collect(id, '1400.00', viewer.ask)).status, 403)
  assert.equal((await collect(id, '1400.00', stranger.ask)).status, 404)
  okBody(await collect(id))
})
