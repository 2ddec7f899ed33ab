/**
 * The public voucher over HTTP: shared by a member or by the buyer, revoked by the shop, in every state of an intent. It shows the
 * first name of the payer at most, and says in its first line if it is not paid.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showIntent } from '@sanad/contract/dashboard/money/intents'
import { shareVoucher } from '@sanad/contract/dashboard/money/vouchers'
import { hour_ms } from '../../src/core/duration.ts'
import { zoneOf } from '../../src/core/zone.ts'
import { finishSales } from '../../src/matching/queue/finish-sales.ts'
import { openCheckouts, textOf } from '../checkouts/checkout-story.ts'
import { fits, queueStory } from '../support/queue-story.ts'
import type { Answer } from '../support/story.ts'
import { okBody } from '../support/story.ts'

const service = await openCheckouts()
const { clock, create, demo, open, send, sql, db, newCheckout } = service
const story = await queueStory(service)
const { attach, audited, cashier, manager, money, newReference, owner, record, report, stranger, viewer } = story
const { main } = demo.wallets
// A phone that was connected today is a doubt.
clock.advance(2 * 24 * hour_ms)

type Asks = typeof owner.ask
const newIntent = async (amount = '1500.00', fields: Record<string, unknown> = {}): Promise<string> =>
  okBody(await create({ wallet: main, amount, external_order_id: 'A-1042', ...fields })).id
const share = (id: string, ask: Asks = cashier.ask) => ask('POST', `/intents/${id}/voucher/`)
const revoke = (id: string, ask: Asks = cashier.ask) => ask('POST', `/intents/${id}/voucher/revoke/`)
const shown = async (id: string) => {
  const answer = await cashier.ask('GET', `/intents/${id}/`)
  fits(showIntent.answer, answer)
  return answer.body
}
/** The path of the public page. */
const pathOf = async (id: string): Promise<string> => {
  const answer = await share(id)
  fits(shareVoucher.answer, answer)
  return new URL(answer.body.url).pathname
}
const firstLine = (page: string): string => /<main><section[^>]*><p class="state">([^<]*)</.exec(page)![1]!
const paid = async (amount = '1500.00', fields: Record<string, unknown> = {}): Promise<string> => {
  const id = await newIntent(amount, fields)
  const reference = newReference()
  await attach(id, reference)
  await money(amount, reference)
  return id
}

test('a paid voucher shows shop, what arrived, order and time, and nothing else of the payment', async () => {
  const id = await paid()
  const { code, reference, wallet } = await shown(id)
  const path = await pathOf(id)
  assert.match(path, /^\/voucher\/[A-Za-z0-9_-]{27}$/)
  const page = await open(path)
  assert.equal(page.status, 200)
  const text = textOf(page.text)
  assert.match(text, /^Payment voucher .*1,500 ?\.00 YER.*PAID \d\d:\d\d.*Order A-1042.*Paid at 2026-/)
  for (const secret of [code, reference, wallet.name, wallet.account_number, id])
    assert.ok(!page.text.includes(secret), secret)
  const arabic = await open(`${path}?lang=ar`)
  assert.match(arabic.text, /<html lang="ar" dir="rtl">/)
  assert.match(textOf(arabic.text), /إيصال دفع .*مدفوع/)
  for (const answer of [page, arabic]) assert.ok(Buffer.byteLength(answer.text) < 10_240, String(answer.text.length))
})

test('the address is made when somebody shares, is the same again, and is not in the database', async () => {
  const id = await paid()
  assert.deepEqual(await sql('select id from vouchers where intent_id = $1', [id]), [])
  const first = okBody(await share(id))
  const again = okBody(await share(id, manager.ask))
  assert.deepEqual([first.first, again.first, again.url], [true, false, first.url])
  const token = first.url.split('/').at(-1)
  const rows = await sql('select row_to_json(v)::text from vouchers v where intent_id = $1', [id])
  assert.ok(!JSON.stringify(rows).includes(token))
  assert.equal(Buffer.from(token, 'base64url').length, 20)
  const other = okBody(await share(await paid()))
  assert.notEqual(other.url, first.url)
  const { timeline, voucher } = await shown(id)
  assert.equal(timeline.at(-1).kind, 'voucher_shared')
  assert.match(voucher.by.name, /cashier/i)
  assert.deepEqual((await audited(id)).filter((entry) => entry.includes('voucher')).length, 1)
})

