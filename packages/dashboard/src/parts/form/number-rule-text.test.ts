import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ruleOf, ruleText } from './number-rule-text.ts'

test('the rule for account numbers may be typed with Arabic digits', () => {
  const rule = { number_lengths: [9, 12], number_prefixes: ['77', '78'] }
  assert.deepEqual(ruleOf({ lengths: ['٩', '12'], prefixes: ['٧٧', '۷۸'] }), rule)
  assert.deepEqual(ruleOf(ruleText(rule)), rule)
  assert.deepEqual(ruleOf(ruleText(undefined)), { number_lengths: [], number_prefixes: [] })
})
