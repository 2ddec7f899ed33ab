/** The buyer's page over HTTP, as a browser without scripts uses it: every state with its texts, and attacks. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { askAt } from '../support/story.ts'
import { openCheckouts, textOf } from './checkout-story.ts'

const service = await openCheckouts()
const { clock, demo, newCheckout, open, origin, pay, read, send, shopPhone, sql, sweep } = service
const { main, second } = demo.wallets
let number = 700_000_000
const reference = (): string => String(++number * 1000)
await shopPhone.heartbeat()

/** Sends a form and follows the redirect, as a browser does. */
const submit = async (path: string, fields: Record<string, string>) => {
  const answer = await send(path, fields)
  return answer.status === 303 ? open(String(answer.headers.location)) : answer
}

test('without scripts: a buyer chooses a wallet, pays, sends the number, waits, and sees that the money arrived', async () => {
  await shopPhone.heartbeat()
  const { id, page } = await newCheckout({
    external_order_id: 'A-1042',
    return_url: 'https://shop.example.com/thanks?x=1',
  })
  const first = await open(page)
  assert.equal(first.status, 200)
  assert.match(
    textOf(first.text),
    /Demo shop .*Order A-1042 .*1,500 YER .*Choose your wallet .*Jawali Main wallet .*Jawali Second wallet/,
  )
  assert.doesNotMatch(first.text, /Closed wallet|Wallet of a phone that is off|confirmation may be late/)

  const chosen = await send(`${page}/wallet/`, { wallet: main })
  assert.deepEqual([chosen.status, chosen.headers.location], [303, `${page}?lang=en`])
  const pays = await open(page)
  assert.match(textOf(pays.text), /Send exactly this amount.*1,500 YER.*771000001.*Main wallet.*Transaction number/)

  const number = reference()
  const looking = await submit(`${page}/reference/`, { reference: number })
  assert.match(textOf(looking.text), new RegExp(`We are looking for your payment.*${number}`))
  assert.match(looking.text, /<noscript><meta http-equiv="refresh" content="15">/)

  await pay('1500', number)
  const paid = await open(page)
  assert.match(textOf(paid.text), /The money has arrived.*1,500 YER.*PAID.*A-1042.*Back to the shop/)
  const back = `https://shop.example.com/thanks?x=1&amp;checkout=${id}`
  assert.ok(paid.text.includes(`href="${back}"`))
  assert.ok(paid.text.includes(`<noscript><meta http-equiv="refresh" content="3;url=${back}">`))
  const checkout = await read(id)
  assert.deepEqual([checkout.status, checkout.paid], ['COMPLETE', '1500.00'])
})

test('the company and its steps are shown in the language of the page', async () => {
  const { page } = await newCheckout()
  assert.match(textOf((await open(`${page}?lang=ar`)).text), /جوالي Main wallet/)
  await send(`${page}/wallet/`, { wallet: main })
  assert.match(textOf((await open(`${page}?lang=ar`)).text), /شركة المحفظة ج جوالي .*افتح تطبيق جوالي/)
  assert.match(textOf((await open(`${page}?lang=en`)).text), /Open the Jawali app/)
  const steps = (list: string) => sql(`update providers set pay_steps_ar = $1::text[] where name = 'jawali'`, [list])
  await steps('{"اضغط «دفع مشتريات» في جوالي."}')
  clock.advance(2_000)
  const own = textOf((await open(`${page}?lang=ar`)).text)
  assert.match(own, /اضغط «دفع مشتريات» في جوالي\./)
  assert.doesNotMatch(own, /افتح تطبيق جوالي/)
  await steps('{}')
  clock.advance(2_000)
})

test('a pasted message is read, and the number found in it is shown before it is sent', async () => {
  const { id, page } = await newCheckout()
  await send(`${page}/wallet/`, { wallet: main })
  const number = reference()
  const message = `تم تحويل مبلغ 1500 YER الى 771000001 رقم العملية ${number} رصيدك هو 256613.19`
  const confirm = await send(`${page}/reference/`, { reference: message })
  assert.equal(confirm.status, 200)
  assert.match(textOf(confirm.text), new RegExp(`Is this the transaction number\\?.*${number}.*Yes, send it`))
  assert.equal((await read(id)).intents[0].reference, '')
  assert.match((await submit(`${page}/reference/`, { reference: number })).text, /We are looking/)
  assert.equal((await read(id)).intents[0].reference, number)

  const other = `تم سداد مبلغ 1400 YER كقيمة مشتريات بمرجع ${reference()} رصيدك هو 100.00`
  const warned = await send(`${page}/reference/`, { reference: other })
  assert.match(textOf(warned.text), /The message says 1,400 YER , and 1,500 YER was asked/)

  for (const [sent, words] of [
    ['', /Type the transaction number or paste/],
    ['hello there', /No transaction number was found/],
    [`رقم العملية ${number.slice(0, -2)}`, /a part of it may be missing/],
    ['x'.repeat(3000), /No transaction number was found/],
  ] as const) {
    const answer = await send(`${page}/reference/`, { reference: sent })
    assert.equal(answer.status, 400)
    assert.match(answer.text, words)
  }
  assert.equal((await read(id)).intents[0].reference, number)
})

