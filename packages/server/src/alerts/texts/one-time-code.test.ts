import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { codeSamples, notCodes } from '../../../test/support/pure/one-time-codes.ts'
import { SHIPPED_PROVIDERS } from '../shipped/shipped-templates.ts'
import { looksLikeCode, maskCode } from './one-time-code.ts'

test('every sample of a one-time code is recognised, in both languages', () => {
  for (const { text, why } of codeSamples) assert.equal(looksLikeCode(text), true, `${why}: ${text}`)
})

test('every one-time code that a shipped provider sends is recognised', () => {
  const codes = SHIPPED_PROVIDERS.flatMap(({ never }) => never.filter(({ why }) => why === 'one-time code'))
  assert.ok(codes.length >= 9)
  for (const { text } of codes) assert.equal(looksLikeCode(text), true, text)
})

test('the words "code", "share" or "valid" alone do not make a text a one-time code', () => {
  for (const { text, why } of notCodes) assert.equal(looksLikeCode(text), false, `${why}: ${text}`)
})

test('no shipped sample of money looks like a code, nor does a promotion, a debit or a cut payment', () => {
  for (const { never, templates } of SHIPPED_PROVIDERS) {
    for (const { samples, counterSamples } of templates)
      for (const { text } of [...samples, ...counterSamples]) assert.equal(looksLikeCode(text), false, text)
    for (const { text, why } of never) if (why !== 'one-time code') assert.equal(looksLikeCode(text), false, text)
  }
})

test('no part of a shipped sample of money looks like a code', () => {
  for (const { templates } of SHIPPED_PROVIDERS)
    for (const { samples } of templates)
      for (const { text } of samples)
        for (let at = 12; at < text.length; at++)
          assert.equal(looksLikeCode(text.slice(0, at)), false, text.slice(0, at))
})

const digits = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 4, maxLength: 8 })
const scripts = ['0', '٠', '۰'].map((zero) => zero.codePointAt(0)!)
const phrases = [
  ['رمز التحقق الخاص بك هو ', ''],
  ['رمز الدخول: ', ' صالح لمدة 5 دقائق'],
  ['كلمة المرور لمرة واحدة ', ' لا تشاركها مع أحد'],
  ['Your verification code is ', '. Do not share it.'],
  ['', ' is your one-time password'],
  ['OTP ', ''],
] as const

test('property: a code of any digits in any script is recognised, and its mask shows no digit', () => {
  fc.assert(
    fc.property(digits, fc.constantFrom(...scripts), fc.constantFrom(...phrases), (code, zero, [before, after]) => {
      const written = code.map((digit) => String.fromCodePoint(zero + digit)).join('')
      const text = `${before}${written}${after}`
      assert.equal(looksLikeCode(text), true, text)
      assert.doesNotMatch(maskCode(text), /\p{N}/u)
    }),
  )
})

test('property: any text can be checked, and its mask has no digit and no link', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 500 }), (text) => {
      looksLikeCode(text)
      assert.doesNotMatch(maskCode(text), /\p{N}/u)
    }),
  )
  assert.equal(maskCode('Sign in: https://example.test/v/AbCdEf now'), 'Sign in: ••• now')
  assert.equal(maskCode('رمز التحقق G-48A913 هو KXTQPA'), 'رمز التحقق •••••••• هو ••••••')
  assert.equal(maskCode('رمز التحقق: ٤٨٢٩١٣'), 'رمز التحقق: ••••••')
})

/** So many characters, with a space at both ends. */
const gap = (length: number): string => ` ${'y'.repeat(length - 2)} `

test('a number up to 80 characters after the words of a code belongs to them, 40 after weak words, 40 before them', () => {
  const after = (length: number) => looksLikeCode(`otp${gap(length)}123456`)
  assert.deepEqual([after(80), after(81)], [true, false])
  const afterWeak = (length: number) => looksLikeCode(`your code${gap(length)}123456`)
  assert.deepEqual([afterWeak(40), afterWeak(41)], [true, false])
  const before = (length: number) => looksLikeCode(`123456 is${gap(length - 3)}otp`)
  assert.deepEqual([before(40), before(41)], [true, false])
  assert.ok(looksLikeCode('123456رمز التحقق'))
  assert.ok(looksLikeCode('use 123456 yyyy otp'))
  assert.ok(!looksLikeCode('yyy 123456 yyyy otp'))
})

test('a number right after the words for a reference is not a code, up to 30 characters', () => {
  assert.ok(!looksLikeCode('ref 123456 otp'))
  assert.ok(!looksLikeCode(`ref${':'.repeat(27)}123456 otp`))
  assert.ok(looksLikeCode(`ref${':'.repeat(28)}123456 otp`))
})

test('weak words beside a balance are not a code', () => {
  assert.ok(looksLikeCode('hello, your code 123456'))
  assert.ok(!looksLikeCode('balance, your code 123456'))
})

test('in a text with an amount, the number must stand between the confirmation code and the advice', () => {
  assert.ok(looksLikeCode('YER 500 رمز التاكيد123456 لا تشارك'))
  assert.ok(!looksLikeCode('YER 500 123456 رمز التاكيد. لا تشارك'))
  assert.ok(!looksLikeCode('YER 500 لا تشارك رمز التاكيد 123456'))
  assert.ok(!looksLikeCode('YER 500 رمز التاكيد 123456'))
})
