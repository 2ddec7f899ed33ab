/**
 * The same stories against the fake and against the service, through the SDK: every operation of the checkout API, and the
 * answers must be equal, errors included.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Checkout, PaymentLink } from '@sanad/sdk'
import { idOf, openWorlds } from './fake-and-service.ts'

const { demo, readOperations, story, storyNumber } = await openWorlds()

const reference = (n: number): string => `8800000${String(storyNumber()).padStart(2, '0')}${n}`

story(
  'create by amount and by lines, retrieve, repeat with the key, and with another body',
  async (world, note, tag) => {
    const { sanad, advance } = world
    const body = {
      amount: '1500',
      external_order_id: tag,
      description: 'بن يمني',
      return_url: 'https://shop.example.com/thanks',
      cancel_url: 'http://127.0.0.1:3000/basket',
      metadata: { basket: '77' },
      customer: { name: 'Ali Example', phone: '+967 770 000 000' },
      locale: 'ar' as const,
      expires_in: 600,
      wallets: [demo.wallets.main, demo.wallets.main],
    }
    const idempotencyKey = crypto.randomUUID()
    const checkout = await note(sanad.checkouts.create(body, { idempotencyKey }))
    advance(1000)
    await note(sanad.checkouts.create(body, { idempotencyKey }))
    await note(sanad.checkouts.create({ ...body, amount: '1501' }, { idempotencyKey }))
    await note(sanad.checkouts.retrieve(idOf(checkout)))
    const items = [{ name: 'Tea', price: '0.10', quantity: 3 }]
    await note(sanad.checkouts.create({ items, allow_remaining: true }))
    // Its ten minutes end: it is expired, and the call with its key returns it as expired.
    advance(600_000)
    await note(sanad.checkouts.create(body, { idempotencyKey }))
  },
)

story('every way in which a checkout is wrong', async ({ sanad }, note) => {
  const wrong: unknown[] = [
    {},
    { amount: '0' },
    { amount: 'x', currency: 'USD', external_order_id: 'x'.repeat(129), description: 'd'.repeat(501) },
    { amount: '1', wallets: 'x' },
    { amount: '1', wallets: ['x', null] },
    { amount: '1', wallets: [demo.wallets.off, demo.wallets.inactive, '00000000-0000-4000-8000-000000000000'] },
    { wallets: [demo.wallets.off] },
    { amount: '1', wallets: [demo.wallets.main, demo.wallets.main, demo.wallets.off, demo.wallets.off] },
    { amount: '1', return_url: 'ftp://shop.example.com', cancel_url: 'http://shop.example.com/' },
    { amount: '1', return_url: 'https://user:secret@shop.example.com', cancel_url: 'shop' },
    { amount: '1', metadata: [] },
    { amount: '1', metadata: { a: null, b: {}, c: 'x'.repeat(501), ['n'.repeat(41)]: 'x', '': 'x' } },
    { amount: '1', metadata: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`n${n}`, 'x'])) },
    { amount: '1', customer: 'Ali' },
    { amount: '1', customer: { name: 'n'.repeat(101), phone: 'call me' } },
    { amount: '1', locale: 'fr', expires_in: 299, allow_remaining: 'perhaps' },
    { amount: '1', expires_in: 604801 },
    { amount: '1', expires_in: 'soon' },
    { items: [{ name: 'gift', price: '0' }] },
    { items: [{ name: '', price: 'x' }], locale: null },
  ]
  // Without types, which would not allow these bodies.
  for (const body of wrong) await note(sanad.checkouts.create(body as never))
  for (const unknown of ['00000000-0000-4000-8000-000000000000', 'no-id']) {
    await note(sanad.checkouts.retrieve(unknown))
    await note(sanad.checkouts.cancel(unknown))
  }
})

story('a buyer pays on the page: complete, with its events', async (world, note, tag) => {
  const { sanad, advance, payPage, events } = world
  const items = [{ name: 'Tea', price: '7.50', quantity: 2 }]
  const { id } = await sanad.checkouts.create({ items, external_order_id: tag, metadata: { basket: '7' } })
  advance(1000)
  await payPage({ checkout: id }, '15.00', reference(1))
  const checkout = (await note(sanad.checkouts.retrieve(id))) as Checkout
  assert.deepEqual([checkout.status, checkout.paid], ['COMPLETE', '15.00'], world.name)
  await note(sanad.intents.retrieve(checkout.intents[0]!.id))
  await note(sanad.checkouts.cancel(id))
  const reported = (await note(events(`"order_id":"${tag}"`))) as { event: string }[]
  assert.deepEqual(
    reported.map(({ event }) => event),
    ['payment.verified', 'checkout.completed'],
    world.name,
  )
})

story(
  'too little, then the rest; and where the rest may not be paid, the whole amount again',
  async (world, note, tag) => {
    const { sanad, advance, payPage, events } = world
    for (const [n, allow_remaining] of [true, false].entries()) {
      const made = await sanad.checkouts.create({ amount: '15.00', external_order_id: `${tag}-${n}`, allow_remaining })
      await payPage({ checkout: made.id }, '10.00', reference(2 * n))
      advance(1000)
      await note(sanad.checkouts.retrieve(made.id))
      await payPage({ checkout: made.id }, allow_remaining ? '5.00' : '15.00', reference(2 * n + 1))
      const checkout = (await note(sanad.checkouts.retrieve(made.id))) as Checkout
      assert.deepEqual([checkout.status, checkout.paid], ['COMPLETE', '15.00'], world.name)
      await note(events(`"order_id":"${tag}-${n}"`))
    }
  },
)

story('expired after a wrong amount, and cancelled twice', async (world, note, tag) => {
  const { sanad, advance, payPage, events } = world
  const { id } = await sanad.checkouts.create({ amount: '9.00', external_order_id: tag, expires_in: 300 })
  await payPage({ checkout: id }, '8.00', reference(1))
  advance(3_600_000)
  const expired = (await note(sanad.checkouts.retrieve(id))) as Checkout
  assert.equal(expired.status, 'EXPIRED', world.name)
  await note(sanad.checkouts.cancel(id))
  const reported = (await note(events(`"order_id":"${tag}"`))) as { event: string }[]
  assert.deepEqual(
    reported.map(({ event }) => event),
    ['checkout.expired'],
    world.name,
  )
  const other = await sanad.checkouts.create({ amount: '9.00' })
  await note(sanad.checkouts.cancel(other.id))
  // The service refuses to cancel it again; the SDK reads the checkout and returns it as cancelled.
  await note(sanad.checkouts.cancel(other.id))
})

story('an intent and the rest end with their checkout, to the second', async (world, note, tag) => {
  const { sanad, advance, payPage, events } = world
  const { id } = await sanad.checkouts.create({
    amount: '9.00',
    external_order_id: tag,
    expires_in: 300,
    allow_remaining: true,
  })
  advance(280_000)
  await payPage({ checkout: id }, '8.00', reference(1))
  advance(10_000)
  await payPage({ checkout: id }, '0.40', reference(2))
  const open = (await note(sanad.checkouts.retrieve(id))) as Checkout
  assert.deepEqual([open.status, open.intents.length], ['OPEN', 3], world.name)
  for (const intent of open.intents) assert.equal(intent.expires_at, open.expires_at, world.name)
  advance(9_999)
  assert.equal(((await note(sanad.checkouts.retrieve(id))) as Checkout).status, 'OPEN', world.name)
  advance(1)
  const ended = (await note(sanad.checkouts.retrieve(id))) as Checkout
  assert.deepEqual([ended.status, ended.ended_at], ['EXPIRED', ended.expires_at], world.name)
  await note(events(`"order_id":"${tag}"`))
})

story('lists of checkouts: filters, orders, pages, and what is wrong with them', async (world, note, tag) => {
  const { sanad, advance, payPage } = world
  const first = await sanad.checkouts.create({ amount: '1.00' })
  const created_after = new Date(first.created_at)
  for (const [n, amount] of ['30.00', '10.00', '20.00'].entries()) {
    advance(1000)
    const made = await sanad.checkouts.create({
      amount,
      external_order_id: `${tag} ${n}`,
      description: 'Ground Coffee',
    })
    if (n === 1) await payPage({ checkout: made.id }, amount, reference(1))
  }
  const all = { created_after, page_size: 2 }
  await note(sanad.checkouts.page(all))
  await note(sanad.checkouts.page({ ...all, page: 'last' }))
  await note(sanad.checkouts.page({ ...all, page: 9 }))
  const listed = (await note(Array.fromAsync(sanad.checkouts.list(all)))) as Checkout[]
  assert.equal(listed.length, 4, world.name)
  for (const ordering of ['created_at', 'amount', '-amount', 'status', '-status'] as const)
    await note(sanad.checkouts.page({ created_after, ordering }))
  await note(sanad.checkouts.page({ created_after, status: ['COMPLETE', 'EXPIRED'] }))
  await note(sanad.checkouts.page({ created_after, status: 'OPEN', search: 'coffee ground' }))
  await note(sanad.checkouts.page({ created_after, external_order_id: `${tag} 2` }))
  await note(sanad.checkouts.page({ created_after, reference: reference(1) }))
  await note(sanad.checkouts.page({ created_after, wallet: demo.wallets.main }))
  await note(sanad.checkouts.page({ created_before: new Date(created_after.getTime() - 1000), search: tag }))
  await note(sanad.checkouts.page({ status: 'PAID' as never, wallet: 'x', created_after: 'yesterday' }))
})

story('payment links: created, listed, paid, switched off, and what is wrong with them', async (world, note, tag) => {
  const { sanad, payPage, events } = world
  const before = (await sanad.links.page()).count
  const link = (await note(
    sanad.links.create({ amount: '25.00', description: 'Delivery', external_order_id: tag, metadata: { a: '1' } }),
  )) as PaymentLink
  await note(sanad.links.create({ min_amount: '1.00', max_amount: '50000.00', once: true, locale: 'en' }))
  await note(sanad.links.retrieve(link.id))
  const page = await sanad.links.page({ page_size: 1 })
  assert.equal(page.count, before + 2, world.name)
  await note(Promise.resolve(page.results))
  assert.equal((await Array.fromAsync(sanad.links.list({ page_size: 1 }))).length, before + 2, world.name)
  await payPage({ link: link.id }, '25.00', reference(1))
  const made = (await note(sanad.checkouts.page({ external_order_id: tag }))) as { results: Checkout[] }
  assert.deepEqual(
    made.results.map(({ status, link: linkId }) => [status, linkId]),
    [['COMPLETE', link.id]],
    world.name,
  )
  await note(events(`"order_id":"${tag}"`))
  await note(sanad.links.update(link.id, { active: false }))
  for (const body of [{}, { active: null }, { active: 'perhaps' }])
    await note(sanad.links.update(link.id, body as never))
  await note(sanad.links.update('no-id', { active: true }))
  await note(sanad.links.retrieve('00000000-0000-4000-8000-000000000000'))
  for (const body of [
    { min_amount: '10', max_amount: '9' },
    { amount: '0', wallets: [demo.wallets.off], once: 'x', return_url: 'x', expires_in: 1 },
    { amount: 'x', min_amount: 'x', metadata: 'x', locale: 'x' },
  ])
    await note(sanad.links.create(body as never))
})

/** Whether the page takes the payment: a page that refuses is an error page of the service, and an exception of the fake. */
const tried = (paying: Promise<void>): Promise<string> =>
  paying.then(
    () => 'paid',
    () => 'refused',
  )

