/** The rate limits of the checkout API and of the buyer's page: for each API key, for each page, for each IP address. */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import { openCheckouts } from './checkout-story.ts'

const rules = {
  checkouts: { burst: 8 },
  checkouts_list: { burst: 2 },
  pay: { burst: 4 },
  pay_change: { burst: 2 },
  pay_reference: { burst: 3 },
  pay_unknown: { burst: 3 },
  pay_address: { burst: 60 },
}
const service = await openCheckouts({ SANAD_LIMITS: JSON.stringify(rules) })
const { askCheckout, clock, demo, newCheckout, open, origin, send } = service

test('the list has its own limit, and a refused call says when to try again', async () => {
  for (let n = 0; n < 2; n++) assert.equal((await askCheckout('GET', '/sessions/')).status, 200)
  const refused = await askCheckout('GET', '/sessions/')
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) >= 1)
  clock.advance(60_000)
})

test('each page has its own limits, separate for reading and sending', async () => {
  const { page } = await newCheckout()
  const other = await newCheckout()
  for (let n = 0; n < 4; n++) assert.equal((await open(page)).status, 200)
  const refused = await open(page)
  assert.equal(refused.status, 429)
  assert.match(refused.text, /Too many requests/)
  assert.match(String(refused.headers['content-type']), /text\/html/)
  assert.equal((await open(other.page)).status, 200)
  for (let n = 0; n < 2; n++) assert.equal((await send(`${page}/wallet/`, { wallet: demo.wallets.main })).status, 303)
  assert.equal((await send(`${page}/wallet/`, { wallet: demo.wallets.main })).status, 429)
  clock.advance(60_000)
  assert.equal((await open(page)).status, 200)
})

test('references cannot be guessed over many pages: references that pay nothing are limited by address', async () => {
  const page = async (): Promise<string> => {
    clock.advance(1_000)
    const { page } = await newCheckout()
    assert.equal((await send(`${page}/wallet/`, { wallet: demo.wallets.main })).status, 303)
    return page
  }
  const answerTo = async (reference: string): Promise<number> =>
    (await send(`${await page()}/reference/`, { reference })).status
  assert.deepEqual([await answerTo('930000000001'), await answerTo('930000000002')], [303, 303])
  // A reference whose payment was already reported does not count.
  for (const reference of ['930000000010', '930000000011']) {
    await service.pay('1500', reference)
    assert.equal(await answerTo(reference), 303)
  }
  assert.equal(await answerTo('930000000003'), 303)
  assert.equal(await answerTo('930000000004'), 429)
  clock.advance(60_000)
  assert.equal(await answerTo('930000000004'), 303)
  clock.advance(60_000)
})

test('an address that tries links that do not exist is soon refused; buyers with a link are not', async () => {
  const { page } = await newCheckout()
  for (let n = 0; n < 3; n++) assert.equal((await open(`/pay/${'x'.repeat(26)}${n}`)).status, 404)
  assert.equal((await open(`/pay/${'x'.repeat(27)}`)).status, 429)
  assert.equal((await open(page)).status, 200)
})

test('the stream of a page sends each change of its state at once', async () => {
  clock.advance(60_000)
  const { page } = await newCheckout()
  await send(`${page}/wallet/`, { wallet: demo.wallets.main })
  const states: string[] = []
  const waiting: (() => void)[] = []
  const stream = request(`${origin}${page}/stream/`, (answer) => {
    assert.match(String(answer.headers['content-type']), /event-stream/)
    answer.setEncoding('utf8')
    answer.on('data', (text: string) => {
      for (const [, key] of text.matchAll(/^data: (.*)$/gm)) states.push(key!)
      for (const done of waiting.splice(0)) done()
    })
    answer.on('error', () => {})
  })
  stream.on('error', () => {})
  stream.end()
  const until = async (count: number): Promise<void> => {
    while (states.length < count) await new Promise<void>((done) => waiting.push(done))
  }
  await until(1)
  await send(`${page}/reference/`, { reference: '887766554433' })
  await until(2)
  await service.pay('1500', '887766554433')
  await until(3)
  stream.destroy()
  assert.deepEqual(states, ['OPEN.1.PENDING.0', 'OPEN.1.PENDING.1', 'COMPLETE.1.VERIFIED.1'])
})
