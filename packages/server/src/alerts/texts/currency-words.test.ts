import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allCurrencyWords, currencyIn, currencyWords, inOtherCurrencies } from './currency-words.ts'

test('the spelling of a currency is found in a text; a word inside that of another currency is not it', () => {
  assert.equal(currencyIn('1500 ريال', 'YER'), 'ريال')
  assert.equal(currencyIn('1500 YER', 'YER'), 'YER')
  assert.equal(currencyIn('1500 ريال سعودي', 'YER'), undefined)
  assert.equal(currencyIn('1500 ريال سعودي', 'SAR'), 'ريال سعودي')
  assert.equal(currencyIn('1500 YER', 'SAR'), undefined)
  assert.equal(currencyIn('1500 AED', 'AED'), 'AED')
  assert.deepEqual(currencyWords('AED'), ['AED'])
})

test('a text in other currencies: all places at once, and each place alone', () => {
  const texts = inOtherCurrencies('a YER b YER c', 'YER')
  for (const text of ['a USD b USD c', 'a USD b YER c', 'a YER b USD c', 'a SAR b YER c'])
    assert.ok(texts.includes(text), text)
  assert.ok(texts.every((text) => text !== 'a YER b YER c' && /^a .+ b .+ c$/.test(text)))
  // Three texts for each spelling of another currency.
  const foreign = allCurrencyWords.length - currencyWords('YER').length
  assert.equal(texts.length, 3 * foreign)
  assert.deepEqual(inOtherCurrencies('1500', 'YER'), [])
})

test('at most eight places are replaced alone', () => {
  const foreign = allCurrencyWords.length - currencyWords('YER').length
  const texts = (places: number) => inOtherCurrencies('YER 1 '.repeat(places), 'YER').length / foreign
  assert.deepEqual([texts(7), texts(8), texts(9)], [8, 9, 9])
})

test('the longest spellings come first', () => {
  const lengths = allCurrencyWords.map((word) => word.length)
  assert.deepEqual(
    lengths,
    lengths.toSorted((a, b) => b - a),
  )
  assert.equal(allCurrencyWords[0], 'ريال سعودي')
})
