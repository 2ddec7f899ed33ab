import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type CreditReport, mayBeSamePayment, otherSource_ms, sameSource_ms, untimed_ms } from './same-payment.ts'

const start = 1_000 * 3_600_000
const credit = (id: string, more: Partial<CreditReport> = {}): CreditReport => ({
  id,
  referenceKey: null,
  currency: 'YER',
  templateId: 'transfer',
  payer: null,
  text: '',
  sentAt: start,
  phoneReceivedAt: start,
  receivedAt: start,
  link: 'unknown',
  sources: ['phone native sms'],
  ...more,
})
const booked = credit('booked')
const later = (by_ms: number, more: Partial<CreditReport> = {}): CreditReport =>
  credit('later', {
    referenceKey: 'R1',
    templateId: 'purchase',
    sentAt: start + by_ms,
    phoneReceivedAt: start + by_ms,
    receivedAt: start + by_ms,
    ...more,
  })
const notification = { sources: ['phone native notification'] }

test('one source: two wordings within ten minutes may be one payment, afterwards they are two', () => {
  assert.ok(mayBeSamePayment(booked, later(sameSource_ms)))
  assert.ok(!mayBeSamePayment(booked, later(sameSource_ms + 1)))
})

test('two sources: two wordings within a day may be one payment; without a time, within a week', () => {
  assert.ok(mayBeSamePayment(booked, later(otherSource_ms, notification)))
  assert.ok(!mayBeSamePayment(booked, later(otherSource_ms + 1, notification)))
  const untimed = { ...notification, sentAt: null, phoneReceivedAt: null }
  assert.ok(mayBeSamePayment(booked, later(untimed_ms, untimed)))
  assert.ok(!mayBeSamePayment(booked, later(untimed_ms + 1, untimed)))
  // Sent at the time of the payment, and reported days later.
  assert.ok(mayBeSamePayment(booked, later(3 * otherSource_ms, { ...notification, sentAt: start })))
})

test('two texts of one source may be one payment for ten minutes only, even if another source reported one too', () => {
  const both = { sources: ['phone native notification', 'phone native sms'] }
  assert.ok(!mayBeSamePayment(booked, later(2 * sameSource_ms, both)))
})

test('two wordings with different payers are two payments; with the same payer they may be one for a day', () => {
  const from = (payer: string) => ({ payer })
  const ali = { ...booked, ...from('علي صالح المثال') }
  assert.ok(!mayBeSamePayment(ali, later(0, from('سعيد أحمد النموذج'))))
  assert.ok(mayBeSamePayment(ali, later(otherSource_ms, from('علي صالح المثال'))))
  assert.ok(!mayBeSamePayment({ ...booked, ...from('770000123') }, later(0, from('771999888'))))
  // A name and a number cannot be compared.
  assert.ok(mayBeSamePayment(ali, later(0, from('770000123'))))
})

test('two alerts with different references, the same wording or different currencies are two payments', () => {
  assert.ok(!mayBeSamePayment({ ...booked, referenceKey: 'R2' }, later(0)))
  assert.ok(!mayBeSamePayment(booked, later(0, { templateId: 'transfer' })))
  assert.ok(!mayBeSamePayment(booked, later(0, { currency: 'SAR' })))
  assert.ok(!mayBeSamePayment(booked, { ...later(0), id: 'booked' }))
})

test('a balance that follows proves two payments only if the earlier message is counted in it', () => {
  assert.ok(!mayBeSamePayment({ ...booked, link: 'fits' }, later(1, { link: 'fits' })))
  assert.ok(mayBeSamePayment({ ...booked, link: 'unknown' }, later(1, { link: 'fits' })))
  // The balance of the earlier one says nothing about the later.
  assert.ok(mayBeSamePayment({ ...booked, link: 'fits' }, later(1, { link: 'unknown' })))
})

test('property: the result does not depend on the order of the two alerts', () => {
  const report = fc.record({
    referenceKey: fc.constantFrom(null, 'R1'),
    templateId: fc.constantFrom(null, 'a', 'b'),
    payer: fc.constantFrom(null, '770000123', '771999888', 'علي صالح المثال'),
    sentAt: fc.option(fc.integer({ min: 0, max: 200 }).map((hours) => hours * 3_600_000)),
    receivedAt: fc.integer({ min: 0, max: 200 }).map((hours) => hours * 3_600_000),
    link: fc.constantFrom('fits', 'break', 'unknown', null),
    sources: fc.constantFrom(['x'], ['y'], ['x', 'y']),
  })
  fc.assert(
    fc.property(report, report, (one, two) => {
      const [a, b] = [credit('a', one as Partial<CreditReport>), credit('b', two as Partial<CreditReport>)]
      if (a.receivedAt !== b.receivedAt) assert.equal(mayBeSamePayment(a, b), mayBeSamePayment(b, a))
    }),
  )
})
