import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProviderId } from '../../core/ids.ts'
import { LARGEST_AMOUNT, minor } from '../../core/money.ts'
import { readAlert } from '../templates/alert-template.ts'
import { normalise } from '../texts/normalise.ts'
import { alertTemplatesOf } from './shipped-provider.ts'
import { SHIPPED_TEST } from './shipped-test.ts'
import { isTestReference, testPaymentText, testSender, withFullStop } from './test-payment.ts'

const [template] = alertTemplatesOf(SHIPPED_TEST, 'test' as ProviderId, ({ name }) => name)

test('the text of the simulated phone is read with its amount and reference', () => {
  for (const amount of [minor(1n), minor(150_000n), minor(123_456_789n), LARGEST_AMOUNT])
    for (const reference of ['TES1', 'TEST-0001', '912345678901', 'a1'.repeat(32)]) {
      const reading = readAlert({ ...template!, status: 'active' }, normalise(testPaymentText(amount, reference)))
      assert.equal(reading?.amount, amount)
      assert.equal(reading?.reference, reference)
    }
})

test('a reference that the template cannot read is not a test reference', () => {
  for (const reference of [
    '',
    'ab1',
    'a 1 b 2',
    'مرجع-1',
    'a1'.repeat(33),
    'TEST-1, reference TEST-2',
    'TEST',
    '0000',
    '----',
  ])
    assert.equal(isTestReference(reference), false, reference)
})

test('a test message without a full stop is read, unless its reference may have been cut', () => {
  const read = (text: string) => readAlert({ ...template!, status: 'active' }, normalise(withFullStop(text)))?.reference
  for (const reference of ['TEST-0001', '912345678901'])
    assert.equal(read(`Test payment of 1,500.00 YER, reference ${reference}`), reference)
  for (let end = 4; end < 9; end++)
    assert.equal(read(`Test payment of 1,500.00 YER, reference ${'TEST-0001'.slice(0, end)}`), undefined)
})

test('test payments come from the sender SanadTest', () => {
  assert.equal(testSender, 'SanadTest')
})
