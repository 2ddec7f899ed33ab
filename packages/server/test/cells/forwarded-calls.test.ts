/** 0131: what servers, phones and forwarding apps still send to the old cell of an account is answered by the new one. */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { checkoutOperations } from '@sanad/contract/checkout/operations'
import { developerOperations } from '@sanad/contract/developer/operations'
import { merchantOperations } from '@sanad/contract/merchant/operations'
import { phone } from '../support/phone.ts'
import { purchaseText } from '../support/sms-texts.ts'
import { type Answer, type Ask, askAt, errorsOf } from '../support/story.ts'
import { lineOf, openTwoCells } from './forwarding-story.ts'

const cells = await openTwoCells({ SANAD_TRUST_PROXY: '1' })
const { old, other, accountId, switchOver } = cells
const { demo, clock } = old
const { main } = demo.wallets
const otherToken = await old.tokenFor(demo.other.client_id, demo.other.client_secret)
const at = (path: string, method = 'GET', options: Ask = {}) =>
  askAt(`${old.origin}/api/v1${path}`, method, { token: old.token, ...options })
const exchange = (id: string, secret: string, headers: Record<string, string> = {}) =>
  askAt(`${old.base}/token`, 'POST', {
    headers: { 'SERVICE-CLIENT-ID': id, 'SERVICE-CLIENT-SECRET': secret, ...headers },
  })
const forwardedTo = async (answer: Answer) => (await lineOf(old, answer)).forwarded
const sms = (amount: string, reference: string) => ({
  client_id: randomUUID(),
  kind: 'sms',
  sender: 'Jawali',
  text: purchaseText(amount, reference),
  sim_slot: 'SIM1',
  received_at: Math.floor(clock.now() / 1000),
})
const intentsIn = async (cell: typeof other | typeof old): Promise<number> =>
  Number((await cell.sql('select count(*) from intents where account_id = $1', [accountId]))[0]![0])

const theirs = (
  await askAt(`${old.base}/intents/`, 'POST', {
    token: otherToken,
    body: { wallet: demo.other.wallet, amount: '10.00' },
  })
).body
await switchOver()
const inOld = await intentsIn(old)

test('every call with a key is forwarded, whatever it names and whichever method it uses', async () => {
  const apis = { merchant: merchantOperations, checkout: checkoutOperations, developer: developerOperations }
  let calls = 0
  for (const [name, operations] of Object.entries(apis))
    for (const { path, method, access } of operations) {
      if (access !== 'key') continue
      const url = `/${name}${path.replaceAll(/\{\w+\}/g, randomUUID())}`
      for (const sent of [method, 'OPTIONS', 'PURGE', ...(method === 'GET' ? ['HEAD'] : [])]) {
        const answer = await at(url, sent, { undescribed: true })
        assert.equal(await forwardedTo(answer), other.origin, `${sent} ${url}: ${answer.status} ${answer.text}`)
        // Both cells log the call under the same id.
        assert.equal((await lineOf(other, answer)).status, answer.status)
        calls++
      }
    }
  assert.ok(calls > 30)
})

test('a token of one cell is valid in the other, and the old address gives tokens', async () => {
  const here = await exchange(demo.client_id, demo.client_secret)
  assert.equal(here.status, 200)
  assert.equal((await askAt(`${other.base}/wallets/`, 'GET', { token: here.body.access_token })).status, 200)
  assert.equal((await askAt(`${other.base}/wallets/`, 'GET', { token: old.token })).status, 200)
  assert.equal((await at('/merchant/wallets/', 'GET', { token: other.token })).status, 200)
})

test('the new cell decides: a secret and a key that were changed there count at the old address', async () => {
  const [revoked] = (await other.sql(
    `update api_keys set revoked_at = now() where client_id <> $1 and account_id = $2 returning client_id`,
    [demo.client_id, accountId],
  )) as [[string] | undefined]
  const wrong = await exchange(demo.client_id, 'not the secret')
  assert.deepEqual([wrong.status, await forwardedTo(wrong)], [401, other.origin])
  if (revoked !== undefined) assert.equal((await exchange(revoked[0], 'any')).status, 401)
  // A key that was made after the move has no row here: its tokens say whose they are.
  const newId = randomBytes(16).toString('hex')
  await other.sql(
    `insert into api_keys select (json_populate_record(k, json_build_object('client_id', $1::text))).* from api_keys k where client_id = $2`,
    [newId, demo.client_id],
  )
  const token = await other.tokenFor(newId, demo.client_secret)
  assert.equal((await at('/merchant/wallets/', 'GET', { token })).status, 200)
})

test('unknown keys and tokens are refused by the old cell, and other accounts notice nothing', async () => {
  for (const answer of [
    await exchange('0'.repeat(32), 'any'),
    await at('/merchant/wallets/', 'GET', { token: 'no.such.token' }),
    await at('/merchant/wallets/', 'GET', { token: null }),
    await phone(old.origin, clock.now, { id: randomUUID(), secret: 'any' }).heartbeat(),
  ]) {
    assert.equal(answer.status, 401)
    assert.equal(await forwardedTo(answer), undefined)
  }
  const own = await at(`/merchant/intents/${theirs.id}/`, 'GET', { token: otherToken })
  assert.deepEqual([own.status, await forwardedTo(own)], [200, undefined])
})

