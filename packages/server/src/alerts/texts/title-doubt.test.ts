import assert from 'node:assert/strict'
import { test } from 'node:test'
import { titleDoubt } from './title-doubt.ts'

test('the names of sender and company are taken out of a title only as whole words', () => {
  assert.equal(titleDoubt('Pay', ['Pay']), undefined)
  assert.equal(titleDoubt('refund', ['und']), 'denied')
  assert.equal(titleDoubt('reversed', ['re']), 'denied')
  assert.equal(titleDoubt('reversed', ['']), 'denied')
  assert.equal(titleDoubt('Reversed Pay: new message', ['Reversed Pay']), undefined)
})
