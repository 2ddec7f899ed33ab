/**
 * Sales at the counter over HTTP: the intent is made together with the checkout, the buyer's page shows the same intent, the search
 * and the card of unmatched money find it, and a repeated request makes no second sale.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { startSale } from '@sanad/contract/dashboard/checkouts/start-sale'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { fits, queueStory } from '../support/queue-story.ts'
import { errorsOf } from '../support/story.ts'
import { openCheckouts, textOf } from './checkout-story.ts'

const service = await openCheckouts()
const { clock, demo, open, send, sql, sweep } = service
const { owner, cashier, viewer, stranger, money, record, report, paid, newReference, audited } =
  await queueStory(service)
const { main, second, off, test: testWallet } = demo.wallets

type Body = Record<string, unknown>
const start = (body: Body, key: string = randomUUID(), user = cashier) =>
  user.ask('POST', '/counter/sales/', { body, headers: { 'SERVICE-IDEMPOTENCY-KEY': key } })
const started = async (body: Body, key?: string) => {
  const answer = await start(body, key)
  assert.equal(answer.status, 201, answer.text)
  fits(startSale.answer, answer)
  return answer.body
}
const show = async (id: string) => (await cashier.ask('GET', `/checkouts/${id}/`)).body
const pageOf = ({ url }: { url: string }): string => new URL(url).pathname
const search = async (q: string) =>
  (await cashier.ask('GET', `/search/?q=${encodeURIComponent(q)}`)).body as {
    intents: { id: string }[]
    alerts: { id: string }[]
  }
const foundIntents = async (q: string): Promise<string[]> => (await search(q)).intents.map(({ id }) => id)
const sales = async (): Promise<number> => Number((await sql('select count(*) from checkouts'))[0]![0])
const intents = async (): Promise<number> => Number((await sql('select count(*) from intents'))[0]![0])
const book = (alert: string, intent: { id: string; payable_amount: string }, alert_amount: string) =>
  cashier.ask('POST', `/unmatched/${alert}/book/`, {
    body: { intent: intent.id, alert_amount, intent_amount: intent.payable_amount },
  })

test('a sale has its intent at once, and the page of the buyer shows this intent with the wallet already chosen', async () => {
  const sale = await started({ amount: '1500', external_order_id: 'S-1', wallet: main })
  assert.deepEqual(
    [sale.status, sale.amount, sale.external_order_id, sale.wallets, sale.intents.length],
    ['OPEN', '1500.00', 'S-1', [], 1],
  )
  const [intent] = sale.intents
  assert.deepEqual([intent.status, intent.payable_amount, intent.wallet.id], ['PENDING', '1500.00', main])
  assert.equal(intent.expires_at, sale.expires_at)
  const page = await open(pageOf(sale))
  assert.match(textOf(page.text), /771000001/)
  assert.equal((await show(sale.id)).intents.length, 1, 'the page made no second intent')
  const shown = await cashier.ask('GET', `/intents/${intent.id}/`)
  assert.deepEqual([shown.body.checkout, shown.body.created_by.kind], [sale.id, 'person'])
  assert.deepEqual(await audited(sale.id), [`checkout.create ${(await actor(sale.id))[0]}`])

  // The buyer has another wallet: as before, the first intent is cancelled.
  await send(`${pageOf(sale)}/wallet/`, { wallet: second })
  const after = await show(sale.id)
  assert.deepEqual(
    after.intents.map((one: { status: string; wallet: { id: string } }) => [one.status, one.wallet.id]),
    [
      ['CANCELLED', main],
      ['PENDING', second],
    ],
  )
  await cashier.ask('POST', `/checkouts/${sale.id}/cancel/`)
})
const actor = async (id: string) =>
  (await sql('select actor from audit_log where object_id = $1 order by id', [id])).map(([by]) => by)

test('the search finds a sale by amount, order number and code, and its money lists it until it is booked', async () => {
  const sale = await started({ amount: '2345.00', external_order_id: 'SALE-77', wallet: main })
  const [intent] = sale.intents
  for (const text of ['2,345', '2345', 'sale-77', intent.code])
    assert.deepEqual(await foundIntents(text), [intent.id], text)
  clock.advance(1_000)
  const reference = newReference()
  const alert = await money('2345.00', reference)
  assert.equal((await show(sale.id)).status, 'OPEN', 'a plain credit without its reference verifies nothing by itself')
  const { body: card } = await cashier.ask('GET', `/unmatched/${alert}/`)
  assert.deepEqual(
    card.likely.map(({ id }: { id: string }) => id),
    [intent.id],
  )
  const listed = await cashier.ask('GET', `/unmatched/?amount=2345.00&wallet=${main}`)
  assert.deepEqual(
    listed.body.results.map(({ id }: { id: string }) => id),
    [alert],
  )
  assert.equal((await book(alert, intent, '2345.00')).status, 200)
  const end = await show(sale.id)
  assert.deepEqual([end.status, end.paid, end.intents[0].status], ['COMPLETE', '2345.00', 'VERIFIED'])
  await sweep()
  await assertMoneyInvariants(sql)
})

test('the reference that the buyer reads out finishes the sale, before and after the message', async () => {
  const first = await started({ amount: '610.00', wallet: main })
  const reference = newReference()
  await money('610.00', reference)
  await cashier.ask('POST', `/intents/${first.intents[0].id}/reference/`, { body: { reference } })
  assert.equal((await show(first.id)).status, 'COMPLETE')
  const later = await started({ amount: '620.00', wallet: main })
  const next = newReference()
  await cashier.ask('POST', `/intents/${later.intents[0].id}/reference/`, { body: { reference: next } })
  await money('620.00', next)
  assert.equal((await show(later.id)).status, 'COMPLETE')
})

test('another amount can be booked to a sale, which then shows what arrived and what was forgiven', async () => {
  const sale = await started({ amount: '700.00', wallet: main })
  clock.advance(1_000)
  const alert = await money('650.00', newReference())
  assert.equal((await book(alert, sale.intents[0], '700.00')).body.errors[0].code, 'amount_changed')
  assert.equal((await book(alert, sale.intents[0], '650.00')).status, 200)
  const end = await show(sale.id)
  assert.deepEqual([end.status, end.arrived_amount, end.forgiven_amount], ['COMPLETE', '650.00', '50.00'])
})

test('in a wallet with unique amounts the sale shows its own amount at once, and a credit of it finishes the sale', async () => {
  const setting = { unique_amounts: 'more', unique_amounts_most: 50 }
  assert.equal((await owner.ask('PUT', `/wallets/${main}/unique-amounts/`, { body: setting })).status, 200)
  clock.advance(2_000)
  const one = await started({ amount: '3000.00', wallet: main })
  const two = await started({ amount: '3000.00', wallet: main })
  const [first, other] = [one.intents[0], two.intents[0]]
  assert.notEqual(first.payable_amount, '3000.00')
  assert.notEqual(first.payable_amount, other.payable_amount)
  const byOrder = await foundIntents('3,000')
  assert.ok(byOrder.includes(first.id) && byOrder.includes(other.id), 'found by the amount of the order too')
  clock.advance(1_000)
  await record([report(paid(first.payable_amount, newReference()))])
  assert.deepEqual([(await show(one.id)).status, (await show(two.id)).status], ['COMPLETE', 'OPEN'])
  // The order's own amount proves nothing: it stays unmatched.
  await record([report(paid('3000.00', newReference()))])
  assert.equal((await show(two.id)).status, 'OPEN')
  const off = { unique_amounts: 'off', unique_amounts_most: 50 }
  assert.equal((await owner.ask('PUT', `/wallets/${main}/unique-amounts/`, { body: off })).status, 200)
  clock.advance(2_000)
  await sweep()
  await assertMoneyInvariants(sql)
})

test('without a wallet the only real one is taken; of two one must be chosen, and the test wallet is never taken by itself', async () => {
  const before = [await sales(), await intents()]
  assert.deepEqual(errorsOf(await start({ amount: '10' })), ['required@wallet'])
  const closeSecond = (active: boolean) => owner.ask('PATCH', `/wallets/${second}/`, { body: { active } })
  assert.equal((await closeSecond(false)).status, 200)
  clock.advance(2_000)
  const sale = await started({ amount: '10' })
  assert.equal(sale.intents[0].wallet.id, main)
  const closeMain = (active: boolean) => owner.ask('PATCH', `/wallets/${main}/`, { body: { active } })
  assert.equal((await closeMain(false)).status, 200)
  clock.advance(2_000)
  assert.deepEqual(errorsOf(await start({ amount: '10' })), ['wallet_not_monitored@wallet'])
  assert.deepEqual([await sales(), await intents()], [before[0]! + 1, before[1]! + 1])
  await closeMain(true)
  await closeSecond(true)
  clock.advance(2_000)

  // Chosen by name it is test money, and no real wallet can be paid into on its page.
  const testSale = await started({ amount: '10', wallet: testWallet })
  assert.deepEqual(
    [testSale.is_test, testSale.wallets, testSale.intents[0].wallet.id],
    [true, [testWallet], testWallet],
  )
})

test('the same key makes one sale, also when both requests come at once; the key with another body is refused', async () => {
  const key = randomUUID()
  const body = { amount: '4100.00', external_order_id: 'once', wallet: main }
  const before = [await sales(), await intents()]
  const answers = await Promise.all([1, 2, 3].map(() => start(body, key)))
  const made = answers.filter(({ status }) => status === 201)
  assert.ok(made.length > 0 && answers.every(({ status }) => status === 201 || status === 409))
  const again = await start(body, key)
  assert.deepEqual([again.status, again.headers['idempotent-replayed']], [201, 'true'])
  assert.equal(new Set([...made, again].map(({ body: sale }) => sale.id)).size, 1)
  assert.equal(again.body.intents.length, 1)
  assert.deepEqual([await sales(), await intents()], [before[0]! + 1, before[1]! + 1])
  assert.equal((await start({ ...body, amount: '4200.00' }, key)).body.errors[0].code, 'idempotency_key_reused')
  // The wallet was switched off meanwhile: the key still gets its sale, as it is now.
  await cashier.ask('POST', `/checkouts/${again.body.id}/cancel/`)
  await owner.ask('PATCH', `/wallets/${main}/`, { body: { active: false } })
  clock.advance(2_000)
  const later = await start(body, key)
  assert.deepEqual([later.status, later.body.id, later.body.status], [201, again.body.id, 'CANCELLED'])
  await owner.ask('PATCH', `/wallets/${main}/`, { body: { active: true } })
  clock.advance(2_000)
})

test('what is refused leaves nothing: no checkout without an intent, no intent without a checkout', async () => {
  const before = [await sales(), await intents()]
  const refused: readonly [Body, string][] = [
    [{ amount: '0', wallet: main }, 'amount'],
    [{ amount: '1500,5', wallet: main }, 'amount'],
    [{ wallet: main }, 'amount'],
    [{ amount: '10', wallet: off }, 'wallet'],
    [{ amount: '10', wallet: demo.other.wallet }, 'wallet'],
    [{ amount: '10', wallet: randomUUID() }, 'wallet'],
    [{ amount: '10', wallet: 'x' }, 'wallet'],
    [{ amount: '10', wallet: main, external_order_id: 'x'.repeat(129) }, 'external_order_id'],
  ]
  for (const [body, attr] of refused) {
    const answer = await start(body)
    assert.deepEqual([answer.status, answer.body.errors[0].attr], [400, attr], answer.text)
  }
  assert.equal((await start({ amount: '10', wallet: main }, 'x'.repeat(129))).status, 400)
  assert.equal((await start({ amount: '10', wallet: main }, randomUUID(), viewer)).status, 403)
  assert.deepEqual([await sales(), await intents()], before)
  // The quota is used up: the checkout is undone with its intent.
  const account = (await sql('select account_id from wallets where id = $1', [main]))[0]![0]
  await sql('update accounts set monthly_intent_quota = 1 where id = $1', [account])
  clock.advance(2_000)
  await start({ amount: '10', wallet: main })
  const full = [await sales(), await intents()]
  const key = randomUUID()
  assert.equal((await start({ amount: '10', wallet: main }, key)).body.errors[0].code, 'quota_exceeded')
  assert.deepEqual([await sales(), await intents()], full)
  await sql('update accounts set monthly_intent_quota = null where id = $1', [account])
  clock.advance(2_000)
  assert.equal((await start({ amount: '10', wallet: main }, key)).status, 201, 'the key was not used up')
})

test('a cancelled sale leaves nothing that money could pay, and its intent is not offered for booking', async () => {
  const sale = await started({ amount: '5150.00', wallet: main })
  assert.equal((await cashier.ask('POST', `/checkouts/${sale.id}/cancel/`)).body.status, 'CANCELLED')
  const alert = await money('5150.00', newReference())
  assert.deepEqual((await cashier.ask('GET', `/unmatched/${alert}/`)).body.likely, [])
  assert.equal((await book(alert, sale.intents[0], '5150.00')).body.errors[0].code, 'intent_not_pending')
})

test('a cashier chooses another wallet of an open sale; with a reference the intent stays, and another account finds nothing', async () => {
  const sale = await started({ amount: '5200.00', wallet: main })
  const choose = (wallet: string, user = cashier, id = sale.id) =>
    user.ask('POST', `/checkouts/${id}/wallet/`, { body: { wallet } })
  assert.equal((await choose(second, stranger)).status, 404)
  assert.equal((await choose(second, viewer)).status, 403)
  const moved = await choose(second)
  assert.deepEqual(
    moved.body.intents.map((one: { status: string; wallet: { id: string } }) => [one.status, one.wallet.id]),
    [
      ['CANCELLED', main],
      ['PENDING', second],
    ],
  )
  assert.equal((await choose(second)).body.intents.length, 2, 'the same wallet again changes nothing')
  assert.deepEqual(
    (await audited(sale.id)).map((entry) => entry.split(' ')[0]),
    ['checkout.create', 'checkout.choose_wallet'],
  )
  const cancelled = moved.body.timeline.find(({ kind }: { kind: string }) => kind === 'intent_cancelled')
  assert.equal(cancelled.by.kind, 'person')
  assert.equal(
    (await choose(testWallet)).body.errors[0].code,
    'checkout_wallet_refused',
    'no test money for a real sale',
  )
  assert.equal((await choose(off)).body.errors[0].attr, 'wallet')
  await cashier.ask('POST', `/intents/${moved.body.intents[1].id}/reference/`, { body: { reference: newReference() } })
  assert.equal((await choose(main)).body.intents.length, 2)
  await cashier.ask('POST', `/checkouts/${sale.id}/cancel/`)
  assert.equal((await choose(main)).body.errors[0].code, 'checkout_not_open')
})
