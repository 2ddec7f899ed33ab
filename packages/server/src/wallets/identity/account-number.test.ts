import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { numberKey } from './account-number.ts'

/** The digit zero of six scripts: ASCII, Arabic, Persian, Devanagari, Bengali and fullwidth. */
const zeros = [0x30, 0x660, 0x6f0, 0x966, 0x9e6, 0xff10]

const spelledIn = (zero: number, digits: string): string =>
  [...digits].map((digit) => String.fromCodePoint(zero + Number(digit))).join('')

/** A Yemeni mobile number. */
const mobile = fc.integer({ min: 0, max: 99_999_999 }).map((n) => `7${String(n).padStart(8, '0')}`)
const nineDigits = fc.integer({ min: 0, max: 999_999_999 }).map((n) => String(n).padStart(9, '0'))

const spelling = fc.record({
  prefix: fc.constantFrom('', '+967', '00967', '967', '0', '+967 0', '+967(0)', '٠٠٩٦٧', '+ 967 - '),
  zero: fc.constantFrom(...zeros),
  between: fc.constantFrom('', ' ', '-', '.', '\u200f', '\u00a0', ' - ', '/'),
  before: fc.constantFrom('', 'No. ', 'حساب ', 'Account: ', '#', '\u202a'),
  after: fc.constantFrom('', ' YER', ' (الرئيسي)', '\u202c', ' .'),
})

test('every spelling of a number has the same key', () => {
  fc.assert(
    fc.property(mobile, spelling, (number, { prefix, zero, between, before, after }) => {
      const written = [...spelledIn(zero, number)].join(between)
      assert.equal(numberKey(`${before}${prefix}${written}${after}`), number)
    }),
  )
})

test('two different numbers of nine digits have different keys', () => {
  fc.assert(
    fc.property(nineDigits, nineDigits, spelling, (one, other, { between, zero }) => {
      fc.pre(one !== other)
      assert.notEqual(numberKey(one), numberKey([...spelledIn(zero, other)].join(between)))
    }),
  )
})

test('a country code is removed only before a mobile number of that country', () => {
  for (const [one, other] of [
    ['+966 5 1234 5678', '0512345678'],
    ['+254 712 345678', '0712345678'],
    ['+254 112 345678', '0112345678'],
    ['+880 1712-345678', '01712345678'],
    ['+20 100 123 4567', '01001234567'],
    ['00967 771 234 567', '771234567'],
  ] as const)
    assert.equal(numberKey(one), numberKey(other), one)
  // A number that begins with a country code and is no mobile number stays whole.
  for (const number of ['967123', '96712345678', '2012345678', '96671234567']) assert.equal(numberKey(number), number)
})

test('numbers with fewer than five digits are compared with their letters', () => {
  assert.equal(numberKey('A1'), 'A1')
  assert.equal(numberKey(' a-1 '), 'A1')
  assert.notEqual(numberKey('A1'), numberKey('B1'))
  assert.notEqual(numberKey('1234'), numberKey('A1234'))
  assert.equal(numberKey('١٢٣٤'), '1234')
  assert.notEqual(numberKey('0012'), numberKey('12'), 'with so few digits a zero counts')
  assert.equal(numberKey('12345'), numberKey('A12345'), 'from five digits on letters do not count')
})

test('a text without digit or letter identifies no wallet', () => {
  for (const text of ['', ' ', '---', '\u200f\u200e', '🙂', '+', '()']) assert.equal(numberKey(text), undefined)
})

test('a key is never empty, fits its column, and is its own key', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 64 }), (text) => {
      const key = numberKey(text)
      if (key === undefined) return
      assert.ok(key.length >= 1 && [...key].length <= 64)
    }),
  )
  fc.assert(fc.property(nineDigits, (number) => assert.equal(numberKey(numberKey(number)!), numberKey(number))))
})
