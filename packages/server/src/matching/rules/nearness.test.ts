import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { minor } from '../../core/money.ts'
import { type Candidate, differences, nearest, nearlyEqual } from './nearness.ts'

const hour = 3_600_000
const expected = {
  payable: minor(150_000n),
  currency: 'YER',
  reference: '912345678901',
  referenceKey: '912345678901',
  createdAt: 100 * hour,
}
const alert = (more: Partial<Candidate> = {}): Candidate => ({
  amount: minor(150_000n),
  currency: 'YER',
  reference: '912345678901',
  reference_key: '912345678901',
  state: 'waiting',
  reason: 'no_intent',
  received_at: 100 * hour + 60_000,
  intent_id: null,
  ...more,
})
const codes = (candidate: Candidate, intent = expected) => differences(intent, candidate).map(({ code }) => code)

test('a mistyped reference is nearly equal; the reference of another payment is not', () => {
  for (const typed of ['912345678910', '91234567890', '9123456789011', '912345678001', '345678901', 'A912345678901'])
    assert.ok(nearlyEqual('912345678901', typed), typed)
  for (const other of ['912345999999', '812345678123', '8901', '', '912345'.repeat(3)])
    assert.ok(!nearlyEqual('912345678901', other), other)
})

test('property: nearlyEqual is symmetric, and true for equal references', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789AB'), minLength: 5, maxLength: 14 })
  fc.assert(
    fc.property(digits, digits, (a, b) => {
      assert.equal(nearlyEqual(a, b), nearlyEqual(b, a))
      assert.ok(nearlyEqual(a, a))
    }),
  )
})

test('each difference is reported with the expected and the actual value', () => {
  assert.deepEqual(differences(expected, alert({ amount: minor(140_000n) })), [
    { code: 'amount', expected: 150_000n, arrived: 140_000n },
  ])
  assert.deepEqual(differences(expected, alert({ currency: 'SAR', state: 'review', reason: 'wrong_currency' })), [
    { code: 'currency', expected: 'YER', arrived: 'SAR' },
  ])
  const typo = alert({ reference: '912345678910', reference_key: '912345678910' })
  assert.deepEqual(differences(expected, typo), [
    { code: 'reference', expected: '912345678901', arrived: '912345678910' },
  ])
  assert.deepEqual(codes(alert({ reference: null, reference_key: null, state: 'review', reason: 'no_reference' })), [
    'no_reference',
  ])
  assert.deepEqual(codes(alert(), { ...expected, reference: '', referenceKey: null as never }), [
    'reference_not_attached',
  ])
  assert.deepEqual(codes(alert({ state: 'held', reason: 'device_off' })), ['held'])
  assert.deepEqual(codes(alert({ state: 'review', reason: 'low_trust' })), ['low_trust'])
  assert.deepEqual(codes(alert({ state: 'review', reason: 'above_limit' })), ['above_limit'])
  assert.deepEqual(codes(alert({ state: 'dismissed', reason: '' })), ['dismissed'])
  assert.deepEqual(codes(alert({ state: 'matched', reason: '', intent_id: 'x' })), ['taken'])
  assert.deepEqual(codes(alert({ received_at: 70 * hour })), ['time'])
  const unread = { amount: null, currency: null, reference: null, reference_key: null }
  assert.deepEqual(codes(alert({ ...unread, state: 'unread', reason: 'not_understood' })), ['unread'])
})

test('candidates are ordered: same reference, nearly equal reference, same amount, only near in time', () => {
  const same = alert({ amount: minor(1n) })
  const alike = alert({ reference: '912345678910', reference_key: '912345678910', amount: minor(1n) })
  const amount = alert({ reference: null, reference_key: null, received_at: 90 * hour })
  const near = alert({ reference: '5555555', reference_key: '5555555', amount: minor(1n) })
  const far = alert({ reference: '5555555', reference_key: '5555555', amount: minor(1n), received_at: 90 * hour })
  assert.deepEqual(nearest(expected, [far, near, amount, alike, same], 5), [same, alike, amount, near])
  assert.equal(nearest(expected, [near, amount, alike, same], 2).length, 2)
})

test('of candidates with the same amount, the one with the same payer comes first; another payer is a difference', () => {
  const claimed = { name: '', phone: '770000123' }
  const [same, other] = [alert({ payer: '77***123' }), alert({ payer: '733000999' })].map((candidate) => ({
    ...candidate,
    reference: null,
    reference_key: null,
  }))
  assert.deepEqual(nearest({ ...expected, claimed }, [other!, same!], 2), [same, other])
  assert.deepEqual(differences({ ...expected, claimed }, other!).at(-1), {
    code: 'payer',
    expected: '770000123',
    arrived: '733000999',
  })
  assert.ok(differences({ ...expected, claimed }, same!).every(({ code }) => code !== 'payer'))
})
