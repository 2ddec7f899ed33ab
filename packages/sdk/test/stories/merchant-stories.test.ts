/**
 * The same stories against the fake and against the service, through the SDK: every operation of the merchant API, and the
 * answers must be equal, errors included.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type CheckoutOptions,
  type Intent,
  memoryStore,
  Sanad,
  type SanadOptions,
  type StartedCheckout,
} from '@sanad/sdk'
import { morning } from '../../../server/test/support/story.ts'
import { idOf, openWorlds } from './fake-and-service.ts'

const { addEndpoint, demo, readOperations, story, storyNumber } = await openWorlds()

const wallet = demo.wallets.main

/** Does `meanwhile` once, after the first page of a list was read. */
const afterFirstPage = (fetch: NonNullable<SanadOptions['fetch']>, meanwhile: () => Promise<void>) => {
  let isDone = false
  const wrapped: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init)
    if (!isDone && init.method === 'GET' && url.includes('/intents/?')) {
      isDone = true
      await meanwhile()
    }
    return answer
  }
  return wrapped
}

story(
  'an intent that can be read only after newer ones: a list in ascending order returns it',
  async (world, note, tag) => {
    const { sanad, options, raw, advance } = world
    const created_after = new Date((await sanad.intents.create({ wallet, amount: '1.00' })).created_at)
    const create = async (amount: string) =>
      void (await sanad.intents.create({ wallet, amount, external_order_id: `${tag} late` }))
    for (const amount of ['2.00', '3.00', '4.00', '5.00']) {
      advance(2000)
      await create(amount)
    }
    const fetch = afterFirstPage(raw, async () => {
      advance(-5000)
      await create('99.00')
      advance(5000)
    })
    const list = new Sanad({ ...options, fetch }).intents.list({ created_after, ordering: 'created_at', page_size: 3 })
    const listed = (await note(Array.fromAsync(list))) as Intent[]
    const amounts = listed.map((intent) => intent.payable_amount)
    assert.deepEqual(amounts.toSorted(), ['1.00', '2.00', '3.00', '4.00', '5.00', '99.00'], world.name)
  },
)

story(
  'checkout.start: a paid intent that can be read only after 100 newer ones: the order is paid',
  async (world, note, tag) => {
    const { sanad, options, raw, advance, pay } = world
    const orderId = `${tag}-late`
    const create = (amount: string) => sanad.intents.create({ wallet, amount, external_order_id: orderId })
    for (let n = 0; n < 101; n++) {
      advance(20)
      await create('10.00')
    }
    const fetch = afterFirstPage(raw, async () => {
      advance(-1500)
      const { id } = await create('12.00')
      advance(1500)
      const reference = `7700000${storyNumber()}9`
      await sanad.intents.attachReference(id, reference)
      await pay('12.00', reference)
    })
    const started = await note(
      new Sanad({ ...options, fetch }).checkout.start({ orderId, wallet, amount: '10.00', store: memoryStore() }),
    )
    const { state, asked, paid } = started as StartedCheckout
    assert.deepEqual([state, asked, paid], ['paid', '10.00', '12.00'], world.name)
  },
)

story('wallets, with and without the test wallet', async ({ sanad }, note) => {
  await note(sanad.wallets.list())
  await note(sanad.wallets.list({ includeTest: true }))
})

story(
  'create by amount and by lines, retrieve, repeat with the key, and with another body',
  async ({ sanad }, note, tag) => {
    const body = { wallet, amount: '1500', external_order_id: `${tag}-1`, notes: 'ملاحظة' }
    const idempotencyKey = crypto.randomUUID()
    const intent = await note(sanad.intents.create(body, { idempotencyKey }))
    await note(sanad.intents.create(body, { idempotencyKey }))
    await note(sanad.intents.create({ ...body, amount: '1501' }, { idempotencyKey }))
    await note(sanad.intents.retrieve(idOf(intent)))
    const items = [
      { name: ' شاي ', price: '0.10', quantity: 3 },
      { name: 'Bread', price: '20.5', description: 'fresh' },
    ]
    await note(sanad.intents.create({ wallet, items }))
  },
)

