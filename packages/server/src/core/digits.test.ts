import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { asciiDigits } from './digits.ts'

/** The zero of every script that has its own digits, found by looking at every code point. */
const zeros = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint).filter(
  (codePoint) => /\p{Nd}/u.test(String.fromCodePoint(codePoint)) && isZero(codePoint),
)

function isZero(codePoint: number): boolean {
  return Number.parseInt(String.fromCodePoint(codePoint).normalize('NFKC'), 10) === 0 || !isDigit(codePoint - 1)
}

function isDigit(codePoint: number): boolean {
  return codePoint >= 0 && /\p{Nd}/u.test(String.fromCodePoint(codePoint))
}

test('a number reads the same in every script', () => {
  assert.ok(zeros.length > 60)
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(...zeros), (n, zero) => {
      const written = [...String(n)].map((digit) => String.fromCodePoint(zero + Number(digit))).join('')
      assert.equal(asciiDigits(written), String(n))
    }),
  )
})

test('characters that are not decimal digits stay: superscripts, fractions, Roman numerals, letters', () => {
  assert.equal(asciiDigits('²½Ⅱ٫abc ١٢'), '²½Ⅱ٫abc 12')
})

test('the mathematical digits, five runs without a gap between them, keep their values', () => {
  assert.equal(asciiDigits('𝟎𝟗𝟘𝟡𝟢𝟫𝟬𝟵𝟶𝟿'), '0909090909')
})
