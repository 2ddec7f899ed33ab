/**
 * Forms of the buyer's page on a bad line: every form is answered with a redirect, also a refused one, and a form that is sent
 * again because its answer was lost is no second try and no error.
 */
import assert from 'node:assert/strict'
import { get } from 'node:http'
import { test } from 'node:test'
import { askAt } from '../support/story.ts'
import { openCheckouts, textOf } from './checkout-story.ts'

const service = await openCheckouts()
const { askCheckout, clock, demo, newCheckout, open, origin, pay, read, send, shopPhone, sql, submit } = service
const { main } = demo.wallets
let number = 810_000_000
const reference = (): string => String(++number * 1000)
await shopPhone.heartbeat()

const paying = async (body: Record<string, unknown> = {}) => {
  const checkout = await newCheckout(body)
  await send(`${checkout.page}/wallet/`, { wallet: main })
  return checkout
}
const triesOf = async (id: string): Promise<number> =>
  Number((await sql('select references_tried from checkouts where id = $1', [id]))[0]![0])

/** Sends a form without scripts, expects a redirect to the page, and opens it. */
const follow = async (path: string, fields: Record<string, string>) => {
  const answer = await submit(path, fields)
  assert.equal(answer.status, 303, answer.text)
  const location = String(answer.headers.location)
  assert.match(location, /^\/pay\//)
  return { location, shown: await open(location) }
}

test('without scripts every refused form is a redirect to the page, which shows the error and what was typed', async () => {
  const { page } = await paying()
  const holder = await paying()
  const taken = reference()
  await send(`${holder.page}/reference/`, { reference: taken })
  for (const [fields, words, typed] of [
    [{ reference: '' }, /Type the transaction number or paste/, ''],
    [{ reference: 'hello there' }, /No transaction number was found/, 'hello there'],
    [{ reference: 'رقم العملية 22070' }, /a part of it may be missing/, 'رقم العملية 22070'],
    [{ reference: taken }, /belongs to another payment/, taken],
    [{ reference: '<script>"&' }, /No transaction number was found/, '&lt;script&gt;&quot;&amp;'],
  ] as const) {
    const { location, shown } = await follow(`${page}/reference/`, fields)
    assert.equal(shown.status, 200)
    assert.match(shown.text, words)
    assert.ok(shown.text.includes(`>${typed}</textarea>`), typed)
    // The same page in the other language keeps the error and the number.
    const other = /<header>.*?<a href="([^"]*)"/s.exec(shown.text)![1]!.replaceAll('&amp;', '&')
    assert.equal(other, location.replace('lang=en', 'lang=ar'))
    assert.ok((await open(other)).text.includes(`>${typed}</textarea>`))
  }
  const wallet = await follow(`${(await newCheckout()).page}/wallet/`, { wallet: 'x' })
  assert.match(wallet.shown.text, /not available now/)
  const payer = await follow(`${page}/wallet/`, { wallet: main, payer: 'not a phone' })
  assert.match(payer.shown.text, /This is not a phone number/)
  const rest = await follow(`${page}/rest/`, {})
  assert.equal(rest.shown.status, 200)
})

test('without scripts a pasted message leads by a redirect to the question, and the answer to it to the page', async () => {
  const { id, page } = await paying()
  const own = reference()
  const message = `تم سداد مبلغ 1400 YER كقيمة مشتريات بمرجع ${own} رصيدك هو 100.00`
  const { location, shown } = await follow(`${page}/reference/`, { reference: message })
  assert.match(textOf(shown.text), new RegExp(`Is this the transaction number\\?.*${own}.*The message says 1,400 YER`))
  const { shown: looking } = await follow(`${page}/reference/`, { reference: own })
  assert.match(textOf(looking.text), /We are looking for your payment/)
  assert.equal((await read(id)).intents[0].reference, own)
  // *Back* leads to the address of the question: it was answered, so it is not asked again.
  assert.match(textOf((await open(location)).text), /We are looking for your payment/)
})

test('an address with an error of another state, an unknown error or a long text shows the page as it is', async () => {
  const { page } = await paying()
  const { location } = await follow(`${page}/reference/`, { reference: 'hello there' })
  await send(`${page}/reference/`, { reference: reference() })
  assert.doesNotMatch((await open(location)).text, /class="error"/, 'the state has changed since')
  const state = /data-state="([^"]*)"/.exec((await open(page)).text)![1]!
  for (const name of ['constructor', '__proto__', 'title', 'errorNone', ''])
    assert.doesNotMatch((await open(`${page}?error=${name}&at=${state}`)).text, /class="error"/, name)
  const long = await open(`${page}?error=errorCut&at=${state}&typed=${'x'.repeat(5_000)}`)
  assert.match(long.text, />x{600}<\/textarea>/)
  assert.doesNotMatch((await open(`${page}?confirm=%3Cb%3E&at=${state}`)).text, /Is this the transaction number/)
  const pasted = await submit(`${page}/reference/`, { reference: 'م'.repeat(2_000) })
  assert.ok(String(pasted.headers.location).length < 4_000)
})

