import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askedAmount, receivedAmount } from './received-amount.ts'

const arrival = (arrived: string, forgiven: string, excess: string) => ({
  arrived_amount: arrived,
  forgiven_amount: forgiven,
  excess_amount: excess,
})

test('91: what was asked is what arrived, what was forgiven added and what is too much taken off', () => {
  assert.equal(askedAmount(arrival('200.00', '4000.00', '0.00')), '4200.00')
  assert.equal(askedAmount(arrival('1250.50', '0.00', '250.50')), '1000.00')
  assert.equal(askedAmount(arrival('999999999999.99', '0.01', '0.00')), '1000000000000.00')
  assert.equal(askedAmount({ arrived_amount: null, forgiven_amount: null, excess_amount: null }), null)
})

test('91: a paid order is shown with what arrived, another with what it asks for', () => {
  assert.equal(receivedAmount({ arrived_amount: '200.00', payable_amount: '4200.00' }), '200.00')
  assert.equal(receivedAmount({ arrived_amount: null, payable_amount: '4200.00' }), '4200.00')
})