story('every way in which an order is wrong', async ({ sanad }, note) => {
  const wrong: unknown[] = [
    {},
    { wallet },
    { wallet: 'x', amount: 'x' },
    // Not a random id: the sentence of the error contains it, and it would differ between the worlds.
    { wallet: '00000000-0000-4000-8000-000000000000', amount: '1' },
    { wallet: demo.wallets.off, amount: '1' },
    { wallet: demo.wallets.inactive, amount: '1' },
    { wallet, amount: '0' },
    { wallet, amount: '-5' },
    { wallet, amount: '100.500' },
    { wallet, amount: '1234567890123' },
    { wallet, amount: '123456789012345' },
    { wallet, amount: '1', currency: 'USD' },
    { wallet, amount: '1', notes: null, external_order_id: 'x'.repeat(129) },
    { wallet, items: 'x' },
    { wallet, items: [{ quantity: 0, price: 'x', name: '' }, null, {}, { name: 'n'.repeat(101), price: '1' }] },
    { wallet, items: [{ name: 'gift', price: '0' }] },
    {
      wallet,
      items: [
        { name: 'a', price: '999999999999.99' },
        { name: 'b', price: '0.01' },
      ],
    },
    { wallet, amount: '1', notes: [] },
  ]
  for (const body of wrong) {
    // Without types, which would not allow these bodies; the SDK itself refuses some of them.
    await note(
      sanad.intents.create(body as never).catch((fault) => (fault instanceof TypeError ? {} : Promise.reject(fault))),
    )
  }
})

story('the reference first, then the money: verified, with one event', async (world, note, tag) => {
  const { sanad, advance, pay, events } = world
  const intent = await note(sanad.intents.create({ wallet, amount: '1500.00', external_order_id: tag }))
  const reference = `7700000${storyNumber()}1`
  await note(sanad.intents.attachReference(idOf(intent), ` ${reference} `))
  await note(sanad.intents.attachReference(idOf(intent), reference))
  advance(1000)
  await pay('1500.00', reference)
  assert.equal((await sanad.intents.retrieve(idOf(intent))).status, 'VERIFIED', world.name)
  await note(sanad.intents.retrieve(idOf(intent)))
  await note(sanad.intents.wait(idOf(intent)))
  await note(sanad.intents.attachReference(idOf(intent), reference))
  await note(sanad.intents.attachReference(idOf(intent), 'ANOTHER'))
  // The money is spent: no second intent gets it.
  const second = await note(sanad.intents.create({ wallet, amount: '1500.00' }))
  await note(sanad.intents.attachReference(idOf(second), reference))
  const reported = (await note(events(reference))) as unknown[]
  assert.equal(reported.length, 1, world.name)
})

story(
  'the money first, then the reference; a wrong amount; and its money for an intent of that amount',
  async (world, note) => {
    const { sanad, advance, pay } = world
    const reference = `7700000${storyNumber()}2`
    const intent = await note(sanad.intents.create({ wallet, amount: '1500.00' }))
    advance(1000)
    await pay('1400.00', reference)
    advance(1000)
    await note(sanad.intents.attachReference(idOf(intent), reference))
    const other = await note(sanad.intents.create({ wallet, amount: '1400.00' }))
    advance(1000)
    await note(sanad.intents.attachReference(idOf(other), reference))
  },
)

story(
  'a reference that another intent holds; blank, long, missing ones; unknown intents',
  async ({ sanad, advance }, note) => {
    const first = await note(sanad.intents.create({ wallet, amount: '10.00' }))
    advance(1000)
    const second = await note(sanad.intents.create({ wallet, amount: '10.00' }))
    const reference = `ab ${storyNumber()}9`
    await note(sanad.intents.attachReference(idOf(first), reference))
    await note(sanad.intents.attachReference(idOf(second), reference.toUpperCase().replace(' ', '')))
    for (const wrong of ['', ' \u200b ', 'x'.repeat(129)])
      await note(sanad.intents.attachReference(idOf(second), wrong))
    for (const unknown of ['00000000-0000-4000-8000-000000000000', 'no-id']) {
      await note(sanad.intents.retrieve(unknown))
      await note(sanad.intents.attachReference(unknown, ''))
    }
    // The first expires, and frees its reference.
    advance(3_600_000 - 1000)
    await note(sanad.intents.retrieve(idOf(first)))
    await note(sanad.intents.attachReference(idOf(second), reference))
    advance(1000)
    await note(sanad.intents.attachReference(idOf(second), reference))
    for (let n = 0; n < 2; n++) await note(sanad.intents.retrieve(idOf(second)))
  },
)

