import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { runs } from '../../../test/support/runs.ts'
import { SHIPPED_PROVIDERS } from '../../alerts/shipped/shipped-templates.ts'
import { formatMinor } from '../../core/money.ts'
import { longestMessage, readBuyerMessage } from './buyer-message.ts'
import { type BuyerSample, buyerSamples, companyMessages } from './buyer-templates.ts'

test('every sample is read with its reference, or with none', () => {
  for (const { text, reference, provider, amount } of buyerSamples) {
    const message = readBuyerMessage(text, provider)
    if (reference === null) assert.deepEqual(message, { kind: 'not found' }, text)
    else {
      assert.ok(message.kind === 'found', text)
      assert.equal(message.reference, reference)
      assert.equal(message.amount === undefined ? undefined : formatMinor(message.amount), amount, text)
    }
  }
})

test('every sentence of a company has a sample, and its provider is a shipped one', () => {
  const shipped = new Set(SHIPPED_PROVIDERS.map(({ name }) => name))
  for (const [provider, { sentences }] of Object.entries(companyMessages)) {
    assert.ok(shipped.has(provider), provider)
    const samples = buyerSamples.filter((sample) => sample.provider === provider && sample.amount !== undefined)
    assert.ok(samples.length >= sentences.length, provider)
  }
})

test('a single number is the reference, in any script and with spaces', () => {
  for (const typed of ['220700001234', ' ٢٢٠٧٠٠٠٠١٢٣٤ ', '2207 0000 1234', '\u200f220700001234'])
    assert.deepEqual(readBuyerMessage(typed), { kind: 'reference', reference: '220700001234' }, typed)
  assert.deepEqual(readBuyerMessage('AB-12/34'), { kind: 'reference', reference: 'AB-12/34' })
})

test('words without a number are not a reference', () => {
  for (const typed of ['hello', 'تم الدفع', '...', 'I have paid 1500 today'])
    assert.deepEqual(readBuyerMessage(typed), { kind: 'not found' }, typed)
})

test('a number at the end of a text counts only if it is as long as all references of the company', () => {
  const text = 'رقم العملية: 220700001234'
  assert.deepEqual(readBuyerMessage(text, ''), { kind: 'cut' })
  assert.deepEqual(readBuyerMessage(text, 'jawali'), { kind: 'found', reference: '220700001234', amount: undefined })
  assert.deepEqual(readBuyerMessage(text.slice(0, -1), 'jawali'), { kind: 'cut' })
  assert.deepEqual(readBuyerMessage('خصم 3,000ر.ي مشتريات رص:2180ر.ي من 1234567 م:1234567890123', 'jaib'), {
    kind: 'not found',
  })
})

/** A part of a sample gives the reference of the whole or none. A single word is not checked: it counts as typed by the buyer. */
const expectNoOtherReference = ({ provider, text, reference }: BuyerSample, part: string): void => {
  const message = readBuyerMessage(part, provider)
  if (message.kind !== 'found') return
  if (reference !== null) assert.equal(message.reference, reference, part)
  // A part of a message with two references may contain one of them.
  else assert.ok(text.includes(`${message.reference} `) && /رقم العملية/.test(text), part)
}

test('a message that was cut anywhere gives the reference of the whole message or none', () => {
  for (const sample of buyerSamples)
    for (let at = 1; at < sample.text.length; at++) {
      expectNoOtherReference(sample, sample.text.slice(0, at))
      expectNoOtherReference(sample, sample.text.slice(at))
    }
})

test('a part from the middle of a message gives the reference of the whole message or none', () => {
  const pieces = fc.constantFrom(...buyerSamples).chain((sample) =>
    fc.tuple(
      fc.constant(sample),
      fc.nat({ max: sample.text.length }),
      fc.nat({ max: sample.text.length }),
      // Apps shorten a text with dots.
      fc.constantFrom('', '...', ' …', '\n'),
    ),
  )
  fc.assert(
    fc.property(pieces, ([sample, from, to, after]) => {
      const piece = sample.text.slice(Math.min(from, to), Math.max(from, to))
      expectNoOtherReference(sample, piece + after)
    }),
    { numRuns: runs(20_000, 1_000) },
  )
})

test('a text that is too long is not read', () => {
  assert.deepEqual(readBuyerMessage('1'.repeat(longestMessage + 1)), { kind: 'too long' })
  assert.deepEqual(readBuyerMessage('1'.repeat(200)), { kind: 'not found' })
})
