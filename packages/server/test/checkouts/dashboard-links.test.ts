/** Payment links in the dashboard: created, switched off and on, downloaded as a QR code; the counts of each step are exact. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { listPaymentLinks, showPaymentLink } from '@sanad/contract/dashboard/checkouts/payment-links'
import { Check } from 'typebox/value'
import { encode } from 'uqr'
import { askAt, errorsOf } from '../support/story.ts'
import { createMembers } from '../support/users.ts'
import { openCheckouts } from './checkout-story.ts'

const service = await openCheckouts()
const { clock, demo, open, pay, send, sweep } = service
const members = await createMembers(service)
const path = '/payment-links/'

const created = async (body: Record<string, unknown>, member = members.cashier) => {
  const answer = await member.ask('POST', path, { body })
  assert.equal(answer.status, 201, answer.text)
  assert.ok(Check(showPaymentLink.answer, answer.body), answer.text)
  const { url } = answer.body
  assert.ok(url !== null)
  return { ...answer.body, url, page: new URL(url).pathname }
}
const funnelOf = async (id: string) => (await members.viewer.ask('GET', `${path}${id}/`)).body.funnel
const startCheckout = async (page: string, fields: Record<string, string> = {}): Promise<string> => {
  const answer = await send(page, fields)
  assert.equal(answer.status, 303, answer.text)
  return String(answer.headers.location).split('?')[0]!
}

test('a link counts as opened when a browser has loaded its page; previews do not count or use up the link', async () => {
  const { id, page } = await created({ amount: '1500', description: 'Honey', once: true })
  const opened = async () => (await funnelOf(id)).opened
  // For a preview, a chat app loads only the page, as often as it likes.
  for (const agent of ['WhatsApp/2.23.20.0', 'TelegramBot (like TwitterBot)', 'facebookexternalhit/1.1']) {
    const shown = await open(page, { 'user-agent': agent })
    assert.equal(shown.status, 200)
    assert.ok(!/<meta[^>]+og:image/.test(shown.text), 'a preview would load it')
  }
  assert.equal((await askAt(service.origin + page, 'HEAD', {})).status, 200)
  assert.equal(await opened(), 0)

  const [, picture] = /<img class="seen" src="([^"]+)"/.exec((await open(page)).text)!
  assert.equal(picture, `${page}/seen`)
  const loaded = await open(picture!, { 'sec-fetch-dest': 'image' })
  assert.deepEqual([loaded.status, loaded.headers['content-type']], [200, 'image/gif'])
  // A browser that caches the picture does not request it again when the page is loaded again.
  assert.match(String(loaded.headers['cache-control']), /^private, max-age=86400/)
  assert.equal(loaded.headers['set-cookie'], undefined)
  assert.equal(await opened(), 1)
  // An old browser sends no sec-fetch-dest.
  await open(picture!)
  assert.equal(await opened(), 2)
  for (const headers of [{ 'sec-fetch-dest': 'document' }, { 'sec-purpose': 'prefetch;prerender' }])
    assert.equal((await open(picture!, headers)).status, 200)
  assert.equal((await open(`/pay/link/${'x'.repeat(27)}/seen`)).status, 200)
  assert.deepEqual(await funnelOf(id), { opened: 2, started: 0, chosen: 0, sent: 0, paid: 0 })

  // The link is still unused: the buyer can pay with it.
  const own = await startCheckout(page)
  await send(`${own}/wallet/`, { wallet: demo.wallets.main })
  await pay('1500', '660000000077')
  await send(`${own}/reference/`, { reference: '660000000077' })
  await open(own)
  assert.deepEqual(await funnelOf(id), { opened: 2, started: 1, chosen: 1, sent: 1, paid: 1 })
  // Opening a link that is switched off is not counted.
  await members.cashier.ask('PATCH', `${path}${id}/`, { body: { active: false } })
  assert.ok(!(await open(page)).text.includes('class="seen"'))
  await open(picture!)
  assert.equal(await opened(), 2)
})

test('the funnel counts each checkout once at each step', async () => {
  const { id, page } = await created({ amount: '1500', description: 'Dates' })
  for (let times = 0; times < 3; times++) await open(page)
  assert.deepEqual(await funnelOf(id), { opened: 0, started: 0, chosen: 0, sent: 0, paid: 0 })

  const pages = [await startCheckout(page), await startCheckout(page), await startCheckout(page)]
  for (const buyerPage of pages) await open(buyerPage)
  assert.deepEqual(await funnelOf(id), { opened: 3, started: 3, chosen: 0, sent: 0, paid: 0 })

  // Two buyers choose a wallet, one of them twice.
  await send(`${pages[0]}/wallet/`, { wallet: demo.wallets.second })
  await send(`${pages[0]}/wallet/`, { wallet: demo.wallets.main })
  await send(`${pages[1]}/wallet/`, { wallet: demo.wallets.main })
  assert.deepEqual(await funnelOf(id), { opened: 3, started: 3, chosen: 2, sent: 0, paid: 0 })

  // One buyer sends several references at once.
  await Promise.all([1, 2, 3, 4].map((n) => send(`${pages[0]}/reference/`, { reference: `68000000000${n}` })))
  assert.deepEqual(await funnelOf(id), { opened: 3, started: 3, chosen: 2, sent: 1, paid: 0 })

  await send(`${pages[0]}/reference/`, { reference: '680000000009' })
  await pay('1500', '680000000009')
  // The end is stored once, by a page or by the background loop, whichever is first.
  await Promise.all([open(pages[0]!), open(pages[0]!), sweep()])
  assert.deepEqual(await funnelOf(id), { opened: 3, started: 3, chosen: 2, sent: 1, paid: 1 })
  clock.advance(7_200_000)
  await sweep()
  assert.deepEqual(await funnelOf(id), { opened: 3, started: 3, chosen: 2, sent: 1, paid: 1 })

  // The checkouts of the link are found by it.
  const list = (await members.viewer.ask('GET', `/checkouts/?link=${id}`)).body.results
  assert.equal(list.length, 3)
  assert.equal((await members.viewer.ask('GET', `/checkouts/?link=${id}&status=COMPLETE`)).body.results.length, 1)
  // A checkout without a link counts nowhere.
  const alone = await service.newCheckout({})
  await send(`${alone.page}/wallet/`, { wallet: demo.wallets.main })
  assert.deepEqual(await funnelOf(id), { opened: 3, started: 3, chosen: 2, sent: 1, paid: 1 })
})

test('the funnel is exact when many buyers act at once', async () => {
  const { id, page } = await created({ min_amount: '100', max_amount: '900' })
  const pages = await Promise.all(
    Array.from({ length: 12 }, (_, n) => startCheckout(page, { amount: String(100 + n) })),
  )
  await Promise.all(pages.map((buyerPage) => send(`${buyerPage}/wallet/`, { wallet: demo.wallets.main })))
  assert.deepEqual(await funnelOf(id), { opened: 12, started: 12, chosen: 12, sent: 0, paid: 0 })
})

test('one call switches a link off or on; a repeated call changes and logs nothing', async () => {
  const { id, page } = await created({ amount: '1500', description: 'Switched' })
  for (const active of [false, false, true])
    assert.equal((await members.cashier.ask('PATCH', `${path}${id}/`, { body: { active } })).body.active, active)
  await members.cashier.ask('PATCH', `${path}${id}/`, { body: { active: false } })
  assert.match((await open(page)).text, /switched off/)
  const log = (await members.owner.ask('GET', '/audit/?kind=payment_link')).body.results as {
    object: string
    action: string
  }[]
  assert.deepEqual(
    log.filter(({ object }) => object === id).map(({ action }) => action),
    ['payment_link.switch_off', 'payment_link.switch_on', 'payment_link.switch_off', 'payment_link.create'],
  )
  assert.deepEqual(errorsOf(await members.cashier.ask('PATCH', `${path}${id}/`, { body: { active: 'x' } })), [
    'invalid@active',
  ])
})

test('the QR code can be downloaded as SVG and as PNG, by roles that may share the link', async () => {
  const { id, url } = await created({ amount: '1500' })
  const svg = await members.cashier.ask('GET', `${path}${id}/qr/`)
  assert.deepEqual([svg.status, svg.headers['content-type']], [200, 'image/svg+xml'])
  assert.match(String(svg.headers['content-disposition']), /^attachment; filename="payment-link\.svg"$/)
  assert.match(svg.text, /^<svg/)
  const png = await fetch(`${service.origin}/api/v1/dashboard${path}${id}/qr/?format=png`, {
    headers: { cookie: `sanad_session=${members.cashier.session.token}` },
  })
  assert.equal(png.headers.get('content-type'), 'image/png')
  const bytes = Buffer.from(await png.arrayBuffer())
  // The pixel in the middle of each square has the colour that the code has there.
  const { data, size } = encode(url, { ecc: 'M', border: 4 })
  const side = bytes.readUInt32BE(16)
  const square = side / size
  const packed = bytes.subarray(bytes.indexOf('IDAT') + 4, bytes.indexOf('IEND') - 8)
  const pixels = inflateSync(packed)
  const isDark = (x: number, y: number): boolean => {
    const row = 1 + y * (1 + Math.ceil(side / 8))
    return ((pixels[row + (x >> 3)]! >> (7 - (x & 7))) & 1) === 0
  }
  const middle = (n: number): number => Math.floor((n + 0.5) * square)
  const read = data.map((line, y) => line.map((_, x) => isDark(middle(x), middle(y))))
  assert.deepEqual(read, data)
  assert.deepEqual(errorsOf(await members.cashier.ask('GET', `${path}${id}/qr/?format=gif`)), ['invalid_choice@format'])
  assert.equal((await members.viewer.ask('GET', `${path}${id}/qr/`)).status, 403)
})

test('a viewer reads links without their URL and changes nothing; other accounts see none', async () => {
  const { id, page } = await created({ amount: '1500' })
  const token = page.split('/').at(-1)!
  const shown = await members.viewer.ask('GET', `${path}${id}/`)
  assert.deepEqual([shown.body.url, shown.body.qr_svg], [null, null])
  const list = await members.viewer.ask('GET', path)
  assert.ok(Check(listPaymentLinks.answer, list.body), list.text)
  assert.ok(!list.text.includes(token) && !shown.text.includes(token))
  assert.equal((await members.viewer.ask('POST', path, { body: { amount: '1' } })).status, 403)
  assert.equal((await members.viewer.ask('PATCH', `${path}${id}/`, { body: { active: false } })).status, 403)
  for (const method of ['GET', 'PATCH'])
    assert.equal((await members.stranger.ask(method, `${path}${id}/`, { body: { active: false } })).status, 404)
  assert.equal((await members.stranger.ask('GET', `${path}${id}/qr/`)).status, 404)
  assert.deepEqual((await members.stranger.ask('GET', path)).body.results, [])
})

test('wrong fields are reported and nothing is created; the list is paged', async () => {
  const count = async (): Promise<number> =>
    (await members.viewer.ask('GET', `${path}?page_size=200`)).body.results.length
  const before = await count()
  assert.deepEqual(errorsOf(await members.cashier.ask('POST', path, { body: { amount: '-1', once: 'x' } })), [
    'min_value@amount',
    'invalid@once',
  ])
  assert.deepEqual(errorsOf(await members.cashier.ask('POST', path, { body: { min_amount: '9', max_amount: '8' } })), [
    'min_value@max_amount',
  ])
  assert.equal(await count(), before)
  const seen = new Set<string>()
  for (let next: string | null = ''; next !== null; ) {
    const page = await members.viewer.ask('GET', `${path}?page_size=2${next === '' ? '' : `&after=${next}`}`)
    for (const { id } of page.body.results as { id: string }[]) {
      assert.ok(!seen.has(id))
      seen.add(id)
    }
    next = page.body.next
  }
  assert.equal(seen.size, before)
})
