import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasOwnSteps, payStepsOf } from './pay-steps.ts'

const noPaySteps = { ar: [], en: [] }

const jaib = { displayName: 'Jaib', displayNameArabic: 'جيب', paySteps: noPaySteps }

test('a provider without steps of its own has three in each language, with its name in that language', () => {
  const { ar, en } = payStepsOf(jaib)
  assert.equal(ar.length, 3)
  assert.equal(en.length, 3)
  assert.match(ar[0]!, /جيب/)
  assert.match(en[0]!, /Jaib/)
  assert.match(payStepsOf({ ...jaib, displayNameArabic: '' }).ar[0]!, /Jaib/)
  assert.ok(!hasOwnSteps(noPaySteps))
})

test('a provider with steps of its own in one language gets the general ones in the other', () => {
  const paySteps = { ar: ['افتح جيب.'], en: [] }
  assert.ok(hasOwnSteps(paySteps))
  assert.deepEqual(payStepsOf({ ...jaib, paySteps }), { ar: ['افتح جيب.'], en: payStepsOf(jaib).en })
})
