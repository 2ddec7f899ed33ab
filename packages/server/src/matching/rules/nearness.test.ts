import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { matchable_ms } from '../../alerts/alert.ts'
import { hour_ms } from '../../core/duration.ts'
import { minor } from '../../core/money.ts'
import { type Candidate, differences, nearest, nearlyEqual } from './nearness.ts'

const expected = {
  payable: minor(150_000n),
  currency: 'YER',
  reference: '912345678901',
  referenceKey: '912345678901',
  createdAt: 100 * hour_ms,
}
const alert = (more: Partial<Candidate> = {}): Candidate => ({
  amount: minor(150_000n),
  currency: 'YER',
  reference: '912345678901',
  reference_key: '912345678901',
  state: 'waiting',
  reason: 'no_intent',
  received_at: 100 * hour_ms + 60_000,
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
  assert.deepEqual(codes(alert({ received_at: 70 * hour_ms })), ['time'])
  const unread = { amount: null, currency: null, reference: null, reference_key: null }
  assert.deepEqual(codes(alert({ ...unread, state: 'unread', reason: 'not_understood' })), ['unread'])
})

test('candidates are ordered: same reference, nearly equal reference, same amount, only near in time', () => {
  const same = alert({ amount: minor(1n) })
  const alike = alert({ reference: '912345678910', reference_key: '912345678910', amount: minor(1n) })
  const amount = alert({ reference: null, reference_key: null, received_at: 90 * hour_ms })
  const near = alert({ reference: '5555555', reference_key: '5555555', amount: minor(1n) })
  const far = alert({ reference: '5555555', reference_key: '5555555', amount: minor(1n), received_at: 90 * hour_ms })
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

/** The edits that lead from one text to the other, counted plainly. */
const edits = (a: string, b: string): number => {
  if (a === '' || b === '') return a.length + b.length
  const same = a[0] === b[0] ? 0 : 1
  const least = Math.min(edits(a.slice(1), b) + 1, edits(a, b.slice(1)) + 1, edits(a.slice(1), b.slice(1)) + same)
  const swapped = a.length > 1 && b.length > 1 && a[0] === b[1] && a[1] === b[0]
  return swapped ? Math.min(least, edits(a.slice(2), b.slice(2)) + 1) : least
}

test('nearly equal: one holds the other, or two edits lead from one to the other; five characters at least', () => {
  const text = fc.string({ unit: fc.constantFrom(...'123'), minLength: 4, maxLength: 7 })
  fc.assert(
    fc.property(text, text, (a, b) => {
      const long = Math.min(a.length, b.length) >= 5
      assert.equal(nearlyEqual(a, b), long && (a.includes(b) || b.includes(a) || edits(a, b) <= 2), `${a} ${b}`)
    }),
    { numRuns: 1000 },
  )
  for (const [a, b, nearly] of [
    ['12345', '12345', true],
    ['1234', '1234', false],
    ['12345', '00012345000', true],
    ['12345', '1200345', true],
    ['12345', '12000345', false],
    ['12345', '21354', true],
    ['123456', '214365', false],
    ['12345', '54321', false],
    ['123456', '321654', false],
    ['1234567', '7234561', true],
    ['1234567', '7234516', false],
  ] as const)
    assert.equal(nearlyEqual(a, b), nearly, `${a} ${b}`)
})

test('a reference without a key is no reference', () => {
  assert.deepEqual(codes(alert({ reference: '-', reference_key: null })), ['no_reference'])
  assert.deepEqual(codes(alert({ reference: null, reference_key: 'A' })), ['no_reference'])
})

test('an intent that was created a day or more after the alert is too late for it, and by how much', () => {
  const after = (apart_ms: number) => differences(expected, alert({ received_at: expected.createdAt - apart_ms }))
  assert.deepEqual(after(matchable_ms - 1), [])
  assert.deepEqual(after(matchable_ms), [{ code: 'time', apart_ms: -matchable_ms }])
})

test('an alert is near in time from ten minutes before the intent until two hours after', () => {
  const found = (apart_ms: number) =>
    nearest(expected, [alert({ ...other, received_at: expected.createdAt + apart_ms })], 1).length
  assert.deepEqual([-600_000, -599_999, 7_199_999, 7_200_000].map(found), [0, 1, 1, 0])
})

/** Nothing in common with the intent, except what a test adds. */
const other = { amount: minor(1n), reference: '5555555', reference_key: '5555555' }
const untimely = { received_at: expected.createdAt + 50 * hour_ms }

test('a nearly equal reference counts more than amount, payer and time together; the same one more than all', () => {
  const claimed = { name: '', phone: '770000123' }
  const alike = { reference: '912345678910', reference_key: '912345678910' }
  const best = (...alerts: Candidate[]) => nearest({ ...expected, claimed }, alerts, 1)[0]
  const all = alert({ ...other, amount: expected.payable, payer: '770000123' })
  const onlyAlike = alert({ ...other, ...alike, ...untimely })
  assert.equal(best(all, onlyAlike), onlyAlike)
  const onlySame = alert({ amount: minor(1n), ...untimely })
  assert.equal(best({ ...all, ...alike }, onlySame), onlySame)
  const payer = alert({ ...other, ...untimely, amount: expected.payable, payer: '770000123' })
  const inTime = alert({ ...other, amount: expected.payable })
  assert.equal(best(inTime, payer), payer)
})

test('of equally near alerts, the one nearer in time comes first, before or after', () => {
  const at = (apart_ms: number) => alert({ ...other, received_at: expected.createdAt + apart_ms })
  const times = [300_000, -200_000, 100_000, -50_000, 400_000]
  const sorted = nearest(expected, times.map(at), 9).map(({ received_at }) => received_at - expected.createdAt)
  assert.deepEqual(sorted, [-50_000, 100_000, -200_000, 300_000, 400_000])
})