story('an intent takes twenty references; the next one is refused', async ({ sanad }, note, tag) => {
  const intent = await note(sanad.intents.create({ wallet, amount: '10.00' }))
  for (let n = 1; n <= 21; n++) await note(sanad.intents.attachReference(idOf(intent), `${tag}-${n}`))
  await note(sanad.intents.attachReference(idOf(intent), `${tag}-1`))
})

story('lists: filters, orders, pages, and what is wrong with them', async ({ sanad, advance, pay }, note, tag) => {
  const reference = `7700000${storyNumber()}3`
  const created_after = new Date((await sanad.intents.create({ wallet, amount: '1.00' })).created_at)
  advance(1000)
  for (const [n, amount] of ['30.00', '10.00', '20.00'].entries()) {
    const intent = await sanad.intents.create({ wallet, amount, external_order_id: `${tag} order ${n}` })
    if (n === 1) await sanad.intents.attachReference(intent.id, reference)
    advance(1000)
  }
  await pay('10.00', reference)
  const all = { created_after, page_size: 2 }
  await note(sanad.intents.page(all))
  await note(sanad.intents.page({ ...all, page: 2 }))
  await note(sanad.intents.page({ ...all, page: 'last' }))
  await note(sanad.intents.page({ ...all, page: 9 }))
  await note(Array.fromAsync(sanad.intents.list(all)))
  await note(sanad.intents.page({ created_after, status: ['VERIFIED', 'WRONG_AMOUNT'] }))
  await note(sanad.intents.page({ created_after, status: 'PENDING', ordering: ['payable_amount'] }))
  await note(sanad.intents.page({ created_after, ordering: ['-verified_at', 'payable_amount'] }))
  await note(sanad.intents.page({ created_after, reference }))
  await note(sanad.intents.page({ created_after, external_order_id: `${tag} order 2` }))
  await note(sanad.intents.page({ created_after, search: `${tag.toLowerCase()} ORDER` }))
  await note(sanad.intents.page({ created_after, wallet: demo.wallets.second }))
  await note(sanad.intents.page({ created_before: new Date(morning - 1000) }))
  await note(sanad.intents.page({ status: 'PAID' as never, wallet: 'x', created_after: 'yesterday' }))
})

story(
  'late money that a user books to an expired intent is a new intent of the order, and its event',
  async (world, note, tag) => {
    const { sanad, advance, book, events } = world
    const store = memoryStore()
    const items = [{ name: 'Tea', price: '7.50', quantity: 2 }]
    const start = () => sanad.checkout.start({ orderId: tag, wallet, items, notes: 'n', store })
    const { intent } = (await note(start())) as { intent: Intent }
    advance(3_600_000)
    await note(start())
    advance(1000)
    const reference = `7700000${storyNumber()}4`
    await book(intent, reference)
    advance(1000)
    const { state } = (await note(start())) as { state: string }
    assert.equal(state, 'paid', world.name)
    await note(sanad.intents.page({ external_order_id: tag }))
    const reported = (await note(events(`"order_id":"${tag}"`))) as unknown[]
    assert.equal(reported.length, 1, world.name)
  },
)

story(
  'a user accepts the amount that came instead: a new intent over that amount, and the money is spent',
  async (world, note, tag) => {
    const { sanad, advance, pay, accept, events } = world
    const reference = `7700000${storyNumber()}5`
    const store = memoryStore()
    const start = () =>
      sanad.checkout.start({ orderId: tag, wallet, items: [{ name: 'Tea', price: '9.00' }], store, again: true })
    const { intent } = await start()
    await sanad.intents.attachReference(intent.id, reference)
    advance(1000)
    await pay('8.00', reference)
    await accept(await sanad.intents.retrieve(intent.id))
    advance(1000)
    const { state } = (await note(start())) as { state: string }
    assert.equal(state, 'paid', world.name)
    await note(sanad.intents.page({ external_order_id: tag }))
    await note(events(`"order_id":"${tag}"`))
    const thief = await sanad.intents.create({ wallet, amount: '8.00' })
    await note(sanad.intents.attachReference(thief.id, reference))
  },
)

/** `checkout.start` with one store for a story, and what it says in the end. */
const starter = (sanad: Sanad, orderId: string) => {
  const store = memoryStore()
  const start = (amount: string, more: Partial<CheckoutOptions> = {}) =>
    sanad.checkout.start({ orderId, wallet, amount, store, ...more })
  const summary = async (amount: string, more: Partial<CheckoutOptions> = {}) => {
    const { state, intent, attempt, asked, paid } = await start(amount, more)
    return { state, intent: intent.id, status: intent.status, attempt, asked, paid }
  }
  return { start, summary }
}

