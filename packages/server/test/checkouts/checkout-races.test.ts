/** Races on a checkout: two choices of a wallet, payment and cancel, payment and expiry. Each end has exactly one event. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endDueCheckouts } from '../../src/checkouts/end-checkouts.ts'
import { assertMoneyInvariants } from '../support/money-invariants.ts'
import { openCheckouts } from './checkout-story.ts'

const service = await openCheckouts()
const { askCheckout, clock, db, demo, events, newCheckout, pay, read, send, sql, sweep, zone } = service
const { main, second } = demo.wallets
let number = 800_000_000
const reference = (): string => String(++number * 1000)

test('two choices of a wallet at once make one open intent', async () => {
  for (let round = 0; round < 5; round++) {
    const { id, page } = await newCheckout()
    const answers = await Promise.all(
      [main, second, main, second, main].map((wallet) => send(`${page}/wallet/`, { wallet })),
    )
    assert.deepEqual([...new Set(answers.map((one) => one.status))], [303])
    const { intents } = await read(id)
    const open = intents.filter((one: { status: string }) => one.status === 'PENDING')
    assert.equal(open.length, 1)
    const rows = await sql('select count(*) from checkout_intents where checkout_id = $1 and open', [id])
    assert.equal(rows[0]![0], '1')
  }
})

test('the database refuses a second open intent of a checkout', async () => {
  const { id, page } = await newCheckout()
  await send(`${page}/wallet/`, { wallet: main })
  const other = await service.create()
  await assert.rejects(
    sql(
      `insert into checkout_intents (account_id, checkout_id, position, intent_id, open) values ($1, $2, 9, $3, true)`,
      [service.accountId, id, other.body.id],
    ),
    /checkout_intents_one_open/,
  )
})

test('a race of cancel and payment: one wins, and the other is refused', async () => {
  for (let round = 0; round < 8; round++) {
    const { id, page } = await newCheckout()
    await send(`${page}/wallet/`, { wallet: main })
    const paid = reference()
    await send(`${page}/reference/`, { reference: paid })
    const [cancelled] = await Promise.all([
      askCheckout('POST', `/sessions/${id}/cancel/`),
      pay('1500', paid),
      ...(round % 2 === 0 ? [sweep()] : []),
    ])
    const after = await read(id)
    assert.equal(after.status, cancelled.status === 200 ? 'CANCELLED' : 'COMPLETE', cancelled.text)
    assert.equal(after.paid, cancelled.status === 200 ? '0.00' : '1500.00')
  }
})

test('a payment at the instant of expiry: the checkout agrees with its intent and has one event', async () => {
  for (let round = 0; round < 6; round++) {
    const { id, page } = await newCheckout({ expires_in: 300, external_order_id: `EDGE-${round}` })
    clock.advance(299_000)
    await send(`${page}/wallet/`, { wallet: main })
    const paid = reference()
    await send(`${page}/reference/`, { reference: paid })
    clock.advance(1_000 - (round % 2))
    await Promise.all([pay('1500', paid), sweep(), sweep()])
    clock.advance(1_000)
    await sweep()
    await sweep()
    const { status, intents, paid: sum } = await read(id)
    const verified = intents[0].status === 'VERIFIED'
    assert.deepEqual([status, sum], verified ? ['COMPLETE', '1500.00'] : ['EXPIRED', '0.00'])
    const own = (await events()).filter((one) => one.body.checkout_id === id)
    assert.deepEqual(
      own.map((one) => one.kind),
      [verified ? 'checkout.completed' : 'checkout.expired'],
    )
  }
})

test('ten sweeps and readers at once store one end with one event', async () => {
  const { id, page } = await newCheckout({ metadata: { basket: '7' }, external_order_id: 'EV-1' })
  await send(`${page}/wallet/`, { wallet: main })
  const paid = reference()
  await send(`${page}/reference/`, { reference: paid })
  await pay('1500', paid)
  await Promise.all([
    ...Array.from({ length: 5 }, () => endDueCheckouts(db, zone, 100, clock.now(), () => {})),
    ...Array.from({ length: 5 }, () => service.open(page)),
  ])
  const own = (await events()).filter((one) => one.body.checkout_id === id)
  assert.equal(own.length, 1)
  const { intents, ended_at } = await read(id)
  assert.deepEqual(own[0]!.body, {
    event: 'checkout.completed',
    checkout_id: id,
    order_id: 'EV-1',
    amount: '1500.00',
    paid: '1500.00',
    currency: 'YER',
    status: 'COMPLETE',
    intents: [intents[0].id],
    metadata: { basket: '7' },
    completed_at: ended_at,
    is_test: false,
  })
})

test('an unpaid checkout expires with one event, with and without an open intent', async () => {
  const alone = await newCheckout({ expires_in: 300 })
  const begun = await newCheckout({ expires_in: 300 })
  await send(`${begun.page}/wallet/`, { wallet: main })
  clock.advance(300_000)
  await sweep()
  await sweep()
  const all = await events()
  for (const { id } of [alone, begun]) {
    assert.equal((await read(id)).status, 'EXPIRED')
    const own = all.filter((one) => one.body.checkout_id === id)
    assert.deepEqual(
      own.map((one) => [one.kind, one.body.paid]),
      [['checkout.expired', '0.00']],
    )
  }
})

test('an event of a checkout is delivered only to endpoints that subscribe to its kind', async () => {
  const [[endpoint] = []] = await sql(
    `insert into webhook_endpoints (account_id, id, url, kinds, headers, secret_sealed, created_at)
     values ($1, gen_random_uuid(), 'https://shop.example.com/hook', array['checkout.completed'], '{}', '\\x00', $2) returning id`,
    [service.accountId, new Date(clock.now()).toISOString()],
  )
  const paidOne = await newCheckout()
  await send(`${paidOne.page}/wallet/`, { wallet: main })
  const paid = reference()
  await send(`${paidOne.page}/reference/`, { reference: paid })
  await pay('1500', paid)
  const expired = await newCheckout({ expires_in: 300 })
  await sweep()
  clock.advance(300_000)
  await sweep()
  assert.equal((await read(expired.id)).status, 'EXPIRED')
  const queued = await sql(
    'select e.kind from deliveries d join events e on e.account_id = d.account_id and e.id = d.event_id where d.endpoint_id = $1',
    [endpoint],
  )
  assert.deepEqual(queued, [['checkout.completed']])
})

test('paying the rest four times at once books the first payment once', async () => {
  const { id, page } = await newCheckout({ allow_remaining: true })
  await send(`${page}/wallet/`, { wallet: main })
  const first = reference()
  await pay('1400', first)
  await send(`${page}/reference/`, { reference: first })
  const answers = await Promise.all(Array.from({ length: 4 }, () => send(`${page}/rest/`, {})))
  assert.deepEqual([...new Set(answers.map((one) => one.status))], [303])
  const { paid, intents } = await read(id)
  assert.deepEqual([paid, intents.length], ['1400.00', 3])
})

test('the money invariants hold after all these races', async () => {
  await sweep()
  await assertMoneyInvariants(sql)
})
