/** Attacks on the buyer's page: guessing links and references, frames, redirects, and texts that could become markup. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { type Answer, askAt, errorsOf } from '../support/story.ts'
import { createMembers } from '../support/users.ts'
import { openCheckouts } from './checkout-story.ts'

const service = await openCheckouts()
const { askCheckout, clock, createCheckout, demo, newCheckout, open, origin, pay, read, send, shopPhone, sql } = service
const { main } = demo.wallets
const members = await createMembers(service)
let number = 610_000_000
const reference = (): string => String(++number * 1000)
await shopPhone.heartbeat()

const setPage = (body: Record<string, unknown>): Promise<Answer> =>
  members.owner.ask('PATCH', '/account/checkout-page/', { body })

/** The headers of an answer without the request id and the date, which differ in every answer. */
const stableHeaders = ({ headers }: Answer): Record<string, unknown> => {
  const { 'x-request-id': _id, date: _date, ...rest } = headers
  return rest
}

test('pages that do not exist all get the same answer, whatever is requested and whatever the token looks like', async () => {
  const { page } = await newCheckout({ external_order_id: 'HIDDEN-1' })
  const link = (await askCheckout('POST', '/links/', { body: { amount: '100' } })).body.url as string
  const token = page.split('/').at(-1)!
  const linkToken = link.split('/').at(-1)!
  const guesses = [
    `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
    'A'.repeat(27),
    'A'.repeat(5_000),
    '%F0%9F%92%B0',
    "'%20or%201=1--",
    // The token of a payment link does not open a checkout, nor the other way round.
    linkToken,
  ]
  const first = await open(`/pay/${guesses[0]}`)
  assert.equal(first.status, 404)
  assert.doesNotMatch(first.text, /HIDDEN/)
  for (const guess of guesses) {
    const answers = [
      await open(`/pay/${guess}`),
      await open(`/pay/${guess}/state/`),
      await open(`/pay/${guess}/stream/`),
      await send(`/pay/${guess}/wallet/`, { wallet: main }),
      await send(`/pay/${guess}/reference/`, { reference: '123456789' }),
      await send(`/pay/${guess}/rest/`, {}),
    ]
    for (const answer of answers) {
      assert.deepEqual([answer.status, answer.text], [404, first.text], guess)
      assert.deepEqual(stableHeaders(answer), stableHeaders(first), guess)
    }
  }
  const wrongLink = await open(`/pay/link/${token}`)
  assert.deepEqual([wrongLink.status, wrongLink.text], [404, first.text])
})

test('the token of a page has 160 bits, and the tokens of two pages of one order have nothing in common', async () => {
  const tokens = await Promise.all(
    Array.from({ length: 20 }, async () => (await newCheckout({ external_order_id: 'SAME' })).page.split('/').at(-1)!),
  )
  assert.equal(new Set(tokens).size, 20)
  for (const token of tokens) assert.equal(Buffer.from(token, 'base64url').length, 20)
  assert.equal(new Set(tokens.map((token) => token.slice(0, 4))).size, 20)
})

test('unsafe return and cancel URLs are refused, each with its own error, and nothing is created', async () => {
  const count = async () => (await askCheckout('GET', '/sessions/')).body.count
  const before = await count()
  for (const url of [
    'http://shop.example.com/',
    'javascript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    '//evil.example.com',
    '/\\evil.example.com',
    'https:\\\\evil.example.com',
    'https://user:secret@shop.example.com/',
    'https://shop.example.com\\@evil.example.com',
    'https://shop.example.com/\r\nSet-Cookie: a=b',
    `https://shop.example.com/${'x'.repeat(2_000)}`,
  ]) {
    const answer = await createCheckout({ return_url: url, cancel_url: url })
    assert.equal(answer.status, 400, url)
    assert.deepEqual(
      errorsOf(answer).map((error) => error.split('@')[1]),
      ['return_url', 'cancel_url'],
      url,
    )
  }
  assert.equal(await count(), before)
})

