import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { referenceKey } from './reference-key.ts'

test('a reference has the same key however it was copied: digits, spaces, marks, letter case', () => {
  for (const spelling of [
    'ab123',
    ' AB 123 ',
    'AB١٢٣',
    'ＡＢ１２３',
    '\u200fab\u200b123\u202c',
    'a\u00adb\ufeff1\u00a023',
  ])
    assert.equal(referenceKey(spelling), 'AB123', JSON.stringify(spelling))
})

test('leading zeros, hyphens and other characters count', () => {
  assert.notEqual(referenceKey('0123'), referenceKey('123'))
  assert.notEqual(referenceKey('1-23'), referenceKey('123'))
})

test('the key of a key is itself', () => {
  const text = fc.string({
    unit: fc.oneof(fc.constantFrom('ß', 'ı', 'ŉ', '\u0345', '\u200d', 'ﬁ', 'ǅ', '٣', ' '), binary),
  })
  fc.assert(
    fc.property(text, (reference) => assert.equal(referenceKey(referenceKey(reference)), referenceKey(reference))),
  )
})

// Higher code points are ideographs, invisible characters and private use: one pass is enough for each of them.
test('the key of every single character is its own key', () => {
  for (let codePoint = 0; codePoint < 0x20000; codePoint++) {
    const key = referenceKey(String.fromCodePoint(codePoint))
    if (referenceKey(key) !== key) assert.fail(`U+${codePoint.toString(16)}`)
  }
})

const binary = fc.string({ unit: 'binary', minLength: 1, maxLength: 1 })
