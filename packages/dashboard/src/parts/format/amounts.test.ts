import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isSameAmount, subtract } from './amounts.ts'

test('a difference of amounts is exact and has a sign', () => {
  assert.equal(subtract('1400.00', '1500.00'), '-100.00')
  assert.equal(subtract('1500.05', '1500.00'), '0.05')
  assert.equal(subtract('999999999999.99', '0.01'), '999999999999.98')
  assert.equal(subtract('1500.00', '1500.00'), '0.00')
})

test('a typed amount may be grouped, without decimals, or in Arabic digits', () => {
  for (const typed of ['3000', '3,000', ' 3000.00 ', '3000.0', '٣٠٠٠', '٣٬٠٠٠٫٠٠', '۳۰۰۰'])
    assert.ok(isSameAmount(typed, '3000.00'), typed)
  for (const typed of [
    '',
    '300',
    '30000',
    '3000.01',
    '3000.001',
    '-3000',
    '3.000',
    '3000 YER',
    '196000',
    '30,00',
    '30 00',
  ])
    assert.ok(!isSameAmount(typed, '3000.00'), typed)
})

test('an amount is the same as itself and as no other', () => {
  const amount = fc
    .bigInt(1n, 99_999_999_999_999n)
    .map((minor) => `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`)
  fc.assert(
    fc.property(amount, amount, (one, other) => isSameAmount(one, one) && isSameAmount(one, other) === (one === other)),
  )
})