story('too much, then exactly; and three parts where the rest may be paid', async (world, note, tag) => {
  const { sanad, advance, payPage, events } = world
  for (const [n, amounts] of [
    ['20.00', '15.00'],
    ['5.00', '4.00', '6.00'],
  ].entries()) {
    const external_order_id = `${tag}-${n}`
    const { id } = await sanad.checkouts.create({ amount: '15.00', external_order_id, allow_remaining: true })
    for (const [part, amount] of amounts.entries()) {
      await payPage({ checkout: id }, amount, reference(5 * n + part))
      advance(1000)
      await note(sanad.checkouts.retrieve(id))
    }
    assert.equal((await sanad.checkouts.retrieve(id)).status, 'COMPLETE', world.name)
    await note(events(`"order_id":"${external_order_id}"`))
  }
})

story('pages that take no payment: cancelled, expired, paid, switched off, out of bounds', async (world, note, tag) => {
  const { sanad, advance, payPage } = world
  const make = (n: number) =>
    sanad.checkouts.create({ amount: '5.00', external_order_id: `${tag}-${n}`, expires_in: 300 })
  const [cancelled, expired, paid] = [await make(1), await make(2), await make(3)]
  await sanad.checkouts.cancel(cancelled.id)
  await note(tried(payPage({ checkout: paid.id }, '5.00', reference(1))))
  await note(tried(payPage({ checkout: paid.id }, '5.00', reference(2))))
  await note(tried(payPage({ checkout: cancelled.id }, '5.00', reference(3))))
  advance(300_000)
  await note(tried(payPage({ checkout: expired.id }, '5.00', reference(4))))
  for (const { id } of [cancelled, expired, paid]) await note(sanad.checkouts.retrieve(id))

  const bounds = { min_amount: '10.00', max_amount: '20.00', external_order_id: tag }
  const open = await sanad.links.create(bounds)
  const once = await sanad.links.create({ ...bounds, once: true })
  for (const [n, amount] of ['9.99', '20.01', '10.00', '20.00'].entries())
    await note(tried(payPage({ link: open.id }, amount, reference(5 + n))))
  // A number that paid another order is refused; then the link is in use, and only with this amount.
  await note(tried(payPage({ link: once.id }, '12.00', reference(1))))
  for (const [n, amount] of ['9.00', '13.00', '12.00', '12.00'].entries())
    await note(tried(payPage({ link: once.id }, amount, `9${reference(n)}`)))
  await sanad.links.update(open.id, { active: false })
  await note(tried(payPage({ link: open.id }, '15.00', reference(9))))
  await note(sanad.checkouts.page({ external_order_id: tag }))
})