test('a wrong number can be corrected; the number of another order is refused without revealing the order', async () => {
  const one = await newCheckout({ external_order_id: 'OTHER-ORDER' })
  await send(`${one.page}/wallet/`, { wallet: main })
  const taken = reference()
  await send(`${one.page}/reference/`, { reference: taken })
  const two = await newCheckout()
  await send(`${two.page}/wallet/`, { wallet: main })
  const used = await send(`${two.page}/reference/`, { reference: taken })
  assert.equal(used.status, 400)
  assert.match(used.text, /belongs to another payment/)
  assert.doesNotMatch(used.text, /OTHER-ORDER/)
  const [typo, right] = [reference(), reference()]
  await send(`${two.page}/reference/`, { reference: typo })
  await pay('1500', right)
  const paid = await submit(`${two.page}/reference/`, { reference: right })
  assert.match(paid.text, /PAID/)
})

test('a buyer can send twenty numbers at most, refused ones included', async () => {
  const holder = await newCheckout()
  await send(`${holder.page}/wallet/`, { wallet: main })
  const taken = reference()
  await send(`${holder.page}/reference/`, { reference: taken })
  const { page } = await newCheckout()
  await send(`${page}/wallet/`, { wallet: main })
  for (let tries = 0; tries < 10; tries++) await send(`${page}/reference/`, { reference: taken })
  for (let tries = 0; tries < 10; tries++)
    assert.equal((await send(`${page}/reference/`, { reference: reference() })).status, 303)
  const last = reference()
  await pay('1500', last)
  const refused = await send(`${page}/reference/`, { reference: last })
  assert.equal(refused.status, 400)
  assert.match(refused.text, /Too many numbers/)
})

test('another wallet can be chosen until a number was sent; the first intent is cancelled', async () => {
  const { id, page } = await newCheckout()
  await send(`${page}/wallet/`, { wallet: main })
  const change = await open(`${page}?change=1`)
  assert.match(textOf(change.text), /If you have already sent the money.*Choose your wallet.*Back to Main wallet/)
  await send(`${page}/wallet/`, { wallet: second })
  const changed = await read(id)
  assert.deepEqual(
    changed.intents.map((one: { status: string }) => one.status),
    ['CANCELLED', 'PENDING'],
  )
  await send(`${page}/reference/`, { reference: reference() })
  await send(`${page}/wallet/`, { wallet: main })
  assert.equal((await read(id)).intents.length, 2, 'a number was sent: the intent stays')
})

test('too little: the rest can be paid if the shop allows it, and the sum is exact', async () => {
  const { id, page } = await newCheckout({ allow_remaining: true })
  await send(`${page}/wallet/`, { wallet: main })
  const [first, rest] = [reference(), reference()]
  await pay('1400', first)
  const wrong = await submit(`${page}/reference/`, { reference: first })
  assert.match(
    textOf(wrong.text),
    /1,400 YER arrived, 1,500 YER was asked: 100 YER is missing.*Pay the remaining 100 YER/,
  )
  const payRest = await submit(`${page}/rest/`, {})
  assert.match(
    textOf(payRest.text),
    /1,400 YER of 1,500 YER has arrived; 100 YER remains.*Send exactly this amount.*100 YER/,
  )
  const again = await submit(`${page}/rest/`, {})
  assert.equal(again.status, 200, 'a second click changes nothing')
  const open = await read(id)
  assert.deepEqual([open.status, open.paid, open.intents.length], ['OPEN', '1400.00', 3])
  // The first payment is used by this checkout: it cannot pay another order.
  const other = await service.create({ amount: '1400.00' })
  const stolen = await service.ask('PATCH', `/intents/${other.body.id}/`, { body: { reference: first } })
  assert.equal(stolen.status, 400, stolen.text)
  await pay('100', rest)
  const receipt = await submit(`${page}/reference/`, { reference: rest })
  assert.match(receipt.text, /PAID/)
  assert.match(textOf(receipt.text), new RegExp(`1,400 YER.*${first}.*100 YER.*${rest}`), 'the number of each part')
  const paid = await read(id)
  assert.deepEqual([paid.status, paid.paid], ['COMPLETE', '1500.00'])
  assert.deepEqual(
    paid.intents.map((one: { status: string; payable_amount: string }) => `${one.status} ${one.payable_amount}`),
    ['WRONG_AMOUNT 1500.00', 'VERIFIED 1400.00', 'VERIFIED 100.00'],
  )
})

