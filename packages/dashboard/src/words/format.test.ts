import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usualCurrency, withDecimals } from '@sanad/contract/currency'
import { toArabicIndic, withOwnDigits } from './digits.ts'
import { dateName, grouped, minuteTime, moneyText, relativeTime, spanLeft, spanSince } from './format.ts'

test('money is grouped as text, so that no digit is rounded', () => {
  assert.equal(grouped('1500.00'), '1,500.00')
  assert.equal(grouped('999.99'), '999.99')
  assert.equal(grouped('999999999999999999.01'), '999,999,999,999,999,999.01')
  assert.equal(moneyText('1234567.50', usualCurrency, 'en'), '1,234,567.50 YER')
  assert.equal(moneyText('1234567.50', usualCurrency, 'ar'), '1,234,567.50 ر.ي')
})

test('decimals that a currency does not have are not shown', () => {
  for (const [decimals, shown] of [
    [0, '1500'],
    [1, '1500.5'],
    [2, '1500.50'],
  ] as const)
    assert.equal(withDecimals('1500.50', decimals), shown)
  assert.equal(withDecimals('1500', 0), '1500')
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

test('an Arabic span of two units has the case of its sentence: after a preposition, and alone', () => {
  const now = Date.parse('2026-01-02T12:00:00Z')
  const at = (away_s: number) => new Date(now + away_s * 1000).toISOString()
  const units = [
    [2, 'ثانيتين', 'ثانيتان'],
    [120, 'دقيقتين', 'دقيقتان'],
    [7200, 'ساعتين', 'ساعتان'],
    [2 * 86_400, 'يومين', 'يومان'],
    [3, '3 ثوانٍ', '3 ثوانٍ'],
    [11 * 86_400, '11 يومًا', '11 يومًا'],
  ] as const
  for (const [seconds, after, alone] of units) {
    assert.equal(spanSince(at(-seconds), now, 'ar'), after)
    assert.equal(spanLeft(at(seconds), now, 'ar'), alone)
  }
  assert.equal(relativeTime(at(-3), now, 'ar'), 'قبل 3 ثوانٍ')
  assert.equal(relativeTime(at(-120), now, 'ar'), 'قبل دقيقتين')
})

test('the end of an invitation has no seconds', () => {
  assert.equal(minuteTime('2026-01-02T12:00:07Z', 'en', 'Asia/Aden'), '2 Jan 2026, 15:00')
  assert.doesNotMatch(minuteTime('2026-01-02T12:00:07Z', 'ar', 'Asia/Aden'), /07/)
})

test('digits of a text follow the chosen digits, except in Latin words and in what is isolated', () => {
  Reflect.set(globalThis, 'localStorage', { getItem: (name: string) => (name === 'sanad-digits' ? 'arab' : null) })
  try {
    assert.equal(withOwnDigits('آخر 14 يومًا، 1,503 بدل 1,500.50.', 'ar'), 'آخر ١٤ يومًا، ١٬٥٠٣ بدل ١٬٥٠٠٫٥٠.')
    assert.equal(withOwnDigits('ورق A4، {{p50}}، \u2066410\u2069', 'ar'), 'ورق A4، {{p50}}، \u2066410\u2069')
    assert.equal(withOwnDigits('14 days', 'en'), '14 days')
  } finally {
    Reflect.deleteProperty(globalThis, 'localStorage')
  }
})
