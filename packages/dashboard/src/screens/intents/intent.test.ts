import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasItsReference, type NearAlert } from './intent.ts'

const near = (reference: string, ...codes: string[]) =>
  ({ reference, differs: codes.map((code) => ({ code, facts: {} })) }) as Pick<NearAlert, 'reference' | 'differs'>

test('a message has the reference of a payment request unless it has none, another one, or none is attached', () => {
  assert.equal(hasItsReference(near('880000000001', 'amount', 'unexpected_words')), true)
  assert.equal(hasItsReference(near('880000000001', 'amount', 'reference')), false)
  assert.equal(hasItsReference(near('880000000001', 'reference_not_attached')), false)
  assert.equal(hasItsReference(near('', 'no_reference')), false)
  assert.equal(hasItsReference(near('', 'unread')), false)
})
