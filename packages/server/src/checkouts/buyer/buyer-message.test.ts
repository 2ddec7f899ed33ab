import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buyerSamples, longestMessage, readBuyerMessage } from './buyer-message.ts'

test('every sample gives its reference, or none', () => {
  for (const { text, reference } of buyerSamples) {
    const read = readBuyerMessage(text)
    assert.deepEqual(read, reference === null ? { kind: 'not found' } : { kind: 'found', reference }, text)
  }
})

test('a number alone is the reference, in any script and with spaces', () => {
  for (const typed of ['220700001234', ' ٢٢٠٧٠٠٠٠١٢٣٤ ', '2207 0000 1234', '\u200f220700001234'])
    assert.deepEqual(readBuyerMessage(typed), { kind: 'reference', reference: '220700001234' }, typed)
  assert.deepEqual(readBuyerMessage('AB-12/34'), { kind: 'reference', reference: 'AB-12/34' })
})

test('words without a number are not a reference', () => {
  for (const typed of ['hello', 'تم الدفع', '...', 'I have paid 1500 today'])
    assert.deepEqual(readBuyerMessage(typed), { kind: 'not found' }, typed)
})

test('a beginning of a message never names another number than the whole message', () => {
  for (const { text, reference } of buyerSamples) {
    for (let length = 1; length < text.length; length++) {
      const read = readBuyerMessage(text.slice(0, length))
      // A message that ends inside its number gives a beginning of it: the buyer sees it before it is sent.
      if (read.kind === 'found' && reference !== null)
        assert.ok(reference.startsWith(read.reference), `${text.slice(0, length)}: ${read.reference}`)
    }
  }
})

test('a text that is too long is not read', () => {
  assert.deepEqual(readBuyerMessage('1'.repeat(longestMessage + 1)), { kind: 'too long' })
  assert.deepEqual(readBuyerMessage('1'.repeat(200)), { kind: 'not found' })
})
