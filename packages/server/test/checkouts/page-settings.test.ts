/** The settings of an account's checkout pages: which roles may change them, what is refused, and what buyers see. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setCheckoutLogo } from '@sanad/contract/dashboard/people/checkout-page'
import { errorsOf } from '../support/story.ts'
import { createMembers } from '../support/users.ts'
import { openCheckouts, textOf } from './checkout-story.ts'

const service = await openCheckouts()
const { newCheckout, open } = service
const members = await createMembers(service)
const path = '/account/checkout-page/'
const nothing = { shop_name: '', color: '', whatsapp: '', phone: '', frame_origins: [], logo: null }

test('buyers see the name, the colour and the contact of the shop', async () => {
  assert.deepEqual((await members.viewer.ask('GET', path)).body, nothing)
  const { page } = await newCheckout({ external_order_id: 'A-1042' })
  assert.match(textOf((await open(page)).text), /^Demo shop/)
  const contact = { whatsapp: '967770000000', phone: '+967770000001' }
  const body = { shop_name: 'متجر الركن', color: '#ab12cd', ...contact, frame_origins: [] }
  const changed = await members.manager.ask('PATCH', path, { body })
  assert.deepEqual([changed.status, changed.body], [200, { ...body, color: '#AB12CD', logo: null }])
  const shown = await open(page)
  assert.match(textOf(shown.text), /^متجر الركن.*Message the shop on WhatsApp.*Call the shop \+967770000001/)
  assert.ok(shown.text.includes('href="https://wa.me/967770000000?text=A-1042"'))
  assert.ok(shown.text.includes('fill="#AB12CD"'))
  assert.deepEqual((await members.owner.ask('PATCH', path, { body: { phone: '' } })).body, {
    ...changed.body,
    phone: '',
  })
  const log = (await members.owner.ask('GET', '/audit/')).body.results as { action: string; after: object }[]
  assert.equal(log.filter(({ action }) => action === 'account.checkout_page').length, 2)
})

test('cashiers and viewers change nothing, and bad values are refused', async () => {
  const before = (await members.viewer.ask('GET', path)).body
  for (const member of [members.cashier, members.viewer])
    assert.equal((await member.ask('PATCH', path, { body: { shop_name: 'x' } })).status, 403)
  const cases: readonly (readonly [unknown, string[]])[] = [
    [{ shop_name: 'x'.repeat(101) }, ['max_length@shop_name']],
    [{ shop_name: 'a\nb' }, ['invalid@shop_name']],
    [{ shop_name: 'a\u2067b' }, ['invalid@shop_name']],
    [{ shop_name: 'a\u2029b' }, ['invalid@shop_name']],
    [{ shop_name: 'https://bad.example' }, ['invalid@shop_name']],
    [{ shop_name: 'Pay at bad.example/pay' }, ['invalid@shop_name']],
    [{ color: 'red' }, ['invalid@color']],
    [{ color: '#12345"' }, ['invalid@color']],
    [{ whatsapp: '+967770000000' }, ['invalid@whatsapp']],
    [{ whatsapp: '967?text=x' }, ['invalid@whatsapp']],
    [{ phone: 'javascript:1', color: null }, ['invalid@phone', 'null@color']],
  ]
  for (const [body, errors] of cases) {
    const answer = await members.owner.ask('PATCH', path, { body })
    assert.equal(answer.status, 400, JSON.stringify(body))
    assert.deepEqual(errorsOf(answer).sort(), [...errors].sort(), JSON.stringify(body))
  }
  assert.deepEqual((await members.viewer.ask('GET', path)).body, before)
})

const image = setCheckoutLogo.example.image
const logo = `${path}logo/`

test('the logo is checked by its bytes, and sent with headers that let nothing in it run', async () => {
  const { page } = await newCheckout({})
  const set = await members.manager.ask('PUT', logo, { body: { image } })
  assert.equal(set.status, 200, set.text)
  const { url, width, height } = set.body.logo
  assert.match(url, /^\/pay\/logo\/[A-Za-z0-9_-]{43}$/)
  assert.deepEqual([width, height], [1, 1])
  const sent = await fetch(`${service.origin}${url}`)
  assert.equal(Buffer.from(await sent.arrayBuffer()).toString('base64'), image)
  const headers = ['content-type', 'x-content-type-options', 'content-security-policy', 'cache-control']
  assert.deepEqual(
    headers.map((name) => sent.headers.get(name)),
    [
      'image/png',
      'nosniff',
      "default-src 'none'; sandbox; frame-ancestors 'none'",
      'public, max-age=31536000, immutable',
    ],
  )
  const shown = await open(page)
  assert.ok(shown.text.includes(`<img src="${url}" width="1" height="1" alt="">`), shown.text)
  assert.match(String(shown.headers['content-security-policy']), /img-src 'self'/)
  // Setting the same logo again is no change. Removing it is a change.
  assert.equal((await members.owner.ask('PUT', logo, { body: { image } })).body.logo.url, url)
  assert.equal((await members.owner.ask('DELETE', logo)).body.logo, null)
  assert.equal((await members.owner.ask('DELETE', logo)).status, 200)
  assert.equal((await fetch(`${service.origin}${url}`)).status, 404)
  assert.ok(!(await open(page)).text.includes('<img'))
  const log = (await members.owner.ask('GET', '/audit/')).body.results as { action: string }[]
  assert.equal(log.filter(({ action }) => action === 'account.checkout_logo').length, 2)
})

test('a logo that is no picture is refused, and the previous logo stays', async () => {
  await members.owner.ask('PUT', logo, { body: { image } })
  const base64 = (text: string | Buffer): string => Buffer.from(text).toString('base64')
  const cases: readonly (readonly [unknown, string])[] = [
    [{ image: base64('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>') }, 'logo_kind@image'],
    [{ image: base64('GIF89a') }, 'logo_kind@image'],
    [{ image: base64(Buffer.alloc(10_240)) }, 'logo_kind@image'],
    [{ image: base64(Buffer.alloc(10_241)) }, 'logo_bytes@image'],
    [{ image: base64(Buffer.alloc(20_000)) }, 'max_length@image'],
    [{ image: 'not base64!' }, 'invalid@image'],
    [{ image: '' }, 'blank@image'],
    [{}, 'required@image'],
  ]
  for (const [body, error] of cases)
    assert.deepEqual(
      errorsOf(await members.owner.ask('PUT', logo, { body })),
      [error],
      JSON.stringify(body).slice(0, 60),
    )
  for (const member of [members.cashier, members.viewer]) {
    assert.equal((await member.ask('PUT', logo, { body: { image } })).status, 403)
    assert.equal((await member.ask('DELETE', logo)).status, 403)
  }
  assert.notEqual((await members.viewer.ask('GET', path)).body.logo, null)
  assert.equal((await members.stranger.ask('GET', path)).body.logo, null)
  for (const name of ['x', 'x'.repeat(43), '..%2f..%2fetc', 'x'.repeat(5_000)])
    assert.equal((await fetch(`${service.origin}/pay/logo/${name}`)).status, 404)
})

test('a shop name with $ signs is shown as it is, in the page’s title too', async () => {
  const { page } = await newCheckout({ external_order_id: 'A-1043' })
  const name = "Al-Noor $& $1 $' $` $$"
  assert.equal((await members.owner.ask('PATCH', path, { body: { shop_name: name } })).status, 200)
  const escaped = name.replaceAll('&', '&amp;').replaceAll("'", '&#39;')
  const { text } = await open(page)
  const title = /<title>(.*?)<\/title>/.exec(text)![1]!
  assert.ok(title.includes(escaped) || title.includes(name.replaceAll('&', '&amp;')), title)
})