story('start for one amount, then for another or in another wallet: the first is paid', async (world, note, tag) => {
  const { sanad, advance, pay } = world
  for (const [n, change] of [{ amount: '12.00' }, { wallet: demo.wallets.second }].entries()) {
    const { start, summary } = starter(sanad, `${tag}-${n}`)
    const reference = `7700000${storyNumber()}${n}0`
    const first = await start('10.00')
    advance(1000)
    const second = await start('10.00', change)
    assert.deepEqual([second.state, second.attempt], ['pay', 2], world.name)
    await sanad.intents.attachReference(first.intent.id, reference)
    await note(summary('10.00', change))
    advance(1000)
    await pay('10.00', reference)
    const now = (await note(summary('10.00', change))) as { state: string; intent: string; paid: string }
    assert.deepEqual([now.state, now.intent, now.paid], ['paid', first.intent.id, '10.00'], world.name)
    // A server whose store was lost finds the payment as well, and makes no intent.
    await note(summary('12.00', { store: memoryStore() }))
    assert.equal((await sanad.intents.page({ external_order_id: `${tag}-${n}` })).count, 2, world.name)
  }
})

story('the amount that came for the first attempt is accepted while the second is open', async (world, note, tag) => {
  const { sanad, advance, pay, accept } = world
  const { start, summary } = starter(sanad, tag)
  const reference = `7700000${storyNumber()}1`
  const { intent } = await start('10.00')
  advance(1000)
  await start('12.00')
  await sanad.intents.attachReference(intent.id, reference)
  advance(1000)
  await pay('9.00', reference)
  const wrong = (await note(summary('12.00'))) as { state: string }
  assert.equal(wrong.state, 'wrong_amount', world.name)
  await accept(await sanad.intents.retrieve(intent.id))
  advance(1000)
  const now = (await note(summary('12.00'))) as { state: string; asked: string; paid: string }
  assert.deepEqual([now.state, now.asked, now.paid], ['paid', '12.00', '9.00'], world.name)
})

story(
  'late money is booked to the first attempt while the third is open; another program pays too',
  async (world, note, tag) => {
    const { sanad, advance, pay, book } = world
    const { start, summary } = starter(sanad, tag)
    const { intent } = await start('10.00')
    advance(3_600_000)
    await start('10.00')
    advance(1000)
    await start('12.00')
    await book(intent, `7700000${storyNumber()}1`)
    advance(1000)
    await note(summary('12.00'))
    const other = await sanad.intents.create({ wallet, amount: '2.00', external_order_id: tag })
    await sanad.intents.attachReference(other.id, `7700000${storyNumber()}2`)
    advance(1000)
    await pay('2.00', `7700000${storyNumber()}2`)
    const now = (await note(summary('12.00'))) as { state: string; paid: string }
    assert.deepEqual([now.state, now.paid], ['paid', '12.00'], world.name)
    await note(summary('12.00', { ignore: [other.id] }))
  },
)

story(
  'test money does not pay a real order, and real money is found behind a page of attempts',
  async (world, note, tag) => {
    const { sanad, advance, pay, payTest } = world
    const { start, summary } = starter(sanad, tag)
    const { intent } = await start('10.00', { wallet: demo.wallets.test })
    await sanad.intents.attachReference(intent.id, `TEST-${tag}`)
    advance(1000)
    await payTest('10.00', `TEST-${tag}`)
    await note(summary('10.00', { wallet: demo.wallets.test }))
    const real = (await note(summary('10.00'))) as { state: string }
    assert.equal(real.state, 'pay', world.name)
    const reference = `7700000${storyNumber()}1`
    for (let n = 0; n < 210; n++) {
      const made = await sanad.intents.create({ wallet, amount: '10.00', external_order_id: tag })
      if (n === 105) await sanad.intents.attachReference(made.id, reference)
      if (n % 2 === 0) advance(1)
    }
    advance(1000)
    await pay('10.00', reference)
    const now = (await note(summary('10.00'))) as { state: string }
    assert.equal(now.state, 'paid', world.name)
    // Read page by page while more rows than a page are added: each is there once, in both directions.
    for (const ordering of ['created_at', '-created_at'] as const) {
      const ids = new Set<string>()
      let rows = 0
      for await (const { id } of sanad.intents.list({ external_order_id: tag, page_size: 3, ordering })) {
        ids.add(id)
        if (++rows !== 3) continue
        advance(1000)
        for (let n = 0; n < 5; n++) await sanad.intents.create({ wallet, amount: '1.00', external_order_id: tag })
      }
      await note(Promise.resolve([rows, ids.size]))
      assert.equal(ids.size, rows, world.name)
    }
  },
)

