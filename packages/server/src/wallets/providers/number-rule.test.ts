import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { keepsNumberRule, noNumberRule, numberRuleFacts, numberRuleText, yemeniMobile } from './number-rule.ts'

test('a mobile number of Yemen is accepted in every spelling that means the same number', () => {
  for (const number of [
    '770000001',
    '77 000 0001',
    '+967 770000001',
    '00967770000001',
    '967-770-000-001',
    '0770000001',
    '٧٧٠٠٠٠٠٠١',
    '(+967) 77.000.0001',
    '\u200e+967770000001',
  ])
    assert.ok(keepsNumberRule(number, yemeniMobile), number)
})

test('a number with a digit missing or too many, of no network, or with letters, is refused', () => {
  for (const number of [
    '',
    '77000000',
    '7700000011',
    '720000001',
    '790000001',
    '170000001',
    '96777000000',
    '9677700000011',
    '77000000O',
    '770000001a',
    'wallet',
    '770000001, 771000001',
    '770000001/771000001',
    '+966770000001',
  ])
    assert.ok(!keepsNumberRule(number, yemeniMobile), number)
})

test('each network of Yemen is accepted, and one digit more or less never is', () => {
  fc.assert(
    fc.property(fc.constantFrom(...yemeniMobile.prefixes), fc.integer({ min: 0, max: 9_999_999 }), (prefix, rest) => {
      const number = prefix + String(rest).padStart(7, '0')
      assert.ok(keepsNumberRule(number, yemeniMobile))
      assert.ok(!keepsNumberRule(number.slice(0, -1), yemeniMobile))
      assert.ok(!keepsNumberRule(`${number}0`, yemeniMobile))
    }),
  )
})

test('without a rule every number is accepted; a rule may have only lengths or only prefixes', () => {
  for (const number of ['A1', '7', '770000001']) assert.ok(keepsNumberRule(number, noNumberRule))
  assert.ok(keepsNumberRule('0012345678', { lengths: [10], prefixes: [] }), 'leading zeros are digits of the number')
  assert.ok(!keepsNumberRule('012345678', { lengths: [10], prefixes: [] }))
  assert.ok(keepsNumberRule('300123', { lengths: [], prefixes: ['3'] }))
  assert.ok(!keepsNumberRule('200123', { lengths: [], prefixes: ['3'] }))
})

test('the rule is named in a sentence', () => {
  const text = (rule: typeof yemeniMobile) => numberRuleText({ provider: 'Jawali', ...numberRuleFacts(rule) })
  assert.equal(text(yemeniMobile), 'An account number of Jawali has 9 digits and begins with 70, 71, 73, 77 or 78.')
  assert.equal(text({ lengths: [6, 10], prefixes: [] }), 'An account number of Jawali has 6 or 10 digits.')
  assert.equal(text({ lengths: [], prefixes: ['3'] }), 'An account number of Jawali begins with 3.')
})
