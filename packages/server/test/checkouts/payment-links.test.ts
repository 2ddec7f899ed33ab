/** Payment links: the API creates and switches them; buyers open them and get a checkout, once or many times. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PaymentLink, PaymentLinkPage } from '@sanad/contract/checkout'
import { Check } from 'typebox/value'
import { errorsOf } from '../support/story.ts'
import { openCheckouts, textOf } from './checkout-story.ts'

const service = await openCheckouts()
const { askCheckout, demo, open, pay, read, send, sql } = service

const link = async (body: Record<string, unknown>): Promise<{ readonly id: string; readonly page: string }> => {
  const answer = await askCheckout('POST', '/links/', { body })
  assert.equal(answer.status, 201, answer.text)
  assert.ok(Check(PaymentLink, answer.body), answer.text)
  return { id: answer.body.id, page: new URL(answer.body.url).pathname }
}

/** Presses the button of the link's page; returns the path of the new checkout's page. */
const startCheckout = async (page: string, fields: Record<string, string> = {}): Promise<string> => {
  const answer = await send(page, fields)
  assert.equal(answer.status, 303, answer.text)
  return String(answer.headers.location).split('?')[0]!
}

const checkoutsOf = async (id: string): Promise<string[]> =>
  (await sql('select id from checkouts where link_id = $1 order by id', [id])).map(([checkout]) => String(checkout))

test('a link with a fixed amount creates a checkout for each buyer, and none when it is only opened', async () => {
  const { id, page } = await link({ amount: '2500', description: 'Delivery', metadata: { a: '1' }, expires_in: 600 })
  const shown = await open(page)
  assert.match(textOf(shown.text), /Pay Demo shop.*Delivery.*2,500 YER.*Continue to pay/)
  assert.deepEqual(await checkoutsOf(id), [])
  const [firstPage, secondPage] = [await startCheckout(page, { amount: '1' }), await startCheckout(page)]
  assert.notEqual(firstPage, secondPage)
  const [first] = await checkoutsOf(id)
  const checkout = await read(first!)
  assert.deepEqual(
    [checkout.amount, checkout.link, checkout.metadata, checkout.description],
    ['2500.00', id, { a: '1' }, 'Delivery'],
  )
  assert.equal(Date.parse(checkout.expires_at) - Date.parse(checkout.created_at), 600_000)
  assert.match(textOf((await open(firstPage)).text), /2,500 YER.*Choose your wallet/)
})

test('an open amount is accepted within its bounds, in any digits', async () => {
  const { id, page } = await link({ min_amount: '100', max_amount: '5000.50' })
  assert.match(textOf((await open(page)).text), /How much will you pay\? From 100 YER to 5,000\.50 YER/)
  for (const amount of ['', '99.99', '5000.51', 'junk', '-5', '1e9'])
    assert.match((await send(page, { amount })).text, /This amount is not accepted/, amount)
  assert.deepEqual(await checkoutsOf(id), [])
  await startCheckout(page, { amount: '١٬٥٠٠' })
  await startCheckout(page, { amount: '5,000.50' })
  const amounts = await Promise.all((await checkoutsOf(id)).map(async (checkout) => (await read(checkout)).amount))
  assert.deepEqual(amounts.sort(), ['1500.00', '5000.50'])
})

test('a link that can be paid once: simultaneous buyers share one checkout, and none is created after it was paid', async () => {
  const { id, page } = await link({ amount: '1500', once: true })
  const pages = await Promise.all(Array.from({ length: 4 }, () => startCheckout(page)))
  assert.equal(new Set(pages).size, 1)
  const [own] = await checkoutsOf(id)
  await send(`${pages[0]}/wallet/`, { wallet: demo.wallets.main })
  await pay('1500', '660000000001')
  await send(`${pages[0]}/reference/`, { reference: '660000000001' })
  assert.equal((await read(own!)).status, 'COMPLETE')
  assert.match((await send(page, {})).text, /has been paid already/)
  assert.equal((await checkoutsOf(id)).length, 1)
})