story('the test wallet: every payment is reported, with what became of it', async (world, note, tag) => {
  const { sanad, advance, payTest, events } = world
  const body = { wallet: demo.wallets.test, amount: '20.00' }
  const [matched, wrong] = [await sanad.intents.create(body), await sanad.intents.create(body)]
  for (const [n, one] of [matched, wrong].entries()) await sanad.intents.attachReference(one.id, `TEST-${tag}-${n}`)
  for (const [n, amount] of ['20.00', '21.00', '20.00'].entries()) {
    advance(1000)
    await payTest(amount, `TEST-${tag}-${n}`)
  }
  const reported = (await note(events(`TEST-${tag}-`))) as unknown[]
  assert.equal(reported.length, 4, world.name)
  for (const one of [matched, wrong]) await note(sanad.intents.retrieve(one.id))
})

story('tokens: wrong credentials, none at all, and an unknown token', async ({ options, raw }, note) => {
  await note(new Sanad({ ...options, clientSecret: 'wrong' }).wallets.list())
  const base = options.baseUrl.replace(/(\/api\/v1\/merchant)?$/, '/api/v1/merchant')
  const ask = async (method: string, path: string, headers: Record<string, string>) => {
    const signal = new AbortController().signal
    const answer = await raw(base + path, { method, headers, signal, redirect: 'manual' })
    return [answer.status, JSON.parse(await answer.text()), answer.headers.get('www-authenticate')]
  }
  await note(ask('POST', '/token', {}))
  await note(ask('PUT', '/token', {}))
  await note(ask('GET', '/wallets/', {}))
  await note(ask('GET', '/wallets/', { authorization: 'Bearer unknown' }))
  await note(ask('GET', '/nothing/', {}))
})

