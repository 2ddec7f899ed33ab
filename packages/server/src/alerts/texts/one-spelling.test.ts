import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withOneSpelling } from './one-spelling.ts'

const same: readonly (readonly string[])[] = [
  ['1500 YER', '1,500.00 YER', '1500.0YER', '1,500YER'],
  ['رصيدك 250.50', 'رصيدك 250.5'],
  ['أضيف 500ر.ي', 'اضيف 500 ر.ي', 'اضــيف 500ر.ي'],
]
for (const texts of same)
  test(`one spelling: ${texts.join(' | ')}`, () => {
    assert.equal(new Set(texts.map(withOneSpelling)).size, 1)
  })

test('other amounts stay different', () => {
  const texts = ['1500', '15000', '1500.5', '150', '1500.05', '0.15', '1.5']
  assert.equal(new Set(texts.map(withOneSpelling)).size, texts.length)
})

test('a whole number keeps its zeros', () => assert.equal(withOneSpelling('1,000 2500'), '10002500'))