test('a number that is sent again because the answer was lost is no second try and no error, whatever happened since', async () => {
  const { id, page } = await paying({ allow_remaining: true })
  const own = reference()
  for (let tries = 0; tries < 3; tries++) {
    assert.equal((await send(`${page}/reference/`, { reference: own })).status, 303)
    assert.equal(await triesOf(id), 1)
  }
  await pay('1500', own)
  const paid = await send(`${page}/reference/`, { reference: own })
  assert.deepEqual([paid.status, paid.headers.location], [303, `${page}?lang=en`], 'it is paid meanwhile')
  assert.match((await open(page)).text, /PAID/)
  assert.equal(await triesOf(id), 1)

  const short = await paying()
  const less = reference()
  await pay('1400', less)
  for (let tries = 0; tries < 2; tries++)
    assert.equal((await send(`${short.page}/reference/`, { reference: less })).status, 303, 'a wrong amount arrived')
  assert.equal(await triesOf(short.id), 1)

  const over = await paying({ expires_in: 300 })
  const late = reference()
  await send(`${over.page}/reference/`, { reference: late })
  clock.advance(3_700_000)
  await shopPhone.heartbeat()
  assert.equal((await send(`${over.page}/reference/`, { reference: late })).status, 303, 'the time is over meanwhile')
  assert.equal(
    (await send(`${over.page}/reference/`, { reference: reference() })).status,
    400,
    'a new number is refused',
  )
})

test('a double touch: the same number sent four times at once is one try, before and after its money arrived', async () => {
  for (const isPaidBefore of [false, true]) {
    const { id, page } = await paying()
    const own = reference()
    if (isPaidBefore) await pay('1500', own)
    const answers = await Promise.all([1, 2, 3, 4].map(() => send(`${page}/reference/`, { reference: own })))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [303, 303, 303, 303],
    )
    assert.equal(await triesOf(id), 1)
    assert.equal((await read(id)).status, isPaidBefore ? 'COMPLETE' : 'OPEN')
  }
})

test('the reference of an earlier try can still be sent for the next one', async () => {
  const { id, page } = await paying({ expires_in: 86_400 })
  const own = reference()
  await send(`${page}/reference/`, { reference: own })
  clock.advance(3_700_000)
  await shopPhone.heartbeat()
  await send(`${page}/wallet/`, { wallet: main })
  assert.equal((await send(`${page}/reference/`, { reference: own })).status, 303)
  assert.equal((await read(id)).intents.at(-1).reference, own)
})

test('the form of a payment link is answered with a redirect too, and keeps what was typed', async () => {
  const { body } = await askCheckout('POST', '/links/', { body: { min_amount: '100' } })
  const link = new URL(body.url).pathname
  const { location, shown } = await follow(link, { amount: '50' })
  assert.match(shown.text, /This amount is not accepted/)
  assert.ok(shown.text.includes('value="50"'))
  assert.match(location, /^\/pay\/link\//)
  assert.doesNotMatch((await open(`${link}?error=constructor`)).text, /class="error"/)
  assert.match(String((await submit(link, { amount: '250' })).headers.location), /^\/pay\/(?!link)/)
})

test('a request that is neither the script nor a browser is redirected too', async () => {
  const { page } = await paying()
  const answer = await askAt(`${origin}${page}/reference/`, 'POST', {
    body: 'reference=hello+there',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.equal(answer.status, 303)
  assert.match(String(answer.headers.location), /error=errorNotFound/)
})

test('the page stays small: under 10 kB compressed in every state, also with marks, drawings and a long script', async () => {
  const { page } = await paying({ description: 'بن يماني محمص ومطحون' })
  const bytesOf = (path: string): Promise<number> =>
    new Promise((done, fail) => {
      const headers = { 'accept-encoding': 'gzip', 'accept-language': 'ar' }
      get(`${origin}${path}`, { headers }, (answer) => {
        let bytes = 0
        answer.on('data', (part: Buffer) => {
          bytes += part.length
        })
        answer.on('end', () => done(bytes))
      }).on('error', fail)
    })
  const choose = await bytesOf((await newCheckout()).page)
  const pays = await bytesOf(page)
  console.info(`choosing ${choose} bytes, paying ${pays} bytes`)
  for (const bytes of [choose, pays]) assert.ok(bytes > 2_000 && bytes < 9_000, `${bytes} bytes`)
})
