/** Phone numbers of payers, compared. Pairs of numbers as messages show them: payer-pairs.test.ts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comparePhones, isPhone, isWholePhone } from './payer-phone.ts'

test('a claim may have a number of 5 to 15 digits, without hidden ones', () => {
  for (const text of ['12345', '771234567', '123456789012345']) assert.ok(isWholePhone(text), text)
  for (const text of ['1234', '1234567890123456', '77***1234', 'Amal', '']) assert.ok(!isWholePhone(text), text)
  assert.ok(isPhone('77***1234'))
  assert.ok(isPhone('7'))
  assert.ok(!isPhone('***'))
})

test('a number is the same with an unknown country code before it, if eight digits or more agree', () => {
  assert.equal(comparePhones('12345678', '99912345678'), 'same')
  assert.equal(comparePhones('1234567', '9991234567'), 'unknown')
  assert.equal(comparePhones('+12345678', '+99912345678'), 'unknown')
})

test('a country code is recognised only in a number of more than nine digits', () => {
  assert.equal(comparePhones('967712345', '712345'), 'unknown')
  assert.equal(comparePhones('967771234567', '771234567'), 'same')
})

test('two numbers with hidden digits are the same as far as shown, if at least four digits are shown', () => {
  assert.equal(comparePhones('77***123', '77***123'), 'same_as_far_as_shown')
  assert.equal(comparePhones('7***123', '7***123'), 'same_as_far_as_shown')
  assert.equal(comparePhones('7***12', '7***12'), 'unknown')
  assert.equal(comparePhones('77***123', '77***124'), 'unknown')
})

test('the shown digits must be in the number, in their order and without overlap', () => {
  const fits = (shown: string, number: string) => comparePhones(number, shown)
  assert.equal(fits('77*05*1*23', '770510123'), 'same_as_far_as_shown')
  assert.equal(fits('77*06*1*23', '770510123'), 'differs')
  assert.equal(fits('77*05*9*23', '770510123'), 'differs')
  assert.equal(fits('77*1*05*23', '770510923'), 'differs')
  assert.equal(fits('77*121*21*9', '771219999'), 'differs')
  assert.equal(fits('77*129*29', '770000129'), 'differs')
  assert.equal(fits('771234*234567', '771234567'), 'differs')
  assert.equal(fits('7712*34567', '771234567'), 'same_as_far_as_shown')
})