test('too little or too much, and the rest cannot be paid: the page shows what arrived and offers nothing', async () => {
  for (const [amount, words] of [
    ['1400', /1,400 YER arrived, 1,500 YER was asked: 100 YER is missing/],
    ['1600', /1,600 YER arrived, 1,500 YER was asked: 100 YER too much/],
  ] as const) {
    const { id, page } = await newCheckout({ allow_remaining: amount === '1600' })
    await send(`${page}/wallet/`, { wallet: main })
    const number = reference()
    await pay(amount, number)
    const wrong = await submit(`${page}/reference/`, { reference: number })
    assert.match(textOf(wrong.text), words)
    assert.doesNotMatch(wrong.text, /Pay the remaining|failed/i)
    const refused = await send(`${page}/rest/`, {})
    assert.equal(refused.status, 400)
    assert.equal((await read(id)).paid, '0.00')
    // A buyer who typed another buyer's number can start again.
    assert.match((await open(`${page}?change=1`)).text, /Choose your wallet/)
    await send(`${page}/wallet/`, { wallet: main })
    assert.equal((await read(id)).intents.at(-1).status, 'PENDING')
  }
})

test('the payment of the wrong amount has paid another order meanwhile: the rest is refused and nothing changes', async () => {
  const { id, page } = await newCheckout({ allow_remaining: true })
  await send(`${page}/wallet/`, { wallet: main })
  const number = reference()
  await pay('1400', number)
  await send(`${page}/reference/`, { reference: number })
  const other = await service.create({ amount: '1400.00' })
  const booked = await service.ask('PATCH', `/intents/${other.body.id}/`, { body: { reference: number } })
  assert.equal(booked.body.status, 'VERIFIED', 'a wrong amount may still pay an order of its amount')
  const refused = await send(`${page}/rest/`, {})
  assert.equal(refused.status, 400)
  assert.match(refused.text, /The rest cannot be paid here/)
  const { paid, intents } = await read(id)
  assert.deepEqual([paid, intents.length], ['0.00', 1])
})

test('after an expired intent the buyer can choose a wallet again; an expired page says that money is not lost', async () => {
  const { id, page } = await newCheckout({ expires_in: 86_400 })
  await send(`${page}/wallet/`, { wallet: main })
  clock.advance(3_600_000)
  const ended = await open(page)
  assert.match(textOf(ended.text), /The time for this try is over.*it is not lost.*Choose your wallet/)
  await send(`${page}/wallet/`, { wallet: main })
  assert.deepEqual(
    (await read(id)).intents.map((one: { status: string }) => one.status),
    ['EXPIRED', 'PENDING'],
  )
  clock.advance(2 * 86_400_000)
  const expired = await open(page)
  assert.match(textOf(expired.text), /The time to pay is over.*it is not lost/)
  assert.doesNotMatch(expired.text, /failed|<form/i)
  assert.equal((await read(id)).status, 'EXPIRED')
  await sweep()
  assert.equal((await read(id)).status, 'EXPIRED')
})

test('if the phone does not report, the page says so, and lets the buyer choose another wallet', async () => {
  const { page } = await newCheckout()
  clock.advance(10 * 60_000)
  assert.match((await open(page)).text, /confirmation may be late/)
  await send(`${page}/wallet/`, { wallet: main })
  const pays = await open(page)
  assert.match(textOf(pays.text), /phone is not reporting now.*Choose another wallet/)
  assert.doesNotMatch(pays.text, /confirmed sooner/, 'the other wallet has the same phone')
  await shopPhone.heartbeat()
  clock.advance(2_000)
  assert.doesNotMatch((await open(page)).text, /not reporting/)
})

