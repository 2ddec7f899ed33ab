import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usualCurrency } from '@sanad/contract/currency'
import fc from 'fast-check'
import { toArabicIndic } from '../../words/digits.ts'
import { grouped, moneyText } from '../../words/format.ts'
import { amountToSend, readTypedAmount } from './typed-amount.ts'

const cases: readonly (readonly [typed: string, read: string])[] = [
  ['1500', '1500'],
  ['1500.50', '1500.50'],
  ['1500.5', '1500.5'],
  ['1500.', '1500'],
  ['.5', '0.5'],
  ['0', '0'],
  ['007', '7'],
  ['1,500', '1500'],
  ['1,234,567.89', '1234567.89'],
  [' 1 500 ', '1500'],
  ['1\u00A0500', '1500'],
  ['١٬٥٠٠٫٥٠', '1500.50'],
  ['١،٥٠٠', '1500'],
  ['۱۵۰۰', '1500'],
  ['𝟏𝟝𝟢𝟬', '1500'],
  ['\u2066۱۵۰۰٫۲۵\u2069', '1500.25'],
  ['1500.00 YER', '1500.00'],
  ['1500yer', '1500'],
  ['1,500.00 ر.ي', '1500.00'],
  ['١٥٠٠ ريال', '1500'],
  ['1500 ريال يمني', '1500'],
  ['1500 ﷼', '1500'],
  ['999999999999.99', '999999999999.99'],
  ['1500.505', 'max_decimal_places'],
  ['1.500', 'max_decimal_places'],
  ['1234567890123', 'max_whole_digits'],
  ['250,5', 'invalid'],
  ['1,50', 'invalid'],
  ['1,5000', 'invalid'],
  ['1500,000', 'invalid'],
  ['1,500,', 'invalid'],
  ['1,500 000', 'invalid'],
  ['1500 50', 'invalid'],
  ['1.500.000', 'invalid'],
  ['1500.50.', 'invalid'],
  ['1500. 50', 'invalid'],
  ['1500 SAR', 'invalid'],
  ['1500$', 'invalid'],
  ['5 آلاف', 'invalid'],
  ['1500 ألف ريال', 'invalid'],
  [usualCurrency, 'invalid'],
  ['-5', 'invalid'],
  ['+5', 'invalid'],
  ['1e3', 'invalid'],
  ['', 'invalid'],
  ['.', 'invalid'],
  ['٫', 'invalid'],
  [`${' '.repeat(200)}5`, 'invalid'],
]

test('a typed or pasted amount is read exactly, or refused with the reason', () => {
  for (const [typed, read] of cases) {
    const reading = readTypedAmount(typed)
    assert.equal(reading.kind === 'ok' ? reading.amount : reading.code, read, typed)
  }
})

const anyAmount = fc.bigInt(0n, 99_999_999_999_999n).map((units) => {
  const digits = String(units).padStart(3, '0')
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`
})

test('every amount is read from each text that the service shows for it', () => {
  fc.assert(
    fc.property(anyAmount, (amount) => {
      for (const text of [amount, grouped(amount), `${amount} YER`, `${grouped(amount)} ر.ي`]) {
        assert.deepEqual(readTypedAmount(text), { kind: 'ok', amount })
        assert.deepEqual(readTypedAmount(toArabicIndic(text)), { kind: 'ok', amount })
      }
      assert.equal(amountToSend(moneyText(amount, usualCurrency, 'en')), amount)
    }),
    { numRuns: 100 },
  )
})

test('no text is read as an amount with other digits than those typed', () => {
  const text = fc.string({ unit: fc.constantFrom(...'0123456789٠١٢٣٤٥٦٧٨٩.,٫٬ '), maxLength: 16 })
  const withoutZeros = (digits: string): string => digits.replace(/^0+(?=\d)/, '')
  fc.assert(
    fc.property(text, (typed) => {
      const reading = readTypedAmount(typed)
      if (reading.kind === 'no') return
      const latin = typed.trim().replaceAll(/[٠-٩]/g, (digit) => String('٠١٢٣٤٥٦٧٨٩'.indexOf(digit)))
      const [whole = '', decimals = '', ...more] = latin.split(/[.٫]/)
      assert.deepEqual(more, [])
      const expected = withoutZeros(whole.replaceAll(/\D/g, '')) || '0'
      assert.equal(reading.amount, decimals === '' ? expected : `${expected}.${decimals}`)
    }),
    { numRuns: 300 },
  )
})
