import assert from 'node:assert/strict'
import { test } from 'node:test'
import { maskedJson, withoutMobileNumbers } from './mobile-number.ts'

test('a mobile number in any form keeps its last two digits and its length', () => {
  for (const [text, expected] of [
    ['from 777000123 now', 'from *******23 now'],
    ['+967 777-000-123', '+*** ***-***-*23'],
    ['00967777000123', '************23'],
    ['0777000123', '********23'],
    ['٧٧٧٠٠٠١٢٣', '*******٢٣'],
    ['777000123, 733000999', '*******23, *******99'],
  ] as const)
    assert.equal(withoutMobileNumbers(text), expected)
})

test('longer numbers, amounts, ids and hidden numbers stay', () => {
  for (const text of [
    '7770001234',
    '777000123.00',
    '0b7e4d4b-8a3e-7012-8345-a777000123ff',
    '77XXXX123',
    '2026-07-17',
    '7770',
  ])
    assert.equal(withoutMobileNumbers(text), text)
})

test('in JSON, references, amounts, codes and account numbers stay, and a bare number becomes a text of the same length', () => {
  const json = JSON.stringify({
    phone: 777000123,
    notes: ['call 777000123', { reference: '777000123', amount: '777000123' }],
    payment: '0777000123',
    account_number: '777000123',
    external_order_id: '777000123',
  })
  const masked = maskedJson(json, withoutMobileNumbers)
  assert.equal(masked.length, json.length)
  assert.deepEqual(JSON.parse(masked), {
    phone: '******2',
    notes: ['call *******23', { reference: '777000123', amount: '777000123' }],
    payment: '0777000123',
    account_number: '777000123',
    external_order_id: '*******23',
  })
})