story('a number that paid another order is refused; the page goes on with its intent', async (world, note, tag) => {
  const { sanad, advance, payPage, events } = world
  const make = (n: number) =>
    sanad.checkouts.create({ amount: '5.00', external_order_id: `${tag}-${n}`, expires_in: 300 })
  const [first, corrected, left, cancelled] = [await make(1), await make(2), await make(3), await make(4)]
  await payPage({ checkout: first.id }, '5.00', reference(1))
  for (const { id } of [corrected, left, cancelled]) {
    await note(tried(payPage({ checkout: id }, '5.00', reference(1))))
    await note(sanad.checkouts.retrieve(id))
  }
  await note(tried(payPage({ checkout: corrected.id }, '5.00', reference(2))))
  await note(sanad.checkouts.retrieve(corrected.id))
  // Its open intent ends with it.
  await note(sanad.checkouts.cancel(cancelled.id))
  // Its own time is over, but a buyer may be paying its intent: it ends with that.
  advance(300_000)
  await note(sanad.checkouts.retrieve(left.id))
  advance(3_300_000)
  const ended = (await note(sanad.checkouts.retrieve(left.id))) as Checkout
  assert.deepEqual([ended.status, ended.ended_at], ['EXPIRED', ended.intents[0]!.expires_at], world.name)
  // The service may store the ends of two checkouts in any order.
  const reported = (await events(`"order_id":"${tag}-`)) as { event: string; order_id: string }[]
  const name = (one: { event: string; order_id: string }) => `${one.order_id} ${one.event}`
  await note(Promise.resolve(reported.toSorted((one, other) => (name(one) < name(other) ? -1 : 1))))
})

