import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minor } from '../../core/money.ts'
import { wordsFor, wordsOfNotice } from './no-contact-words.ts'
import { largeAmount, money } from './page-parts.ts'

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
