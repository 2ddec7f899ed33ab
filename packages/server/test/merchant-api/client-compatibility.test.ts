/** Details of the merchant API that existing clients rely on and that no document states. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorsOf, openTestService } from '../support/story.ts'

const service = await openTestService({ SANAD_LIMITS: 'off' })
const { ask, demo } = service
const { main } = demo.wallets

const withType = (type: string, body: string | Uint8Array) =>
  ask('POST', '/intents/', { body, headers: { 'content-type': type } })

test('a body is decoded with the charset of its type, and a media range that includes JSON is accepted', async () => {
  const order = JSON.stringify({ wallet: main, amount: '1', notes: 'café' })
  const inLatin1 = await withType('application/json; charset=ISO-8859-1', Buffer.from(order, 'latin1'))
  assert.equal(inLatin1.status, 201)
  assert.equal(inLatin1.body.notes, 'café')
  assert.equal((await withType('application/json; charset=bogus', order)).body.notes, 'café')

  const inUtf16 = await withType('application/json; charset=utf-16', order)
  assert.equal(inUtf16.status, 400)
  assert.deepEqual(inUtf16.body.errors, [
    { code: 'parse_error', detail: 'JSON parse error - UTF-16 stream does not start with BOM', attr: null },
  ])
  for (const type of ['*/json', 'application/*', '*/*;q=0.5']) assert.equal((await withType(type, order)).status, 201)
  assert.deepEqual(errorsOf(await withType('*/xml', order)), ['unsupported_media_type@null'])
})

test('a token is compared as text: another base64 spelling of its signature is refused', async () => {
  const { token } = service
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  const last = [...letters].filter((letter) => letter !== token.at(-1)).map((letter) => token.slice(0, -1) + letter)
  for (const touched of [...last, `${token}=`, `${token}A`, `${token}==`]) {
    const answer = await ask('GET', '/wallets/', { token: touched })
    assert.equal(answer.status, 401, touched.slice(-3))
    assert.deepEqual(errorsOf(answer), ['authentication_failed@null'])
    assert.equal(answer.headers['www-authenticate'], 'Bearer realm="api", error="invalid_token"')
  }
  assert.equal((await ask('GET', '/wallets/')).status, 200)
})

test('every answer has the header Allow, also the answers of /token', async () => {
  const key = { 'SERVICE-CLIENT-ID': demo.client_id, 'SERVICE-CLIENT-SECRET': demo.client_secret }
  const issued = await ask('POST', '/token', { token: null, headers: key })
  const refused = await ask('POST', '/token', { token: null })
  const notAllowed = await ask('PUT', '/token', { token: null })
  assert.deepEqual([issued.status, refused.status, notAllowed.status], [200, 401, 405])
  for (const answer of [issued, refused, notAllowed]) assert.equal(answer.headers.allow, 'POST, OPTIONS')
  assert.equal((await ask('GET', '/wallets/')).headers.allow, 'GET, HEAD, OPTIONS')
})

test('a too long idempotency key is a field error, so rules over the whole order are not checked', async () => {
  const headers = { 'SERVICE-IDEMPOTENCY-KEY': 'k'.repeat(129) }
  const tooLong = 'max_length@SERVICE-IDEMPOTENCY-KEY'
  const errorsFor = async (body: object) => errorsOf(await ask('POST', '/intents/', { body, headers }))
  assert.deepEqual(await errorsFor({ wallet: main }), [tooLong])
  assert.deepEqual(await errorsFor({ wallet: main, items: [{ name: 'gift', price: '0' }] }), [tooLong])
  assert.deepEqual(await errorsFor({ wallet: demo.wallets.off, amount: '1' }), [tooLong])
  assert.deepEqual(await errorsFor({ wallet: main, amount: 'x' }), ['invalid@amount', tooLong])
  assert.deepEqual(await errorsFor({ wallet: demo.other.wallet }), ['does_not_exist@wallet', tooLong])
})

test('search ignores case, also for letters with a different final form', async () => {
  const order = 'ΣΑΣΑ-17 Straße'
  await service.create({ external_order_id: order })
  for (const term of ['ΣΑΣ', 'σασ', 'σας', 'ΣΑΣΑ-17', 'σασα', 'STRAß', 'straße']) {
    const found = await ask('GET', `/intents/?search=${encodeURIComponent(term)}`)
    assert.deepEqual(
      found.body.results.map((intent: { external_order_id: string }) => intent.external_order_id),
      [order],
      term,
    )
  }
})