story('the bounds of every field, from both sides', async ({ sanad }, note, tag) => {
  const line = { name: 'x', price: '1' }
  const metadata = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, at) => [`n${at}`, 'x']))
  for (const body of [
    { items: Array.from({ length: 500 }, () => line) },
    { items: Array.from({ length: 501 }, () => line) },
    { amount: '1', wallets: Array.from({ length: 50 }, () => demo.wallets.main) },
    { amount: '1', wallets: Array.from({ length: 51 }, () => demo.wallets.main) },
    { amount: '1', metadata: { ...metadata(19), ['😀'.repeat(40)]: '😀'.repeat(500) } },
    { amount: '1', metadata: metadata(21) },
    { amount: '1', description: '😀'.repeat(500), external_order_id: 'ع'.repeat(128), expires_in: 300 },
    { amount: '999999999999.99', expires_in: 604_800, return_url: `https://shop.example.com/${'x'.repeat(1975)}` },
    { amount: '1', return_url: `https://shop.example.com/${'x'.repeat(1976)}` },
    { amount: '0.01', customer: { name: '😀'.repeat(100), phone: '7700' } },
  ])
    await note(sanad.checkouts.create(body))
  for (const wrong of [0, -1, 1.5]) {
    await note(sanad.checkouts.page({ external_order_id: tag, page_size: wrong }))
    await note(sanad.checkouts.page({ external_order_id: tag, page: wrong }))
    await note(sanad.links.page({ page: wrong }))
  }
})