test('the page is in Arabic, unless the browser, the merchant or the URL asks for English', async () => {
  const { page } = await newCheckout()
  const language = async (path: string, accepts: string): Promise<string> =>
    /<html lang="(..)" dir="(...)">/
      .exec((await open(path, { 'accept-language': accepts })).text)!
      .slice(1)
      .join(' ')
  assert.equal(await language(page, ''), 'ar rtl')
  assert.equal(await language(page, 'fr-FR'), 'ar rtl')
  assert.equal(await language(page, 'en-GB,ar;q=0.5'), 'en ltr')
  assert.equal(await language(`${page}?lang=ar`, 'en'), 'ar rtl')
  const english = await newCheckout({ locale: 'en' })
  assert.equal(await language(english.page, 'ar'), 'en ltr')
  assert.equal(await language(`${page}?lang=%3Cscript%3E`, 'ar'), 'ar rtl')
})

test('the page is small, is not cached or indexed, and its content security policy allows only itself', async () => {
  const { page } = await newCheckout({ description: 'x'.repeat(100) })
  await send(`${page}/wallet/`, { wallet: main })
  const whole = await open(`${page}?lang=ar`)
  const { headers } = whole
  const policy = String(headers['content-security-policy'])
  assert.match(policy, /default-src 'none'/)
  assert.match(policy, /frame-ancestors 'none'/)
  assert.match(policy, /form-action 'self'/)
  assert.doesNotMatch(policy, /unsafe/)
  assert.equal(headers['referrer-policy'], 'no-referrer')
  assert.equal(headers['cache-control'], 'no-store')
  assert.match(String(headers['x-robots-tag']), /noindex/)
  assert.equal(headers['set-cookie'], undefined)
  assert.doesNotMatch(whole.text, /https?:\/\/|src=|style="/)
  const compressed = await raw(`${page}?lang=ar`)
  assert.ok(compressed.length < 10_000, `${compressed.length} bytes compressed`)
  assert.equal(gunzipSync(compressed).toString(), whole.text)
})

const raw = (path: string): Promise<Buffer> =>
  new Promise((done, fail) => {
    request(`${origin}${path}`, { headers: { 'accept-encoding': 'gzip' } }, (answer) => {
      const parts: Buffer[] = []
      answer.on('data', (part) => parts.push(part))
      answer.on('end', () => done(Buffer.concat(parts)))
    })
      .on('error', fail)
      .end()
  })

test('texts of the merchant are never markup', async () => {
  const evil = `"><img src=x onerror=alert(1)><script>alert(1)</script>`
  const { page } = await newCheckout({
    items: [{ name: evil, price: '1500' }],
    external_order_id: evil,
    description: evil,
    cancel_url: `https://shop.example.com/?a="><script>`,
  })
  for (const step of [undefined, main, reference()]) {
    if (step === main) await send(`${page}/wallet/`, { wallet: main })
    else if (step !== undefined) await send(`${page}/reference/`, { reference: step })
    assert.doesNotMatch((await open(page)).text, /<img|<script>alert/)
  }
  const typed = await send(`${page}/reference/`, { reference: `</textarea>${evil}` })
  assert.doesNotMatch(typed.text, /<img|<script>alert/)
})

test('pages that do not exist all get the same answer, even if the token is nearly right', async () => {
  const { page } = await newCheckout({ external_order_id: 'HIDDEN-1' })
  const token = page.split('/').at(-1)!
  const near = token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A')
  const answers = await Promise.all(
    [near, 'x'.repeat(27), 'x', '%00', '..%2f..', `${token}x`, token.toLowerCase()].map((one) => open(`/pay/${one}`)),
  )
  const [first] = answers
  for (const answer of answers) {
    assert.equal(answer.status, 404)
    assert.equal(answer.text, first!.text)
    assert.match(String(answer.headers['content-type']), /text\/html/)
  }
  for (const verb of ['wallet', 'reference', 'rest'])
    assert.equal((await send(`/pay/${near}/${verb}/`, { wallet: main })).status, 404)
  assert.equal((await open(`/pay/${near}/state/`)).status, 404)
  assert.equal((await open(`/pay/${near}/stream/`)).status, 404)
})

test('wallets that are foreign, closed, off, or not named by the merchant are refused', async () => {
  const { id, page } = await newCheckout({ wallets: [main] })
  for (const wallet of [
    second,
    demo.other.wallet,
    demo.wallets.inactive,
    demo.wallets.off,
    demo.wallets.test,
    'x',
    '',
  ]) {
    const answer = await send(`${page}/wallet/`, { wallet })
    assert.equal(answer.status, 400, wallet)
    assert.match(answer.text, /not available now/)
  }
  const all = await newCheckout()
  assert.equal((await send(`${all.page}/wallet/`, { wallet: demo.wallets.test })).status, 400)
  assert.equal((await read(id)).intents.length, 0)
})

test('the redirect after a form leads to the page alone, whatever the request says', async () => {
  const { page } = await newCheckout()
  const answer = await send(`${page}/wallet/?lang=//evil.example.com&return_url=https://evil.example.com`, {
    wallet: main,
    return_url: 'https://evil.example.com',
  })
  assert.deepEqual([answer.status, answer.headers.location], [303, `${page}?lang=en`])
})

test('a body of another type, or a too large one, is refused with an error page', async () => {
  const { page } = await newCheckout()
  const json = await askAt(`${origin}${page}/wallet/`, 'POST', { body: { wallet: main } })
  assert.equal(json.status, 415)
  assert.match(String(json.headers['content-type']), /text\/html/)
  const large = await send(`${page}/reference/`, { reference: 'x'.repeat(20_000) })
  assert.equal(large.status, 413)
})

test('the quota of the account limits the page too', async () => {
  const { page } = await newCheckout()
  await sql('update accounts set monthly_intent_quota = 0 where id = $1', [service.accountId])
  const answer = await send(`${page}/wallet/`, { wallet: main })
  await sql('update accounts set monthly_intent_quota = null where id = $1', [service.accountId])
  assert.equal(answer.status, 400)
  assert.match(answer.text, /cannot take new payments now/)
})

test('a suspended shop takes no money', async () => {
  const { page } = await newCheckout()
  await sql(`update accounts set status = 'SUSPENDED' where id = $1`, [service.accountId])
  const answer = await open(page)
  const refused = await send(`${page}/wallet/`, { wallet: main })
  await sql(`update accounts set status = 'ACTIVE' where id = $1`, [service.accountId])
  assert.deepEqual([answer.status, refused.status], [403, 403])
  assert.match(answer.text, /Do not send money/)
})

test('the page shows the account number as a QR code, where to find the reference, and a known app link', async () => {
  const { page } = await newCheckout()
  await send(`${page}/wallet/`, { wallet: main })
  const pays = await open(page)
  assert.match(pays.text, /<svg class="qr" role="img" aria-label="QR code of the account number" viewBox="0 0 29 29"/)
  assert.match(textOf(pays.text), /Where do I find it\? .*بمرجع 123456789012 رصيدك هو/)
  assert.doesNotMatch(pays.text, /href="(?!\/)/)
  await sql(`update providers set app_link = 'example://pay?to={account}&sum={amount}' where name = 'jawali'`)
  clock.advance(2_000)
  const linked = await open(page)
  await sql(`update providers set app_link = null where name = 'jawali'`)
  clock.advance(2_000)
  assert.ok(linked.text.includes('href="example://pay?to=771000001&amp;sum=1500"'))
  assert.match(
    linked.text,
    /<a class="button plain" rel="noreferrer" href="example:[^>]*>Open the <bdi>Jawali<\/bdi> app<\/a>/,
  )
})

test('if the phone of the chosen wallet is silent, a wallet whose phone reports is offered', async () => {
  const named = await newCheckout({ wallets: [main, demo.wallets.test] })
  await send(`${named.page}/wallet/`, { wallet: main })
  clock.advance(10 * 60_000)
  const late = await open(named.page)
  await shopPhone.heartbeat()
  clock.advance(2_000)
  assert.match(textOf(late.text), /phone is not reporting now.*Another wallet is confirmed sooner/)
  assert.doesNotMatch((await open(named.page)).text, /confirmed sooner/)
})

test('a paid page says what to do if the money was sent twice', async () => {
  const { page } = await newCheckout()
  await send(`${page}/wallet/`, { wallet: main })
  const [first, again] = [reference(), reference()]
  await send(`${page}/reference/`, { reference: first })
  await pay('1500', first)
  await pay('1500', again)
  assert.match(textOf((await open(page)).text), /PAID .*Did you send the money twice\? The second payment is not lost/)
})

test('a paid page is a receipt for ninety days, and does not redirect later', async () => {
  const { page } = await newCheckout({ return_url: 'https://shop.example.com/thanks' })
  await send(`${page}/wallet/`, { wallet: main })
  const number = reference()
  await pay('1500', number)
  await send(`${page}/reference/`, { reference: number })
  assert.match((await open(page)).text, /http-equiv="refresh"/)
  clock.advance(3 * 60_000)
  const receipt = await open(page)
  assert.match(receipt.text, /PAID/)
  assert.doesNotMatch(receipt.text, /http-equiv="refresh"/)
  clock.advance(90 * 86_400_000 - 4 * 60_000)
  assert.match((await open(page)).text, /PAID/)
  clock.advance(60_000)
  assert.equal((await open(page)).status, 404)
})