test('a voucher that is not paid says so in its first line and its title, in every state, without a stamp or a large amount', async () => {
  const pending = await newIntent()
  const wrong = await newIntent()
  const reference = newReference()
  await attach(wrong, reference)
  await money('1400.00', reference)
  const cancelled = await newIntent()
  okBody(await cashier.ask('POST', `/intents/${cancelled}/cancel/`))
  const expired = await newIntent()
  const paths = new Map<string, string>()
  for (const [state, id] of Object.entries({ pending, wrong, cancelled, expired })) paths.set(state, await pathOf(id))
  const page = async (state: string): Promise<string> => (await open(paths.get(state)!)).text
  const expected: Record<string, RegExp> = {
    pending: /^Not paid: waiting for the payment$/,
    wrong: /^Not paid: another amount arrived$/,
    cancelled: /^Not paid: cancelled$/,
  }
  for (const [state, line] of Object.entries(expected)) {
    const text = await page(state)
    assert.match(firstLine(text), line)
    assert.ok(text.includes(`<title>${firstLine(text)} · `))
    assert.doesNotMatch(text, /class="stamp"|class="amount/)
    assert.match(textOf(text), /Asked 1,500 YER/)
  }
  assert.match(textOf(await page('pending')), /Arrived nothing/)
  assert.match(textOf(await page('wrong')), /Arrived 1,400 YER Asked 1,500 YER/)
  clock.advance(2 * hour_ms)
  assert.match(firstLine(await page('expired')), /^Not paid: expired$/)
  assert.match(firstLine(await page('pending')), /^Not paid: expired$/, 'before the background job has stored the end')
  assert.match(firstLine((await open(`${paths.get('wrong')}?lang=ar`)).text), /^غير مدفوع/)
})

test('the page shows the state now: a shared voucher turns paid when the money comes, and counts what arrived', async () => {
  const id = await newIntent('2000.00')
  const path = await pathOf(id)
  assert.match((await open(path)).text, /Not paid/)
  const alert = await money('1900.00', newReference())
  okBody(
    await cashier.ask('POST', `/unmatched/${alert}/book/`, {
      body: { intent: id, alert_amount: '1900.00', intent_amount: '2000.00' },
    }),
  )
  const text = textOf((await open(path)).text)
  assert.match(text, /^Payment voucher .*1,900 ?\.00 YER/)
  assert.doesNotMatch(text, /2,000/)
})

test('of the payer the page shows the first name at most, and never a number', async () => {
  const names: readonly (readonly [string, string])[] = [
    ['عبد الرحمن صالح المثال', 'عبد الرحمن'],
    ['Abdul Rahman Saleh Example', 'Abdul Rahman'],
    ['ALI.SALEH.EXAMPLE', 'ALI'],
    ['علي صالح المثال', 'علي'],
    ['770000001', ''],
    ['<b>Ali</b> Example', ''],
    ['x'.repeat(100), 'x'.repeat(24)],
  ]
  for (const [payer, first] of names) {
    const id = await paid()
    await sql('update alerts set payer = $2 where intent_id = $1', [id, payer])
    const answer = okBody(await share(id))
    assert.equal(answer.payer, first)
    const { text } = await open(new URL(answer.url).pathname)
    const row = /<dt>From<\/dt><dd><bdi>([^<]*)</.exec(text)?.[1] ?? ''
    assert.equal(row, first, payer)
    for (const part of payer.split(/[ .]/).filter((word) => !first.includes(word) && word.length > 2))
      assert.ok(!text.includes(part), part)
  }
})

test('a claimed payer, notes and items are not on the page', async () => {
  const id = await paid('1500.00', { notes: 'SECRET-NOTE' })
  const { text } = await open(await pathOf(id))
  assert.ok(!text.includes('SECRET-NOTE'))
})

test('long texts and markup stay text, within the size of a page', async () => {
  const order = `<script>alert(1)</script>${'ط'.repeat(100)}`.slice(0, 128)
  const id = await paid('999999999999.99', { external_order_id: order })
  okBody(await owner.ask('PATCH', '/account/checkout-page/', { body: { shop_name: `$&<img src=x>${'م'.repeat(80)}` } }))
  const path = await pathOf(id)
  for (const lang of ['ar', 'en']) {
    const { text } = await open(`${path}?lang=${lang}`)
    assert.doesNotMatch(text, /<script>alert|<img/)
    assert.ok(text.includes('$&amp;&lt;img'))
    assert.ok(text.includes('999,999,999,999'))
    assert.ok(Buffer.byteLength(text) < 10_240, String(Buffer.byteLength(text)))
  }
  okBody(await owner.ask('PATCH', '/account/checkout-page/', { body: { shop_name: '' } }))
})

test('test money has its mark in the first line and on the stamp', async () => {
  const [[wallet]] = (await sql('select id from wallets where is_test limit 1')) as [[string]]
  const id = okBody(await create({ wallet, amount: '10.00' })).id
  await attach(id, 'TEST-0001')
  okBody(await owner.ask('POST', '/test-payment/', { body: { wallet, amount: '10.00', reference: 'TEST-0001' } }))
  const { text } = await open(await pathOf(id))
  assert.match(firstLine(text), /^Test: no real money arrived$/)
  assert.match(text, /data-tone="test"/)
  assert.match(text, /class="stamp">TEST/)
})

test('a revoked, an unknown and a malformed address get the same answer, and a new address is another one', async () => {
  const id = await paid()
  const path = await pathOf(id)
  assert.equal((await open(path)).status, 200)
  assert.deepEqual(okBody(await revoke(id)), { revoked: true })
  assert.deepEqual(okBody(await revoke(id)), { revoked: false })
  const gone = await open(path)
  assert.equal(gone.status, 404)
  const stable = ({ headers }: Answer) => {
    const { 'x-request-id': _id, date: _date, ...rest } = headers
    return rest
  }
  const token = path.split('/').at(-1)!
  const guesses = [
    `/voucher/${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    `/voucher/${'A'.repeat(27)}`,
    `/voucher/${'A'.repeat(5_000)}`,
    '/voucher/%F0%9F%92%B0',
    "/voucher/'%20or%201=1--",
    '/voucher/%ff',
    `/voucher/${token}/more`,
    '/voucher/',
    // The token of a checkout is not that of a voucher.
    (await newCheckout()).page.replace('/pay/', '/voucher/'),
  ]
  for (const guess of guesses) {
    const answer = await open(guess)
    assert.deepEqual([answer.status, answer.text], [404, gone.text], guess)
    assert.deepEqual(stable(answer), stable(gone), guess)
  }
  assert.equal((await open(path.replace('/voucher/', '/pay/'))).status, 404)
  const { timeline, voucher } = await shown(id)
  assert.deepEqual([timeline.at(-1).kind, voucher], ['voucher_revoked', null])
  const next = await pathOf(id)
  assert.notEqual(next, path)
  assert.deepEqual([(await open(path)).status, (await open(next)).status], [404, 200])
})

test('an intent gets at most twenty addresses', async () => {
  const id = await paid()
  for (let n = 0; n < 20; n++) {
    okBody(await share(id))
    okBody(await revoke(id))
  }
  const refused = await share(id)
  assert.deepEqual([refused.status, refused.body.errors[0].code], [400, 'voucher_limit'])
})

test('twenty calls at once make one address', async () => {
  const id = await paid()
  const answers = await Promise.all(Array.from({ length: 20 }, () => share(id)))
  assert.equal(new Set(answers.map((answer) => okBody(answer).url)).size, 1)
  assert.equal(answers.filter(({ body }) => body.first).length, 1)
})

test('owner, manager and cashier share and revoke; a viewer and another account do not', async () => {
  const id = await paid()
  for (const { ask } of [owner, manager, cashier]) {
    okBody(await share(id, ask))
    okBody(await revoke(id, ask))
  }
  okBody(await share(id))
  assert.deepEqual([(await share(id, viewer.ask)).status, (await revoke(id, viewer.ask)).status], [403, 403])
  assert.deepEqual([(await share(id, stranger.ask)).status, (await revoke(id, stranger.ask)).status], [404, 404])
  assert.equal((await open(await pathOf(id))).status, 200)
})

test('the page is never cached, indexed, framed or given other scripts, and sends no referrer', async () => {
  const { headers } = await open(await pathOf(await paid()))
  assert.equal(headers['cache-control'], 'no-store')
  assert.match(String(headers['x-robots-tag']), /noindex/)
  assert.equal(headers['referrer-policy'], 'no-referrer')
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.doesNotMatch(policy, /unsafe|'self'|\*/)
})

test('the page of a suspended shop is closed, and of a closed wallet it still shows', async () => {
  const id = await paid()
  const path = await pathOf(id)
  await sql("update accounts set status = 'SUSPENDED' where id = $1", [story.accountId])
  assert.equal((await open(path)).status, 403)
  await sql("update accounts set status = 'ACTIVE' where id = $1", [story.accountId])
  assert.equal((await open(path)).status, 200)
})

test('the buyer shares the voucher of a paid checkout; not of another one, not before it is paid, not after the shop revoked it', async () => {
  const checkout = await newCheckout({ wallets: [main] })
  await send(`${checkout.page}/wallet/`, { wallet: main })
  const [[id, code]] = (await sql(
    'select i.id, i.code from intents i join checkout_intents l on l.intent_id = i.id where l.checkout_id = $1',
    [checkout.id],
  )) as [[string, string]]
  const form = checkout.page.replace('/pay/', '/voucher/of/')
  const byBuyer = () => send(`${form}/`, { code })
  assert.equal((await byBuyer()).status, 404)
  const reference = newReference()
  await send(`${checkout.page}/reference/`, { reference })
  await money('1500.00', reference)
  const page = await open(checkout.page)
  assert.match(page.text, new RegExp(`action="${form}/?".*value="${code}"`))
  const shared = await byBuyer()
  assert.equal(shared.status, 303, shared.text)
  const path = String(shared.headers.location)
  assert.match(textOf((await open(path)).text), /^Payment voucher .*1,500/)
  assert.equal((await shown(id)).voucher.by.kind, 'buyer')
  const other = await paid()
  const [[otherCode]] = (await sql('select code from intents where id = $1', [other])) as [[string]]
  assert.equal((await send(`${form}/`, { code: otherCode })).status, 404)
  assert.equal((await send(`/voucher/of/${'A'.repeat(27)}/`, { code })).status, 404)
  okBody(await revoke(id))
  assert.deepEqual([(await byBuyer()).status, (await open(path)).status], [404, 404])
  okBody(await share(id))
  assert.equal((await byBuyer()).status, 303)
})

test('a sale taken at the counter has a voucher, and its page says that it is a sale and handed over', async () => {
  const alert = await money('1500.00', newReference())
  okBody(await cashier.ask('POST', `/unmatched/${alert}/take-sale/`, { body: { amount: '1500.00' } }))
  clock.advance(10_000)
  await finishSales({ db, zone: zoneOf('Asia/Aden') }, 100, clock.now())
  const [[id]] = (await sql('select id from intents where alert_id = $1', [alert])) as [[string]]
  const intent = await shown(id)
  assert.equal(intent.taken_as_sale, true)
  assert.match(intent.handed_over.by, /cashier/i)
  assert.ok(intent.timeline.some(({ kind }: { kind: string }) => kind === 'handed_over'))
  assert.match(textOf((await open(await pathOf(id))).text), /^Payment voucher/)
  assert.equal((await shown(await paid())).taken_as_sale, false)
})

test('money fits an intent only with its amount, in its wallet and its window', async () => {
  clock.advance(24 * hour_ms)
  const early = await money('3333.00', newReference())
  clock.advance(5 * 60_000)
  const id = await newIntent('3333.00')
  const other = await newIntent('3333.00', { wallet: demo.wallets.second })
  await money('3334.00', newReference())
  const inTime = await money('3333.00', newReference())
  const aside = await money('3333.00', newReference())
  okBody(await cashier.ask('POST', `/unmatched/${aside}/dismiss/`, { body: { reason: 'not ours' } }))
  const ids = async (intent: string) => (await shown(intent)).fits.map((alert: { id: string }) => alert.id)
  assert.deepEqual(await ids(id), [inTime, early])
  assert.deepEqual(await ids(other), [])
  clock.advance(90 * 60_000)
  const late = await money('3333.00', newReference())
  assert.equal((await shown(id)).status, 'EXPIRED')
  assert.deepEqual(await ids(id), [inTime, early, late])
  clock.advance(60 * 60_000)
  await money('3333.00', newReference())
  assert.deepEqual(await ids(id), [inTime, early, late], 'more than two hours after')
  okBody(
    await cashier.ask('POST', `/unmatched/${late}/book-copy/`, {
      body: { intent: id, alert_amount: '3333.00', intent_amount: '3333.00' },
    }),
  )
  assert.deepEqual(await ids(id), [inTime, early])
  const paidNow = await paid()
  assert.deepEqual((await shown(paidNow)).fits, [])
})

test('money with the reference of an expired intent fits however late it comes', async () => {
  const id = await newIntent('4444.00')
  const reference = newReference()
  await attach(id, reference)
  clock.advance(6 * hour_ms)
  await record([report(story.paid('4444.00', reference))])
  const { fits: found, status } = await shown(id)
  assert.deepEqual([status, found.map((alert: { reference: string }) => alert.reference)], ['EXPIRED', [reference]])
})

test('the script that draws the picture has no data and is sent to everybody', async () => {
  const answer = await open('/voucher/image.js')
  assert.equal(answer.status, 200)
  assert.match(String(answer.headers['content-type']), /javascript/)
  assert.match(answer.text, /drawVoucher/)
})
