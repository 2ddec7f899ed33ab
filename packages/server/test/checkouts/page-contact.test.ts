/** The buyer's page tells buyers to contact the shop only if it also says how. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wordsFor } from '../../src/http/pay/no-contact-words.ts'
import { pageWords } from '../../src/http/pay/page-words.ts'
import { createMembers } from '../support/users.ts'
import { openCheckouts, textOf } from './checkout-story.ts'

const service = await openCheckouts()
const { askCheckout, demo, newCheckout, open, send, shopPhone } = service
const { owner } = await createMembers(service)
await shopPhone.heartbeat()

const says = /\bcontact\b|تواصل/i

test('a shop without contacts: no text of the page says to contact the shop, in either language', () => {
  for (const locale of ['ar', 'en'] as const) {
    const { currency, ...none } = wordsFor(locale, { whatsapp: '', phone: '' }, 'YER')
    assert.doesNotMatch(currency, says)
    for (const [key, text] of Object.entries(none)) assert.doesNotMatch(text, says, `${locale} ${key}`)
    assert.deepEqual(Object.keys(none), Object.keys(pageWords[locale]))
    for (const shop of [
      { whatsapp: '967770000000', phone: '' },
      { whatsapp: '', phone: '01234567' },
    ])
      assert.deepEqual(wordsFor(locale, shop, 'YER'), { ...pageWords[locale], currency })
    // Each text that differs has the same values in it.
    for (const [key, text] of Object.entries(none)) {
      const values = (words: string) => [...words.matchAll(/\{\w+\}/g)].map(String).sort()
      const full = pageWords[locale][key as keyof typeof none]
      if (text !== '')
        assert.deepEqual(
          values(text),
          values(full).filter((value) => value !== '{shop}' || text.includes(value)),
          key,
        )
    }
  }
})

test('with a contact the page of a checkout and the page of a link show it; without one they do not mention it', async () => {
  const { page } = await newCheckout()
  await send(`${page}/wallet/`, { wallet: demo.wallets.main })
  const link = new URL((await askCheckout('POST', '/links/', { body: { min_amount: '100' } })).body.url).pathname
  for (const path of [page, link, `${link}?error=linkInUse`]) {
    assert.doesNotMatch(textOf((await open(path)).text), says, path)
    assert.doesNotMatch(textOf((await open(`${path}${path.includes('?') ? '&' : '?'}lang=ar`)).text), says, path)
  }
  assert.match(textOf((await open(page)).text), /Payment code .*give it to the shop/)
  const changed = await owner.ask('PATCH', '/account/checkout-page/', { body: { whatsapp: '967770000000' } })
  assert.equal(changed.status, 200, changed.text)
  for (const path of [page, link]) {
    const shown = (await open(path)).text
    assert.match(textOf(shown), /Any problem\? Contact/, path)
    assert.match(shown, /href="https:\/\/wa\.me\/967770000000\?text=/, path)
  }
})

test('the page of a shop that is closed names no contact', async () => {
  const { page } = await newCheckout()
  await service.sql(`update accounts set status = 'SUSPENDED' where id = $1`, [service.accountId])
  const closed = await open(page)
  await service.sql(`update accounts set status = 'ACTIVE' where id = $1`, [service.accountId])
  assert.equal(closed.status, 403)
  assert.match(closed.text, /Do not send money/)
  assert.doesNotMatch(textOf(closed.text), says)
})
