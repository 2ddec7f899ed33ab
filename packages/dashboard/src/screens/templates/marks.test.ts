/** Marks in a message: the words of the message, and marks that do not overlap. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usualCurrency } from '@sanad/contract/currency'
import { type Mark, piecesOf, trimmed, withMark, wordsIn } from './marks.ts'

const wordTexts = (text: string): string[] => wordsIn(text).map(({ from, to }) => text.slice(from, to))

test('an amount is one word with its separators, without its neighbours', () => {
  assert.deepEqual(wordTexts('received 1,500.00 YER, ref 55501. Enjoy'), [
    'received',
    '1,500.00',
    usualCurrency,
    ',',
    'ref',
    '55501',
    '.',
    'Enjoy',
  ])
  assert.deepEqual(wordTexts('أضيف ١٬٥٠٠ر.ي رص:5680ر.ي'), [
    'أضيف',
    '١٬٥٠٠',
    'ر',
    '.',
    'ي',
    'رص',
    ':',
    '5680',
    'ر',
    '.',
    'ي',
  ])
  assert.deepEqual(wordTexts('1500YER or YER1500'), ['1500', usualCurrency, 'or', usualCurrency, '1500'])
})

test('a reference of letters and digits is one word, and so is a masked number', () => {
  assert.deepEqual(wordTexts('Ref CI4K7Q2Z from +96777XXX000, ABC-12-3'), [
    'Ref',
    'CI4K7Q2Z',
    'from',
    '+96777XXX000',
    ',',
    'ABC-12-3',
  ])
  assert.deepEqual(wordTexts('من ع*** المثال'), ['من', 'ع***', 'المثال'])
})

test('a new mark replaces the marks it overlaps, and each slot is marked once', () => {
  const marks: Mark[] = [{ from: 0, to: 5, slot: 'amount' }]
  assert.deepEqual(withMark(marks, { from: 8, to: 10 }, 'amount'), [{ from: 8, to: 10, slot: 'amount' }])
  assert.deepEqual(withMark(marks, { from: 4, to: 10 }, 'fee'), [{ from: 4, to: 10, slot: 'fee' }])
  const twice = withMark(withMark(marks, { from: 8, to: 10 }, 'changing'), { from: 6, to: 7 }, 'changing')
  assert.deepEqual(
    twice.map(({ slot }) => slot),
    ['amount', 'text_2:any', 'text_1:any'],
  )
})

test('the pieces of a message make up the message', () => {
  const text = ' paid 1,500 YER\nto  Ali '
  const marks = [{ from: 6, to: 11, slot: 'amount' }]
  const pieces = piecesOf(text, wordsIn(text), marks, { from: 8, to: 14 })
  assert.equal(pieces.map(({ from, to }) => text.slice(from, to)).join(''), text)
  assert.deepEqual(
    pieces.filter(({ mark }) => mark !== undefined).map(({ from, to }) => text.slice(from, to)),
    ['1,', '500'],
  )
  assert.deepEqual(trimmed(text, { from: 0, to: 6 }), { from: 1, to: 5 })
  assert.equal(trimmed(text, { from: 0, to: 1 }), undefined)
})