test('no parameter, field or host of a request changes where the page redirects or links to', async () => {
  const { page } = await newCheckout({ return_url: 'https://shop.example.com/thanks' })
  const evil = 'https://evil.example.com'
  const query = `?lang=en&return_url=${evil}&next=${evil}&url=//evil.example.com`
  const fields = { wallet: main, return_url: evil, next: evil, lang: evil }
  const moved = await send(`${page}/wallet/${query}`, fields, { 'x-forwarded-host': 'evil.example.com' })
  assert.deepEqual([moved.status, moved.headers.location], [303, `${page}?lang=en`])
  const number = reference()
  await pay('1500', number)
  const sent = await send(`${page}/reference/${query}`, { reference: number, ...fields })
  assert.equal(sent.headers.location, `${page}?lang=en`)
  const paid = await new Promise<string>((done, fail) => {
    request(`${origin}${page}${query}`, { headers: { host: 'evil.example.com' } }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      answer.on('end', () => done(text))
    })
      .on('error', fail)
      .end()
  })
  assert.match(paid, /href="https:\/\/shop\.example\.com\/thanks\?checkout=/)
  assert.doesNotMatch(paid, /evil/)
})

test('no site may frame a page unless the merchant lists it', async () => {
  const { page } = await newCheckout()
  const link = new URL((await askCheckout('POST', '/links/', { body: { amount: '100' } })).body.url).pathname
  const framing = async (path: string) => {
    const { headers } = await open(path)
    return [/frame-ancestors ([^;]*)/.exec(String(headers['content-security-policy']))![1], headers['x-frame-options']]
  }
  assert.deepEqual(await framing(page), ["'none'", 'DENY'])
  for (const wrong of [
    '*',
    "'self'",
    'https:',
    'https://*.example.com',
    'https://shop.example.com/path',
    'https://shop.example.com ; script-src *',
    'https://shop.example.com\r\nx: y',
    'http://shop.example.com',
    'https://user@shop.example.com',
    'https://shop.example.com:',
    'https://shop.example.com:65536',
    'https://shop.example.com:0',
    'https://-shop.example.com',
    '',
  ]) {
    const refused = await setPage({ frame_origins: ['https://a.example.com', wrong] })
    assert.equal(refused.status, 400, wrong)
    assert.match(errorsOf(refused)[0]!, /@frame_origins\.1/, wrong)
  }
  const many = Array.from({ length: 11 }, (_, n) => `https://s${n}.example.com`)
  assert.equal((await setPage({ frame_origins: many })).status, 400)
  assert.deepEqual(await framing(page), ["'none'", 'DENY'])

  const named = ['https://shop.example.com', 'https://shop.example.com:8443', 'http://localhost:3000']
  assert.deepEqual((await setPage({ frame_origins: named })).body.frame_origins, named)
  assert.deepEqual(await framing(page), [named.join(' '), undefined])
  assert.deepEqual(await framing(link), [named.join(' '), undefined])
  assert.deepEqual(await framing('/pay/unknown'), ["'none'", 'DENY'], 'an unknown link belongs to no merchant')
  for (const member of [members.cashier, members.viewer])
    assert.equal((await member.ask('PATCH', '/account/checkout-page/', { body: { frame_origins: [] } })).status, 403)
  await setPage({ frame_origins: [] })
  assert.deepEqual(await framing(page), ["'none'", 'DENY'])
})