story('idempotency keys: their length, their life, and one key at two APIs', async ({ sanad, advance }, note, tag) => {
  const body = { amount: '7.00', external_order_id: tag, metadata: { b: '2', a: '1' } }
  const idempotencyKey = `${tag}${'k'.repeat(128 - tag.length)}`
  // A refused create uses no key.
  await note(sanad.checkouts.create({ ...body, amount: '0' }, { idempotencyKey }))
  const first = await note(sanad.checkouts.create(body, { idempotencyKey }))
  // The same fields in another order are the same body; another text of the same amount is not.
  const reordered = { metadata: { a: '1', b: '2' }, external_order_id: tag, amount: '7.00' }
  assert.equal(idOf(await note(sanad.checkouts.create(reordered, { idempotencyKey }))), idOf(first))
  await note(sanad.checkouts.create({ ...body, amount: '7.0' }, { idempotencyKey }))
  // Wrong and with a used key: what is wrong comes first.
  await note(sanad.checkouts.create({ ...body, amount: '0' }, { idempotencyKey }))
  const intent = { wallet: demo.wallets.main, amount: '7.00' }
  const other = await note(sanad.intents.create(intent, { idempotencyKey }))
  advance(86_400_000 - 1)
  assert.equal(idOf(await note(sanad.checkouts.create(body, { idempotencyKey }))), idOf(first))
  // Only the stored answer: `intents.create` reads the intent of a repeated key again, which has expired.
  await note(sanad.intents.create(intent, { idempotencyKey }))
  advance(1)
  assert.notEqual(idOf(await note(sanad.checkouts.create(body, { idempotencyKey }))), idOf(first))
  assert.notEqual(idOf(await note(sanad.intents.create(intent, { idempotencyKey }))), idOf(other))
})

test('every operation of the document was called through the SDK', () => {
  assert.deepEqual(readOperations('checkout').missing, [])
})
