import assert from 'node:assert/strict'
import { test } from 'node:test'
import { suggestsUniqueAmounts } from './unique-amounts-setting.ts'

const wallet = { uniqueAmounts: null, isTest: false, active: true }
const share = { credits: 10, withoutReference: 5, templates: 4, templatesWithout: 0 }

test('unique amounts are suggested if at least half of the payments that arrived have no reference', () => {
  assert.ok(suggestsUniqueAmounts(wallet, share))
  assert.ok(!suggestsUniqueAmounts(wallet, { ...share, withoutReference: 4 }))
})

test('while few payments have arrived, the templates decide', () => {
  assert.ok(!suggestsUniqueAmounts(wallet, { ...share, credits: 4, withoutReference: 4 }))
  assert.ok(suggestsUniqueAmounts(wallet, { credits: 0, withoutReference: 0, templates: 4, templatesWithout: 2 }))
  assert.ok(!suggestsUniqueAmounts(wallet, { credits: 0, withoutReference: 0, templates: 0, templatesWithout: 0 }))
})

test('unique amounts are not suggested for a wallet that has them, a closed wallet or the test wallet', () => {
  assert.ok(!suggestsUniqueAmounts({ ...wallet, uniqueAmounts: {} }, share))
  assert.ok(!suggestsUniqueAmounts({ ...wallet, active: false }, share))
  assert.ok(!suggestsUniqueAmounts({ ...wallet, isTest: true }, share))
})