story('a body may have 1 MiB: bytes are counted, not characters', async ({ options, raw }, note) => {
  const base = options.baseUrl.replace(/(\/api\/v1\/merchant)?$/, '/api/v1/merchant')
  const send = async (path: string, headers: Record<string, string>, body?: string) => {
    const signal = new AbortController().signal
    const request = { method: 'POST', headers, signal, redirect: 'manual' } as const
    const answer = await raw(base + path, body === undefined ? request : { ...request, body })
    return [answer.status, JSON.parse(await answer.text())] as const
  }
  const key = { 'service-client-id': options.clientId.toUpperCase(), 'service-client-secret': options.clientSecret }
  const [, { access_token }] = await send('/token/', key)
  const headers = { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' }
  // {"notes":"..."} has 12 bytes more than the note; an Arabic letter has two.
  const whole = (2 ** 20 - 12) / 2
  for (const letters of [whole, whole + 1])
    await note(send('/intents/', headers, JSON.stringify({ notes: 'ع'.repeat(letters) })))
})

story(
  'intents that end without being paid have their events where the shop subscribes to them',
  async (world, note, tag) => {
    const { sanad, advance, cancel, pay, events } = world
    if (world.name === 'service') await addEndpoint(['payment.wrong_amount', 'payment.expired', 'payment.cancelled'])
    const make = (n: number) => sanad.intents.create({ wallet, amount: '40.00', external_order_id: `${tag}-${n}` })
    const [wrong, cancelled, expired] = [await make(1), await make(2), await make(3)]
    const reference = `7700000${storyNumber()}6`
    await sanad.intents.attachReference(wrong.id, reference)
    advance(1000)
    await pay('39.00', reference)
    advance(1000)
    await cancel(cancelled.id)
    advance(3_700_000)
    assert.equal((await sanad.intents.retrieve(expired.id)).status, 'EXPIRED', world.name)
    const reported = (await note(events(`"order_id":"${tag}-`))) as unknown[]
    assert.equal(reported.length, 3, world.name)
  },
  { endEvents: true },
)

story(
  'money of an intent that was cancelled or has expired pays the next attempt, while it is a day old at most',
  async (world, note, tag) => {
    const { sanad, advance, cancel, pay, events } = world
    const make = (n: number) => sanad.intents.create({ wallet, amount: '60.00', external_order_id: `${tag}-${n}` })
    const reference = (n: number) => `7700000${storyNumber()}7${n}`
    const [cancelled, expired] = [await make(1), await make(2)]
    await sanad.intents.attachReference(cancelled.id, reference(1))
    await sanad.intents.attachReference(expired.id, reference(2))
    await cancel(cancelled.id)
    advance(1000)
    await pay('60.00', reference(1))
    advance(3_600_000)
    for (const n of [2, 3]) await pay('60.00', reference(n))
    for (const { id } of [cancelled, expired]) {
      await note(sanad.intents.retrieve(id))
      await note(sanad.intents.attachReference(id, 'ANOTHER'))
    }
    for (const n of [1, 2]) {
      const again = await make(n)
      const attached = (await note(sanad.intents.attachReference(again.id, reference(n)))) as Intent
      assert.equal(attached.status, 'VERIFIED', world.name)
    }
    const reported = (await events(`"order_id":"${tag}-`)) as { event: string }[]
    await note(Promise.resolve(reported.filter(({ event }) => event === 'payment.verified')))
  },
)

story('one payment and intents of other amounts: each ends, and only the exact one is paid', async (world, note) => {
  const { sanad, advance, pay } = world
  const reference = `7700000${storyNumber()}8`
  const amounts = ['1500.00', '1300.00', '1400.00', '1400.00']
  const [first, ...others] = await Promise.all(amounts.map((amount) => sanad.intents.create({ wallet, amount })))
  await sanad.intents.attachReference(first!.id, reference)
  advance(1000)
  await pay('1400.00', reference)
  // Reported once more: it is the same payment.
  await pay('1400.00', reference)
  await note(sanad.intents.retrieve(first!.id))
  for (const { id } of others) {
    advance(1000)
    await note(sanad.intents.attachReference(id, reference))
    await note(sanad.intents.retrieve(id))
  }
})

story('the bounds of every field, from both sides', async ({ sanad }, note) => {
  const line = { name: 'x', price: '1' }
  for (const body of [
    { wallet, items: Array.from({ length: 500 }, () => line) },
    { wallet, items: Array.from({ length: 501 }, () => line) },
    { wallet, items: [{ name: '😀'.repeat(100), description: 'ع'.repeat(500), price: '0.01', quantity: 2147483647 }] },
    { wallet, items: [{ name: 'x', description: 'ع'.repeat(501), price: '0.01', quantity: 2147483648 }] },
    { wallet, amount: '0.01', notes: '😀'.repeat(500), external_order_id: '😀'.repeat(128) },
    { wallet, amount: '999999999999.99', notes: '😀'.repeat(501) },
    { wallet: wallet.toUpperCase(), amount: '999999999999.99' },
  ])
    await note(sanad.intents.create(body))
  for (const query of [
    { page_size: 0 },
    { page_size: -1 },
    { page: 0 },
    { page: 1.5 },
    { search: '~*()!', page_size: 1 },
  ])
    await note(sanad.intents.page({ ...query, wallet: demo.wallets.second, created_before: new Date(morning - 1000) }))
})

story('money that waits for a day is too old for a reference', async ({ sanad, advance, pay }, note) => {
  const day = 86_400_000
  const reference = (n: number) => `7700000${storyNumber()}9${n}`
  for (const n of [1, 2]) await pay('60.00', reference(n))
  for (const [n, ms] of [day - 1, 1].entries()) {
    advance(ms)
    const intent = await sanad.intents.create({ wallet, amount: '60.00' })
    await note(sanad.intents.attachReference(intent.id, reference(n + 1)))
    await note(sanad.intents.retrieve(intent.id))
  }
})

test('every operation of the document was called through the SDK, and lists in queries are not exploded', () => {
  const { paths, missing } = readOperations('merchant')
  assert.deepEqual(missing, [])
  const parameters = Object.values(paths).flatMap((methods) =>
    Object.values(methods).flatMap((one) => one.parameters ?? []),
  )
  const lists = parameters.filter((one) => one.schema.type === 'array')
  assert.deepEqual(
    lists.map(({ name, explode }) => [name, explode]),
    [
      ['status', false],
      ['ordering', false],
    ],
  )
})
