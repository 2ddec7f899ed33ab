import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { searchTerms } from './search-terms.ts'

test('terms are separated by white space and commas', () => {
  assert.deepEqual(searchTerms(' alpha,beta\u00a0gamma\x1fdelta,, '), ['alpha', 'beta', 'gamma', 'delta'])
  for (const nothing of ['', '  ', ',,', '"', "''", '""']) assert.deepEqual(searchTerms(nothing), [])
})

test('a quoted phrase is one term without its escapes', () => {
  assert.deepEqual(searchTerms(`"alpha beta" 'c d',`), ['alpha beta', 'c d'])
  assert.deepEqual(searchTerms(String.raw`"say \"hi\"" "a\\b"`), ['say "hi"', String.raw`a\b`])
})

test('quotation marks are kept inside a word, without a second one, and with a word after the comma', () => {
  assert.deepEqual(searchTerms(`it's`), [`it's`])
  assert.deepEqual(searchTerms('"alpha beta'), ['"alpha', 'beta'])
  assert.deepEqual(searchTerms('"alpha beta",gamma'), ['"alpha beta"', 'gamma'])
})

test('no other character has a special meaning', () => {
  assert.deepEqual(searchTerms('100% a_b x* ^y \u200b'), ['100%', 'a_b', 'x*', '^y', '\u200b'])
})

test('repeated terms count once, and there are at most 32 terms', () => {
  assert.deepEqual(searchTerms('a a a b'), ['a', 'b'])
  const many = fc.array(fc.string({ unit: fc.constantFrom(...`ab"',\\ `) }), { maxLength: 200 })
  fc.assert(fc.property(many, (words) => assert.ok(searchTerms(words.join(' ')).length <= 32)))
  assert.equal(searchTerms(Array.from({ length: 100 }, (_, n) => n).join(' ')).length, 32)
})
