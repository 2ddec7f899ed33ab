import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minor } from '../../core/money.ts'
import { isCalledFee, mistakenReference } from './reference-check.ts'

const fields = (reference: string, more: object = {}) => ({ amount: minor(100n), reference, others: {}, ...more })

test('phone numbers and dates are no references', () => {
  for (const phone of ['770000000', '00967770000000', '967733123456', '0711234567', '0551234567', '01000000000'])
    assert.equal(mistakenReference(fields(phone)), 'a phone number', phone)
  for (const date of ['2026-11-17', '20261117', '17-11-2026', '17112026', '11172026'])
    assert.equal(mistakenReference(fields(date)), 'a date', date)
  assert.equal(mistakenReference(fields('1234567', { payer: '1234567' })), 'the payer’s number')
  assert.equal(mistakenReference(fields('770000123', { phone: '+967 770000123' })), 'the payer’s number')
})

test('references of the shipped wordings look like references', () => {
  for (const reference of [
    '12345678901234',
    '123456789012',
    '123456789',
    '023456789',
    'TEST-0001',
    'SFI8XK2LQ9',
    '55501',
  ])
    assert.equal(mistakenReference(fields(reference)), undefined, reference)
})

test('an amount is called a fee if the words right before it name a fee, and not an amount or "without fees"', () => {
  for (const before of ['تم خصم رسوم ', 'والرسوم', 'fee: ', 'Commission ', 'عمولة '])
    assert.ok(isCalledFee(before), before)
  for (const before of ['استلمت مبلغ ', 'بدون رسوم ', 'رسوم 25 ومبلغ ', 'received without fees ', 'رسومات '])
    assert.ok(!isCalledFee(before), before)
})