test('no text of the order, the shop, the wallet or the buyer becomes markup or a header, in any state', async () => {
  let marks = 0
  /** A text that would break out of texts, attributes, links, scripts, styles and headers if it were not escaped. */
  const evil = (): string => `<xss-${++marks}>"'\`--></title></textarea></script><svg/onload=xss()>\u2028{{7*7}}\${7}`
  const check = (answer: Answer): void => {
    assert.doesNotMatch(answer.text, /<xss|<svg\/|\son\w+=xss/i)
    if (answer.status !== 303) assert.equal(answer.text.match(/<script/g)?.length, 1)
    // With what follows the word in the texts: a random token or a hash may contain the three letters alone.
    assert.doesNotMatch(JSON.stringify(answer.headers), /xss(-\d|\(|=|%)/)
  }
  const cut = (length: number): string => evil().slice(0, length)
  assert.equal((await setPage({ shop_name: evil().replaceAll(/[\u2028\n]/g, '') })).status, 200)
  const names = await sql('select name from wallets where id = $1', [main])
  await sql('update wallets set name = $2 where id = $1', [main, cut(60)])
  await sql(`update providers set display_name = $1, pay_steps_en = array[$2], app_link = $3 where name = 'jawali'`, [
    cut(60),
    cut(100),
    `wallet://pay?to={account}&x=(${'y'.repeat(5)})`,
  ])
  clock.advance(2_000)
  await shopPhone.heartbeat()
  for (const line of ['', '\r\nset-cookie: xss=1\r\n\r\n']) {
    const body = {
      amount: undefined,
      items: [{ name: cut(100), price: '1500' }],
      external_order_id: cut(80) + line,
      description: evil() + line,
      return_url: `https://shop.example.com/?a=${encodeURIComponent(evil())}#"><xss-0>`,
      cancel_url: `https://shop.example.com/'"><xss-0>`,
      customer: { name: cut(60), phone: '+967770000000' },
      metadata: { [cut(30)]: evil(), __proto__: 'x' },
      allow_remaining: true,
    }
    const { page } = await newCheckout(body)
    const number = reference()
    check(await open(page))
    check(await send(`${page}/wallet/?lang=${encodeURIComponent(evil())}`, { wallet: evil() }))
    await send(`${page}/wallet/`, { wallet: main })
    const paying = await open(page)
    check(paying)
    assert.match(paying.text, /href="wallet:\/\/pay\?to=771000001&amp;x=\(y+\)"/)
    check(await open(`${page}?change=1&lang=${encodeURIComponent(evil())}`))
    check(await send(`${page}/reference/`, { reference: evil() }))
    check(await send(`${page}/reference/`, { reference: `Ref: ABC123 ${evil()}` }))
    check(await send(`${page}/reference/`, { reference: number }))
    check(await open(page))
    await pay('1400', number)
    check(await open(page))
    await send(`${page}/rest/`, {})
    check(await open(page))
    const rest = reference()
    await send(`${page}/reference/`, { reference: rest })
    await pay('100', rest)
    const paid = await open(page)
    assert.match(paid.text, /PAID/)
    check(paid)
    const old = await newCheckout({ ...body, expires_in: 300 })
    clock.advance(301_000)
    check(await open(old.page))
    await shopPhone.heartbeat()
  }
  await sql('update wallets set name = $2 where id = $1', [main, String(names[0]![0])])
  await sql(`update providers set display_name = 'Jawali', pay_steps_en = '{}', app_link = null where name = 'jawali'`)
  await setPage({ shop_name: '' })
  clock.advance(2_000)
})

test('a page shows nothing of other orders, and nothing that is only for the shop', async () => {
  const other = await newCheckout({ external_order_id: 'OTHER-ORDER', description: 'other things' })
  await send(`${other.page}/wallet/`, { wallet: main })
  const taken = reference()
  await send(`${other.page}/reference/`, { reference: taken })
  const { id, page } = await newCheckout({
    customer: { name: 'Made Up Buyer', phone: '+967771112223' },
    metadata: { cart: 'secret-cart' },
  })
  await send(`${page}/wallet/`, { wallet: main })
  const pages = [
    await open(page),
    await send(`${page}/reference/`, { reference: taken }),
    await open(`${page}?change=1`),
    await open(`${page}/state/`),
  ]
  const { intents } = await read(id)
  for (const answer of pages) {
    assert.doesNotMatch(answer.text, /OTHER-ORDER|other things|Made Up Buyer|771112223|secret-cart/)
    for (const secret of [id, intents[0].id, service.accountId, demo.client_id])
      assert.ok(!answer.text.includes(secret), `${secret} is on the page`)
  }
})

test('references cannot be guessed: a checkout takes twenty in all, and then refuses even one that would pay it', async () => {
  const { id, page } = await newCheckout({ expires_in: 86_400 })
  const othersReference = reference()
  await pay('1500', othersReference)
  await send(`${page}/wallet/`, { wallet: main })
  const answers = new Set<string>()
  for (let n = 0; n < 12; n++) {
    const answer = await send(`${page}/reference/`, { reference: `5550000000${String(n).padStart(2, '0')}` })
    answers.add(`${answer.status}`)
  }
  clock.advance(3_600_000)
  await send(`${page}/wallet/`, { wallet: main })
  for (let n = 12; n < 20; n++)
    await send(`${page}/reference/`, { reference: `5550000000${String(n).padStart(2, '0')}` })
  assert.deepEqual([...answers], ['303'])
  const refused = await send(`${page}/reference/`, { reference: othersReference })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /Too many numbers/)
  const { status, paid } = await read(id)
  assert.deepEqual([status, paid], ['OPEN', '0.00'])
})

test('a form of another site that does not know the token does nothing, even with a cookie', async () => {
  const { id, page } = await newCheckout()
  const foreign = { origin: 'https://evil.example.com', cookie: 'sanad_session=x' }
  const answer = await askAt(`${origin}/pay/wallet/`, 'POST', {
    body: `wallet=${main}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...foreign },
  })
  assert.equal(answer.status, 404)
  assert.equal((await open(page)).headers['set-cookie'], undefined)
  assert.equal((await read(id)).intents.length, 0)
})
