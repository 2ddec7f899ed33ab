import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type DecimalRefusal, formatMinor, LARGEST_AMOUNT, lineTotal, minor, readDecimal, sum } from './money.ts'

const anyAmount = fc.bigInt({ min: -LARGEST_AMOUNT, max: LARGEST_AMOUNT }).map(minor)

const reads = (text: string, as: string) => {
  const reading = readDecimal(text)
  assert.equal(reading.kind === 'ok' ? formatMinor(reading.minor) : reading.code, as, JSON.stringify(text))
}

test('a formatted amount is read back as the same amount', () => {
  fc.assert(
    fc.property(anyAmount, (amount) =>
      assert.deepEqual(readDecimal(formatMinor(amount)), { kind: 'ok', minor: amount }),
    ),
  )
})

test('an amount in Arabic or any other digits, with spaces around and a sign, is the same amount', () => {
  const inScript = (zero: number) => (text: string) =>
    text.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)))
  fc.assert(
    fc.property(
      anyAmount,
      fc.constantFrom(0x660, 0x6f0, 0x966, 0xff10, 0x1d7d8),
      fc.constantFrom('', ' ', '\u00a0', '\u3000', '\x1f', '\x85', '\n'),
      (amount, zero, space) => {
        const written = space + inScript(zero)(formatMinor(amount)) + space
        assert.deepEqual(readDecimal(written), { kind: 'ok', minor: amount })
      },
    ),
  )
})

test('wherever the point stands, an exponent that puts it back gives the same amount', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: LARGEST_AMOUNT }).map(minor), fc.nat(14), (amount, place) => {
      const digits = String(amount)
      const point = Math.min(place, digits.length)
      const written = `${digits.slice(0, point)}.${digits.slice(point)}e${digits.length - point - 2}`
      assert.deepEqual(readDecimal(written), { kind: 'ok', minor: amount })
    }),
  )
})

test('the notations that merchants send are read', () => {
  reads('1500', '1500.00')
  reads('1e3', '1000.00')
  reads('1E+3', '1000.00')
  reads('+5', '5.00')
  reads('.5', '0.50')
  reads('5.', '5.00')
  reads('007', '7.00')
  reads('10e-2', '0.10')
  reads('0.001e1', '0.01')
  reads('-0', '0.00')
  reads(`${'0'.repeat(999)}5`, '5.00')
  reads(`5${' '.repeat(1200)}`, '5.00')
  reads('999999999999.99', '999999999999.99')
})

test('each refusal has its own code; max_digits is reported before the other limits on digits', () => {
  const refused: Record<DecimalRefusal, string[]> = {
    invalid: [
      '',
      ' ',
      '.',
      '+',
      '1_000',
      '12,5',
      '1 000',
      'NaN',
      'Infinity',
      '-inf',
      '0x1',
      '1e',
      'e5',
      '--5',
      '²',
      '١٫٥',
    ].concat(['\u200b5', '\ufeff5', '5\0', '\ud800', '1e1000000000000000000', '0e-9999999999999999999']),
    max_decimal_places: ['100.500', '0.001', '0e-3', '100e-4', '0.0000000000001'],
    max_whole_digits: ['1000000000000', '1e12', '1e13', '0e12', '12345678901234', '1234567890123.4'],
    max_digits: ['123456789012345', '1234567890123.45', '1e14', '0e20', '1e999999999', '1e-400', '0.000000000000001'],
    max_string_length: ['9'.repeat(1001), 'a'.repeat(1001), `${'0'.repeat(1000)}5`],
  }
  for (const [code, texts] of Object.entries(refused)) for (const text of texts) reads(text, code)
})

test('readDecimal never throws, whatever the text is', () => {
  const odd = fc.string({ unit: fc.constantFrom(...'0123456789.eE+-_, ٣𝟘\0\u00a0') })
  fc.assert(fc.property(fc.oneof(odd, fc.string({ unit: 'binary' })), (text) => void readDecimal(text)))
})

test('totals are exact where floats are not', () => {
  assert.equal(formatMinor(sum([minor(10n), minor(20n)])), '0.30')
  assert.equal(formatMinor(lineTotal(minor(99999999999999n), 2147483647)), '2147483646999978525163.53')
})

test('small and negative amounts keep their two decimals', () => {
  assert.equal(formatMinor(minor(0n)), '0.00')
  assert.equal(formatMinor(minor(5n)), '0.05')
  assert.equal(formatMinor(minor(-5n)), '-0.05')
  assert.equal(formatMinor(minor(-150000n)), '-1500.00')
})

test('1,000 characters are read, counted as a reader sees them: a digit of two UTF-16 units is one', () => {
  reads('9'.repeat(1_000), 'max_digits')
  reads('9'.repeat(1_001), 'max_string_length')
  reads('\u{1d7d8}'.repeat(1_000), '0.00')
  reads('\u{1d7d8}'.repeat(1_001), 'max_string_length')
})

test('exponents at the borders of Python’s decimals', () => {
  const highest = 10n ** 18n - 1n
  reads(`1e${highest}`, 'max_digits')
  reads(`1e${highest + 1n}`, 'invalid')
  // The power of the first digit counts.
  reads(`10e${highest - 1n}`, 'max_digits')
  reads(`10e${highest}`, 'invalid')
  reads(`0.1e${highest + 1n}`, 'max_digits')
  const lowest = -1999999999999999997n
  reads(`1e${lowest}`, 'max_digits')
  reads(`1e${lowest - 1n}`, 'invalid')
  reads(`0.1e${lowest + 1n}`, 'max_digits')
  reads(`0.1e${lowest}`, 'invalid')
})

test('a number without whole digits has as many digits as decimals', () => {
  reads('0.00000000000001', 'max_decimal_places')
  reads('.01', '0.01')
})

test('property: an amount of any size is written with two decimals', () => {
  const limit = 2n ** 53n
  const near = fc.bigInt({ min: limit - 300n, max: limit + 300n })
  const any = fc.oneof(fc.bigInt({ min: 0n, max: 100_000n }), fc.bigInt({ min: 0n, max: 10n ** 20n }), near)
  fc.assert(
    fc.property(any, (units) => {
      const text = `${units / 100n}.${String(units % 100n).padStart(2, '0')}`
      assert.equal(formatMinor(minor(units)), text)
      if (units > 0n) assert.equal(formatMinor(minor(-units)), `-${text}`)
    }),
    { numRuns: 2_000 },
  )
})