test('a link that can be paid once, with an open amount: another amount replaces the checkout until a wallet is chosen', async () => {
  const { id, page } = await link({ min_amount: '100', once: true })
  const first = await startCheckout(page, { amount: '250' })
  assert.equal(await startCheckout(page, { amount: '250.00' }), first)
  const second = await startCheckout(page, { amount: '300' })
  assert.match(textOf((await open(second)).text), /300 YER.*Choose your wallet/)
  assert.match(textOf((await open(first)).text), /cancelled/i)
  // Of several simultaneous amounts one checkout stays open.
  await Promise.all(['310', '320', '330'].map((amount) => startCheckout(page, { amount })))
  const statuses = async () =>
    Promise.all((await checkoutsOf(id)).map(async (checkout) => (await read(checkout)).status))
  assert.deepEqual((await statuses()).filter((status) => status === 'OPEN').length, 1)

  const third = await startCheckout(page, { amount: '400' })
  await send(`${third}/wallet/`, { wallet: demo.wallets.main })
  const refused = await send(page, { amount: '500' })
  assert.equal(refused.status, 400)
  assert.match(textOf(refused.text), /another amount was started with this link/)
  assert.equal(await startCheckout(page, { amount: '400' }), third)
  await pay('400', '660000000002')
  await send(`${third}/reference/`, { reference: '660000000002' })
  assert.match((await send(page, { amount: '500' })).text, /has been paid already/)
  assert.deepEqual(new Set(await statuses()), new Set(['CANCELLED', 'COMPLETE']))
})

test('a link that is switched off creates no more checkouts; its earlier checkouts stay open', async () => {
  const { id, page } = await link({ amount: '1500' })
  const earlier = await startCheckout(page)
  const off = await askCheckout('PATCH', `/links/${id}/`, { body: { active: false } })
  assert.deepEqual([off.status, off.body.active], [200, false])
  assert.match((await open(page)).text, /switched off/)
  assert.equal((await send(page, {})).status, 400)
  assert.match((await open(earlier)).text, /Choose your wallet/)
  assert.equal((await askCheckout('PATCH', `/links/${id}/`, { body: { active: true } })).body.active, true)
  await startCheckout(page)
  assert.deepEqual(errorsOf(await askCheckout('PATCH', `/links/${id}/`, { body: {} })), ['required@active'])
})

test('all bad fields are reported and nothing is created; links of other accounts are not found', async () => {
  const before = (await askCheckout('GET', '/links/')).body.count
  const wrong = await askCheckout('POST', '/links/', {
    body: { amount: '0', return_url: 'http://shop.example.com', wallets: [demo.wallets.off], once: 'x' },
  })
  assert.deepEqual(errorsOf(wrong), [
    'min_value@amount',
    'invalid@return_url',
    'invalid@once',
    'wallet_not_monitored@wallets.0',
  ])
  assert.deepEqual(errorsOf(await askCheckout('POST', '/links/', { body: { min_amount: '10', max_amount: '9' } })), [
    'min_value@max_amount',
  ])
  const list = await askCheckout('GET', '/links/?page_size=2')
  assert.ok(Check(PaymentLinkPage, list.body), list.text)
  assert.deepEqual([list.body.count, list.body.results.length], [before, 2])
  const token = await service.tokenFor(demo.other.client_id, demo.other.client_secret)
  const { id, page } = await link({ amount: '1' })
  assert.equal((await askCheckout('GET', `/links/${id}/`, { token })).status, 404)
  assert.equal((await askCheckout('PATCH', `/links/${id}/`, { token, body: { active: false } })).status, 404)
  assert.equal((await askCheckout('GET', '/links/', { token })).body.count, 0)
  // The token of a link does not open a checkout, nor the other way round.
  assert.equal((await open(page.replace('/link/', '/'))).status, 404)
  assert.equal((await open((await startCheckout(page)).replace('/pay/', '/pay/link/'))).status, 404)
  assert.equal((await send(`/pay/link/${'x'.repeat(27)}`, {})).status, 404)
})
