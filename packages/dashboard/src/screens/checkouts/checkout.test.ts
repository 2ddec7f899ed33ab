import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ListedCheckout, otherAmount } from './checkout.ts'

const other = (fields: Partial<ListedCheckout>): string | null =>
  otherAmount({
    status: 'OPEN',
    arrived: null,
    arrived_amount: '0.00',
    forgiven_amount: '0.00',
    ...fields,
  } as ListedCheckout)

test('the list shows what arrived if it is not the amount of the checkout', () => {
  assert.equal(other({}), null)
  assert.equal(other({ arrived: '1400.00' }), '1400.00', 'a wrong amount')
  assert.equal(other({ arrived_amount: '1400.00' }), '1400.00', 'a part; the rest is still to be paid')
  assert.equal(other({ status: 'EXPIRED', arrived_amount: '1400.00' }), '1400.00', 'the rest was never paid')
  assert.equal(other({ status: 'COMPLETE', arrived_amount: '1500.00' }), null)
  assert.equal(other({ status: 'COMPLETE', arrived_amount: '1400.00', forgiven_amount: '100.00' }), '1400.00')
})