test('a create is forwarded once, and its repetition gets the same intent', async () => {
  const before = await intentsIn(other)
  const key = randomUUID()
  const create = () =>
    at('/merchant/intents/', 'POST', {
      body: { wallet: main, amount: '1500.00', notes: 'قهوة' },
      headers: { 'SERVICE-IDEMPOTENCY-KEY': key },
    })
  const [first, second] = [await create(), await create()]
  assert.deepEqual([first.status, second.status, second.body.id], [201, 201, first.body.id], first.text)
  assert.equal(first.body.notes, 'قهوة')
  assert.deepEqual([await intentsIn(other), await intentsIn(old)], [before + 1, inOld])
})

test('links in answers are those of the new cell', async () => {
  for (let i = 0; i < 3; i++) await at('/merchant/intents/', 'POST', { body: { wallet: main, amount: '5.00' } })
  const page = await at('/merchant/intents/?page_size=1')
  assert.equal(new URL(page.body.next).origin, other.origin)
  const checkout = await at('/checkout/sessions/', 'POST', { body: { amount: '1500.00' } })
  assert.equal(new URL(checkout.body.url).origin, other.origin)
})

test('a large body is forwarded whole, one above the limit is refused, and a body in pieces arrives', async () => {
  const notes = 'x'.repeat(900_000)
  const refused = await at('/merchant/intents/', 'POST', { body: { wallet: main, amount: '5.00', notes } })
  assert.deepEqual([refused.status, errorsOf(refused)], [400, ['max_length@notes']])
  const tooLarge = await at('/merchant/intents/', 'POST', { body: { notes: 'x'.repeat(1_100_000) } })
  assert.deepEqual([tooLarge.status, errorsOf(tooLarge)], [413, ['request_too_large@null']])
  const pieces = await fetch(`${old.base}/intents/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${old.token}`, 'content-type': 'application/json' },
    body: new ReadableStream({
      start(to) {
        for (const part of [`{"wallet":"${main}",`, '"amount":"7.00"}']) to.enqueue(Buffer.from(part))
        to.close()
      },
    }),
    duplex: 'half',
  } as RequestInit)
  assert.equal(pieces.status, 201)
})

test('a phone goes on with its old address: reports, heartbeats, and its secret of the new cell', async () => {
  const shopPhone = phone(old.origin, clock.now, demo.device)
  const reference = '700123456789'
  const { body: intent } = await at('/merchant/intents/', 'POST', { body: { wallet: main, amount: '1500.00' } })
  assert.equal((await at(`/merchant/intents/${intent.id}/`, 'PATCH', { body: { reference } })).status, 200)
  const report = sms('1500.00', reference)
  const requestId = randomUUID()
  const answers = [await shopPhone.alerts([report], { requestId }), await shopPhone.alerts([report], { requestId })]
  for (const answer of answers) assert.deepEqual([answer.status, answer.text], [200, answers[0]!.text])
  assert.equal((await shopPhone.heartbeat()).status, 200)
  assert.equal((await at(`/merchant/intents/${intent.id}/`)).body.status, 'VERIFIED')
  const wrong = await shopPhone.alerts([report], { secret: 'another secret' })
  assert.deepEqual([wrong.status, await forwardedTo(wrong)], [401, other.origin])
  assert.equal((await shopPhone.alerts([report], { query: '?a=1&b=%20' })).status, 200)
})

test('the address of the client passes both cells: keys that are bound to addresses go on to work', async () => {
  await other.sql(`update api_keys set addresses = '{203.0.113.0/24}' where client_id = $1`, [demo.client_id])
  const from = (address: string) => exchange(demo.client_id, demo.client_secret, { 'x-forwarded-for': address })
  const [inside, outside] = [await from('203.0.113.7'), await from('198.51.100.7')]
  assert.deepEqual([inside.status, outside.status], [200, 403])
  assert.equal((await lineOf(other, outside)).ip, '198.51.100.7')
  // Who is not the old cell cannot say so: the header counts only with the signature of a cell.
  const forged = await askAt(`${other.base}/token`, 'POST', {
    headers: {
      'SERVICE-CLIENT-ID': demo.client_id,
      'SERVICE-CLIENT-SECRET': demo.client_secret,
      'x-sanad-forwarded': `203.0.113.7 ${Math.floor(clock.now() / 1000)} ${'A'.repeat(43)}`,
    },
  })
  assert.equal(forged.status, 403)
  await other.sql('update api_keys set addresses = null where client_id = $1', [demo.client_id])
})

test('the old cell counts what it forwards, and says it in its log', async () => {
  assert.ok((await cells.forwardedCalls('answered')) > 40)
  assert.equal(await cells.forwardedCalls('away'), 0)
})

test('a call of the developer’s tools and an unknown path', async () => {
  assert.equal((await at('/developer/events/')).status, 200)
  assert.equal((await at('/merchant/nothing-here/', 'GET', { undescribed: true })).status, 404)
})
