import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usualCurrency } from '@sanad/contract/currency'
import { toArabicIndic } from './digits.ts'
import { dateName, grouped, moneyText, spanSince } from './format.ts'

test('money is grouped as text, so that no digit is rounded', () => {
  assert.equal(grouped('1500.00'), '1,500.00')
  assert.equal(grouped('999.99'), '999.99')
  assert.equal(grouped('999999999999999999.01'), '999,999,999,999,999,999.01')
  assert.equal(moneyText('1234567.50', usualCurrency, 'en'), '1,234,567.50 YER')
  assert.equal(moneyText('1234567.50', usualCurrency, 'ar'), '1,234,567.50 ر.ي')
})

test('a minus sign stays left of the digits, also in an Arabic line', () => {
  assert.equal(grouped('-1500.00'), '\u2066−1,500.00\u2069')
})

test('Arabic-Indic digits have their own separators', () => {
  assert.equal(toArabicIndic('1,234,567.50 ر.ي'), '١٬٢٣٤٬٥٦٧٫٥٠ ر.ي')
  assert.equal(toArabicIndic('12:05، 3 رسائل.'), '١٢:٠٥، ٣ رسائل.')
})

test('a calendar date has the same name in every time zone', () => {
  assert.equal(dateName('2026-01-02', 'en'), '2 Jan')
  assert.match(dateName('2026-01-02', 'ar'), /^2 يناير$/)
})

test('a time span is shown in the largest unit that fits', () => {
  const now = Date.parse('2026-01-02T12:00:00Z')
  const since = (ago_s: number) => new Date(now - ago_s * 1000).toISOString()
  assert.equal(spanSince(since(12 * 60 + 40), now, 'en'), '12 minutes')
  assert.equal(spanSince(since(3 * 3600), now, 'en'), '3 hours')
  assert.equal(spanSince(since(86_400), now, 'en'), '1 day')
  assert.equal(spanSince(since(-5), now, 'en'), '0 seconds')
  assert.match(spanSince(since(12 * 60), now, 'ar'), /^12 دقيقة$/)
})
