import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formatMinor, minor } from '../../core/money.ts'
import { plainAmount } from './page-parts.ts'
import { readTypedAmount } from './pay-request.ts'

test('amounts are read as buyers type them; an ambiguous amount is refused', () => {
  const cases: [typed: string, amount: string | undefined][] = [
    ['1500', '1500.00'],
    ['1,500', '1500.00'],
    [' 1 500 ', '1500.00'],
    ['١٬٥٠٠٫٥٠', '1500.50'],
    ['١،٥٠٠', '1500.00'],
    ['۱۵۰۰', '1500.00'],
    ['1,234,567.89', '1234567.89'],
    ['\u200f250\u200e', '250.00'],
    ['250.5', '250.50'],
    ['.5', '0.50'],
    ['250,5', undefined],
    ['1,50', undefined],
    ['1500 50', undefined],
    ['250 5', undefined],
    ['1500. 50', undefined],
    ['1\u00a0234\u00a0567', '1234567.00'],
    ['1,5000', undefined],
    ['1500,000', undefined],
    ['1,500,', undefined],
    ['1.500.000', undefined],
    ['250.505', undefined],
    ['-5', undefined],
    ['+5', undefined],
    ['1e3', undefined],
    ['0x10', undefined],
    ['1500 YER', undefined],
    ['', undefined],
    ['.', undefined],
    ['NaN', undefined],
    ['9'.repeat(40), undefined],
  ]
  for (const [typed, amount] of cases) {
    const read = readTypedAmount(typed)
    assert.equal(read === undefined ? undefined : formatMinor(read), amount, typed)
  }
})

test('every amount is read back from the text that the page shows for it', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 99_999_999_999_999n }), (units) => {
      assert.equal(readTypedAmount(plainAmount(minor(units))), units)
      assert.equal(readTypedAmount(formatMinor(minor(units))), units)
    }),
    { numRuns: 100 },
  )
})
