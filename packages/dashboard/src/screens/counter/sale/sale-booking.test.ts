import assert from 'node:assert/strict'
import { test } from 'node:test'
import { booksSaleAtOnce } from './sale-booking.ts'

const sale = { id: 'sale', status: 'PENDING', payable_amount: '1500.00', reasons: [{ code: 'same_amount' }] }
const money = {
  id: 'money',
  state: 'waiting',
  amount: '1500.00',
  doubts: [] as { code: string }[],
  reason: { code: 'no_intent' },
  likely: [sale],
}

test('one touch books the only message of this amount to the only order that may claim it', () => {
  assert.equal(booksSaleAtOnce(money, 'sale', 1), true)
})

test('the cashier is asked when several messages or orders fit, when there is a doubt, and when the amount differs', () => {
  assert.equal(booksSaleAtOnce(money, 'sale', 2), false)
  assert.equal(booksSaleAtOnce({ ...money, likely: [sale, { ...sale, id: 'other' }] }, 'sale', 1), false)
  assert.equal(booksSaleAtOnce({ ...money, likely: [] }, 'sale', 1), false)
  assert.equal(booksSaleAtOnce({ ...money, likely: [{ ...sale, id: 'other' }] }, 'sale', 1), false)
  assert.equal(booksSaleAtOnce({ ...money, doubts: [{ code: 'untrusted' }] }, 'sale', 1), false)
  assert.equal(booksSaleAtOnce({ ...money, state: 'review' }, 'sale', 1), false)
  assert.equal(booksSaleAtOnce({ ...money, state: 'wrong_amount' }, 'sale', 1), false)
  assert.equal(booksSaleAtOnce({ ...money, amount: '1400.00' }, 'sale', 1), false)
  const expired = { ...sale, status: 'EXPIRED' }
  assert.equal(booksSaleAtOnce({ ...money, likely: [expired] }, 'sale', 1), false)
  const otherPayer = { ...sale, reasons: [{ code: 'other_name' }] }
  assert.equal(booksSaleAtOnce({ ...money, likely: [otherPayer] }, 'sale', 1), false)
})
