/** The rate limits of a voucher's public page: by address together with the buyers' pages, by link, and for links that do not exist. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askAt } from '../support/story.ts'
import { createMembers } from '../support/users.ts'
import { openCheckouts, textOf } from './checkout-story.ts'

const rules = { pay: { burst: 4 }, pay_change: { burst: 2 }, pay_unknown: { burst: 3 }, pay_address: { burst: 12 } }
const service = await openCheckouts({ SANAD_LIMITS: JSON.stringify(rules) })
const { clock, create, demo, newCheckout, open, origin, pay, send, submit, sql } = service
const { cashier } = await createMembers(service)

const newVoucher = async (order: string): Promise<string> => {
  const { id } = (await create({ wallet: demo.wallets.main, amount: '1500.00', external_order_id: order })).body
  return new URL((await cashier.ask('POST', `/intents/${id}/voucher/`)).body.url).pathname
}
const minuteLater = (): void => clock.advance(61_000)
const statuses = async (count: number, ask: () => Promise<{ status: number }>): Promise<number[]> => {
  const answers: number[] = []
  for (let n = 0; n < count; n++) answers.push((await ask()).status)
  return answers
}

test('a voucher is opened four times a minute here, then the page says in both languages to wait; another voucher opens', async () => {
  minuteLater()
  const [path, other] = [await newVoucher('L-1'), await newVoucher('L-2')]
  assert.deepEqual(await statuses(4, () => open(path)), [200, 200, 200, 200])
  const refused = await open(path)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) >= 1)
  assert.match(String(refused.headers['content-type']), /^text\/html/)
  assert.equal(refused.headers['cache-control'], 'no-store')
  assert.match(textOf(refused.text), /Too many requests Wait a little, then try again\./)
  assert.match(textOf((await open(`${path}?lang=ar`)).text), /الضغط كبير الآن انتظر قليلًا ثم حاول مرة أخرى\./)
  assert.equal((await askAt(`${origin}${path}`, 'HEAD', {})).status, 429)
  assert.equal((await open(other)).status, 200)
  minuteLater()
  assert.equal((await open(path)).status, 200)
})

test('pages of vouchers and of buyers share the limit of an address', async () => {
  minuteLater()
  const { page } = await newCheckout()
  const vouchers = [await newVoucher('L-3'), await newVoucher('L-4')]
  for (const path of vouchers) assert.deepEqual(await statuses(4, () => open(path)), [200, 200, 200, 200])
  assert.deepEqual(await statuses(4, () => open(page)), [200, 200, 200, 200])
  assert.equal((await open(await newVoucher('L-5'))).status, 429)
  assert.equal((await open((await newCheckout()).page)).status, 429)
})

test('links that do not exist are refused after three, whether of a voucher or of a buyer’s page; a voucher still opens', async () => {
  minuteLater()
  const path = await newVoucher('L-6')
  assert.equal((await open(`/voucher/${'x'.repeat(27)}`)).status, 404)
  assert.equal((await open('/voucher/short')).status, 404)
  assert.equal((await open(`/pay/${'y'.repeat(27)}`)).status, 404)
  assert.equal((await open(`/voucher/${'z'.repeat(27)}`)).status, 429)
  assert.equal((await open(`/pay/${'z'.repeat(27)}`)).status, 429)
  assert.equal((await open(path)).status, 200)
})

test('a browser without scripts that shares too often, or what is not paid, is redirected: reloading sends no form', async () => {
  minuteLater()
  const { id, page } = await newCheckout({ wallets: [demo.wallets.main] })
  await send(`${page}/wallet/`, { wallet: demo.wallets.main })
  const [[code]] = (await sql(
    'select i.code from intents i join checkout_intents l on l.intent_id = i.id where l.checkout_id = $1',
    [id],
  )) as [[string]]
  const form = `${page.replace('/pay/', '/voucher/of/')}/`
  const unpaid = await submit(form, { code })
  assert.equal(unpaid.status, 303)
  assert.equal((await open(String(unpaid.headers.location))).status, 404)
  minuteLater()
  await send(`${page}/reference/`, { reference: '220700009911' })
  await pay('1500', '220700009911')
  const shared = await submit(form, { code })
  assert.match(String(shared.headers.location), /^\/voucher\/[\w-]{27}\?lang=en$/)
  const busy = await submit(form, { code })
  assert.deepEqual([busy.status, busy.headers.location], [303, `${page}?lang=en&error=errorBusy`])
  assert.equal((await open(String(busy.headers.location))).status, 200)
  assert.equal((await send(form, { code })).status, 429, 'the script is told, and tries again')
})
