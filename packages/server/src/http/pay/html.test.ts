import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minor } from '../../core/money.ts'
import { cutAtMarks, html, shared, unmarked } from './html.ts'
import { wordsFor, wordsOfNotice } from './no-contact-words.ts'
import { largeAmount, money, plainAmount, sentence, typedAmount } from './page-parts.ts'
import { pageWords } from './page-words.ts'

test('values are escaped in texts and attributes; parts that are HTML are not', () => {
  const evil = `"><script>alert('1')</script>&`
  const escaped = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;'
  assert.equal(html`<a title="${evil}">${evil}</a>`.text, `<a title="${escaped}">${escaped}</a>`)
  assert.equal(html`<p>${html`<b>${'x'}</b>`}${false}${undefined}${[1, 'a']}</p>`.text, '<p><b>x</b>1a</p>')
  assert.equal(sentence('Pay {shop}', { shop: evil }).text, `Pay <bdi>${escaped}</bdi>`)
})

test('shared parts are marked, nested ones as one part; a value cannot add a mark', () => {
  const inner = shared(html`<b>x</b>`)
  const page = html`<p>${'a\ue000b\ue001'}</p>${shared(html`<i>${inner}</i>`)}<p>z</p>`.text
  assert.deepEqual(cutAtMarks(page), ['<p>ab</p>', '<i><b>x</b></i>', '<p>z</p>'])
  assert.equal(unmarked(page), '<p>ab</p><i><b>x</b></i><p>z</p>')
})

test('amounts are grouped for reading and plain for typing', () => {
  assert.equal(plainAmount(minor(150_000n)), '1,500')
  assert.equal(plainAmount(minor(123_456_789n)), '1,234,567.89')
  assert.equal(plainAmount(minor(5n)), '0.05')
  assert.equal(typedAmount(minor(150_000n)), '1500')
  assert.equal(typedAmount(minor(150_050n)), '1500.50')
})

test('both languages have the same placeholders in every sentence', () => {
  const placeholders = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort()
  for (const [key, text] of Object.entries(pageWords.ar))
    assert.deepEqual(placeholders(pageWords.en[key as keyof typeof pageWords.en]), placeholders(text), key)
})

const shop = { whatsapp: '', phone: '770000001' }
const noContact = { whatsapp: '', phone: '' }

test('the page shows an amount in the currency of its checkout or link, in the language of the buyer', () => {
  for (const contact of [shop, noContact]) {
    assert.equal(money(minor(150_000n), wordsFor('ar', contact, 'SAR')), '1,500\u00a0ر.س')
    assert.equal(money(minor(150_000n), wordsFor('en', contact, 'SAR')), '1,500\u00a0SAR')
    assert.match(largeAmount(minor(150_000n), wordsFor('ar', contact, 'USD')).text, /<small>\$<\/small>/)
  }
  assert.equal(money(minor(150_000n), wordsFor('en', shop, 'AED')), '1,500\u00a0AED')
})

test('a shop without contacts has the other words in every currency, and a page with one message has them too', () => {
  for (const currency of ['YER', 'SAR']) {
    assert.equal(wordsFor('en', shop, currency).closedLong, 'Do not send money. Contact the shop.')
    assert.equal(wordsFor('en', noContact, currency).closedLong, 'Do not send money.')
  }
  assert.equal(wordsOfNotice('en').closedLong, 'Do not send money.')
})
