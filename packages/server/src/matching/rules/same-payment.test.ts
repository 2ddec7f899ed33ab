import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hour_ms } from '../../core/duration.ts'
import { minor } from '../../core/money.ts'
import type { CreditReport } from '../records/credit-report.ts'
import {
  clockError_ms,
  comparedSince,
  earliestTime,
  knownTime,
  mayBeSamePayment,
  messageTime,
  oldest_ms,
  samePayment_ms,
  together_ms,
  untimed_ms,
} from './same-payment.ts'

const start = Date.UTC(2026, 0, 1)
const sms = { phoneId: 'phone', adapter: 'native', kind: 'sms' }
const notification = { ...sms, kind: 'notification' }
const credit = (id: string, more: Partial<CreditReport> = {}): CreditReport => ({
  id,
  walletId: 'wallet',
  referenceKey: null,
  currency: 'YER',
  payer: null,
  balance: null,
  text: '',
  sentAt: start,
  phoneReceivedAt: start,
  receivedAt: start,
  link: 'unknown',
  source: sms,
  ...more,
})
const booked = credit('booked')
/** A credit with a reference that was sent and received so much later. */
const later = (by_ms: number, more: Partial<CreditReport> = {}): CreditReport =>
  credit('later', {
    referenceKey: 'R1',
    sentAt: start + by_ms,
    phoneReceivedAt: start + by_ms,
    receivedAt: start + by_ms,
    ...more,
  })
/** The answer does not depend on the order. */
const mayBeSame = (a: CreditReport, b: CreditReport): boolean => {
  const answer = mayBeSamePayment(a, b)
  assert.equal(mayBeSamePayment(b, a), answer)
  return answer
}

test('the times that decide', () => {
  assert.deepEqual(
    { samePayment_ms, together_ms, untimed_ms, oldest_ms, clockError_ms },
    {
      samePayment_ms: 24 * hour_ms,
      together_ms: 600_000,
      untimed_ms: 7 * 24 * hour_ms,
      oldest_ms: 31 * 24 * hour_ms,
      clockError_ms: 600_000,
    },
  )
  // Credits that arrived a little before the window are read too: clocks differ.
  const time = start - 5 * hour_ms
  assert.equal(comparedSince(credit('a', { sentAt: time })), time - samePayment_ms - clockError_ms)
  assert.equal(comparedSince(credit('a', { sentAt: start + 5 })), start - samePayment_ms - clockError_ms)
  assert.equal(comparedSince(credit('a', { sentAt: null, phoneReceivedAt: null })), start - untimed_ms - clockError_ms)
  const old = start - 40 * samePayment_ms
  assert.equal(comparedSince(credit('a', { sentAt: old })), old - samePayment_ms - clockError_ms)
  assert.equal(earliestTime, Date.UTC(2020, 0, 1))
})

test('two credits of one amount may be one payment for a day, by the times of the messages or of the reports', () => {
  assert.ok(mayBeSame(booked, later(samePayment_ms)))
  assert.ok(!mayBeSame(booked, later(samePayment_ms + 1)))
  // They arrived a day apart, whatever their own times say.
  const old = { sentAt: start - 20 * samePayment_ms }
  assert.ok(mayBeSame(booked, later(samePayment_ms, old)))
  assert.ok(!mayBeSame(booked, later(samePayment_ms + 1, old)))
  // Sent at the time of the payment, and reported days later by a phone that was offline.
  assert.ok(mayBeSame(booked, later(9 * samePayment_ms, { sentAt: start })))
  assert.ok(mayBeSame(booked, later(9 * samePayment_ms, { sentAt: start + samePayment_ms })))
  assert.ok(!mayBeSame(booked, later(9 * samePayment_ms, { sentAt: start + samePayment_ms + 1 })))
  // A wrong clock: the reports arrived together.
  assert.ok(mayBeSame(booked, later(hour_ms, { sentAt: start - 5 * samePayment_ms })))
})

test('a report without a time may be about an older message: it is compared for a week', () => {
  const untimed = { sentAt: null, phoneReceivedAt: null }
  assert.ok(mayBeSame(booked, later(untimed_ms, untimed)))
  assert.ok(!mayBeSame(booked, later(untimed_ms + 1, untimed)))
  assert.ok(mayBeSame({ ...booked, ...untimed }, later(untimed_ms, untimed)))
  assert.ok(!mayBeSame({ ...booked, ...untimed }, later(untimed_ms + 1, untimed)))
  // A message that was sent more than a day after the report without a time arrived is another one.
  assert.ok(mayBeSame({ ...booked, ...untimed }, later(samePayment_ms)))
  assert.ok(mayBeSame({ ...booked, ...untimed }, later(2 * samePayment_ms, { sentAt: start + samePayment_ms })))
  assert.ok(!mayBeSame({ ...booked, ...untimed }, later(2 * samePayment_ms, { sentAt: start + samePayment_ms + 1 })))
  assert.ok(!mayBeSame({ ...booked, ...untimed }, later(samePayment_ms + 1)))
  // It arrived late, but was sent before.
  assert.ok(mayBeSame({ ...booked, ...untimed }, later(untimed_ms, { sentAt: start })))
  assert.ok(mayBeSame({ ...booked, ...untimed }, later(untimed_ms + 1, { sentAt: start })))
  assert.ok(mayBeSame({ ...booked, ...untimed }, later(40 * samePayment_ms, { sentAt: start - untimed_ms })))
  assert.ok(!mayBeSame({ ...booked, ...untimed }, later(40 * samePayment_ms, { sentAt: start - untimed_ms - 1 })))
  // A phone that was offline for ten days reports a message; three days later an app without times reports it again.
  const offline = { ...booked, sentAt: start - 10 * samePayment_ms, phoneReceivedAt: null }
  assert.ok(mayBeSame(offline, later(3 * samePayment_ms, untimed)))
  assert.ok(mayBeSame(offline, later(untimed_ms, untimed)))
  assert.ok(!mayBeSame(offline, later(untimed_ms + 1, untimed)))
})

test('an old time is known: messages are compared by it, however late they are reported', () => {
  const reported = 40 * samePayment_ms
  assert.ok(mayBeSame(booked, later(reported, { sentAt: start })))
  assert.ok(mayBeSame(booked, later(reported, { sentAt: start + samePayment_ms })))
  assert.ok(!mayBeSame(booked, later(reported, { sentAt: start + samePayment_ms + 1 })))
  assert.ok(mayBeSame(booked, later(reported, { sentAt: null, phoneReceivedAt: start })))
})

test('a time long before the report may be that of a wrong clock: such a report is compared for a week, as one without a time', () => {
  const wrong = { sentAt: start - 400 * samePayment_ms, phoneReceivedAt: start - 400 * samePayment_ms }
  assert.ok(mayBeSame(booked, later(untimed_ms, wrong)))
  assert.ok(!mayBeSame(booked, later(untimed_ms + 1, wrong)))
  // The time at which the phone got it is recent: that one is compared too.
  const recent = { ...wrong, phoneReceivedAt: start }
  assert.ok(mayBeSame(booked, later(9 * samePayment_ms, recent)))
  // Thirty-one days are not long before.
  const edge = (more: number) => ({ sentAt: start + untimed_ms - oldest_ms - more, phoneReceivedAt: null })
  assert.ok(!mayBeSame(booked, later(untimed_ms, edge(0))))
  assert.ok(mayBeSame(booked, later(untimed_ms, edge(1))))
})

test('an impossible time counts as no time', () => {
  assert.equal(knownTime(null, start), undefined)
  assert.equal(knownTime(0, start), undefined)
  assert.equal(knownTime(start - oldest_ms - 1, start), start - oldest_ms - 1)
  assert.equal(knownTime(earliestTime, start), earliestTime)
  assert.equal(knownTime(earliestTime - 1, start), undefined)
  assert.equal(knownTime(start + clockError_ms, start), start + clockError_ms)
  assert.equal(knownTime(start + clockError_ms + 1, start), undefined)
  assert.equal(messageTime({ sentAt: 0, phoneReceivedAt: start - 5, receivedAt: start }), start - 5)
  assert.equal(messageTime({ sentAt: start - 9, phoneReceivedAt: start - 5, receivedAt: start }), start - 9)
  assert.ok(mayBeSame(booked, later(untimed_ms, { sentAt: 0, phoneReceivedAt: 0 })))
})

test('payers who differ are two payments, unless one text is a part of the other', () => {
  const from = (payer: string) => ({ payer })
  const ali = { ...booked, ...from('علي صالح المثال') }
  assert.ok(!mayBeSame(ali, later(0, from('سعيد أحمد النموذج'))))
  assert.ok(mayBeSame(ali, later(samePayment_ms, from('علي صالح المثال'))))
  assert.ok(!mayBeSame({ ...booked, ...from('770000123') }, later(0, from('771999888'))))
  // A name and a number cannot be compared.
  assert.ok(mayBeSame(ali, later(0, from('770000123'))))
  const whole = 'تم إيداع مبلغ 1,500.00 YER من: سعد محمد النموذج المرجع:123456789'
  const cut = 'تم ايداع مبلغ 1500 YER من: سعد محم'
  assert.ok(
    mayBeSame({ ...booked, payer: 'غير معروف البتة', text: cut }, later(0, { payer: 'سعد محمد النموذج', text: whole })),
  )
  assert.ok(
    !mayBeSame(
      { ...booked, payer: 'غير معروف البتة', text: `${cut} x` },
      later(0, { payer: 'سعد محمد النموذج', text: whole }),
    ),
  )
})

test('a company that sends one message for each payment: two messages of one phone, sent ten minutes apart, are two', () => {
  const same = (by_ms: number, more: Partial<CreditReport> = {}, first: Partial<CreditReport> = {}) =>
    mayBeSamePayment({ ...booked, ...first }, later(by_ms, more), false)
  assert.ok(same(together_ms))
  assert.ok(!same(together_ms + 1))
  assert.ok(mayBeSamePayment(booked, later(together_ms + 1), true))
  // Of another phone, app or kind; without a time; sent together and reported apart; of the same payer; a part.
  assert.ok(same(samePayment_ms, { source: notification }))
  assert.ok(same(samePayment_ms, { sentAt: null, phoneReceivedAt: null }))
  assert.ok(same(samePayment_ms, {}, { sentAt: null, phoneReceivedAt: null }))
  assert.ok(same(samePayment_ms, { sentAt: start + together_ms }))
  assert.ok(same(samePayment_ms, { payer: '770000123' }, { payer: '770000123' }))
  assert.ok(same(samePayment_ms, { text: 'a message and its end' }, { text: 'a message and' }))
  assert.ok(!same(samePayment_ms, { payer: '771000123' }, { payer: '770000123' }))
})

test('a company that sends one message for each payment: times of two sources are compared only if the SMS centre set them', () => {
  const same = (one: Partial<CreditReport>, two: Partial<CreditReport>) =>
    mayBeSamePayment({ ...booked, ...one }, later(2 * together_ms, two), false)
  const otherSources = [
    { ...sms, phoneId: 'other' },
    { ...sms, adapter: 'other' },
  ]
  for (const source of otherSources) {
    assert.ok(!same({ source }, {}))
    assert.ok(same({ source, sentAt: null }, {}))
    assert.ok(same({ source }, { sentAt: null }))
    assert.ok(same({ source }, { sentAt: 0 }))
    assert.ok(same({ source: { ...source, kind: 'notification' } }, { source: notification }))
  }
  assert.ok(!same({ source: notification }, { source: notification }))
  assert.ok(!same({ sentAt: null }, { sentAt: null }))
})

test('a cut name of one letter is no proof of another payer', () => {
  const cut = 'لقد استلمت 2500 YER كقيمة مشتريات بمرجع 777100000001 من ع'
  const whole = 'استلمت مبلغ 2500 YER من 770000123 رصيدك هو 10000'
  assert.ok(mayBeSame({ ...booked, payer: '770000123', text: whole }, later(0, { payer: 'ع', text: cut })))
})

test('two references, or two currencies, are two payments; an alert is not compared with itself', () => {
  assert.ok(!mayBeSame({ ...booked, referenceKey: 'R2' }, later(0)))
  assert.ok(mayBeSame(booked, later(0)))
  assert.ok(mayBeSame(booked, later(0, { referenceKey: null })))
  assert.ok(!mayBeSame(booked, later(0, { currency: 'SAR' })))
  assert.ok(!mayBeSame(booked, { ...later(0), id: 'booked' }))
})

test('only two balances that follow from the known balance of one entry prove two payments', () => {
  const links = ['fits', 'break', 'doubtful', 'unknown', null] as const
  for (const one of links)
    for (const two of links)
      assert.equal(
        mayBeSame({ ...booked, link: one, balance: minor(500n) }, later(1, { link: two, balance: minor(600n) })),
        !(one === 'fits' && two === 'fits'),
        `${one} ${two}`,
      )
  const shows = (balance: bigint, more: Partial<CreditReport> = {}) =>
    later(1, { link: 'fits', balance: minor(balance), ...more })
  const first: CreditReport = { ...booked, link: 'fits', balance: minor(500n) }
  assert.ok(!mayBeSame(first, shows(600n)))
  assert.ok(mayBeSame(first, shows(600n, { walletId: 'merged entry' })))
  // The same amount has left the wallet in between: the second message of the payment follows again.
  assert.ok(mayBeSame(first, shows(500n)))
})

const reports = fc.record({
  referenceKey: fc.constantFrom(null, 'R1'),
  payer: fc.constantFrom(null, '770000123', '771999888', 'علي صالح المثال'),
  sentAt: fc.option(fc.integer({ min: -1_500, max: 900 }).map((hours) => start + hours * hour_ms)),
  phoneReceivedAt: fc.constant(null),
  receivedAt: fc.integer({ min: 0, max: 900 }).map((hours) => start + hours * hour_ms),
  balance: fc.constantFrom(null, minor(500n), minor(600n)),
  link: fc.constantFrom('fits', 'break', 'doubtful', 'unknown', null),
})

test('property: the result does not depend on the order of the two alerts', () => {
  fc.assert(
    fc.property(reports, reports, (one, two) => {
      mayBeSame(credit('a', one as Partial<CreditReport>), credit('b', two as Partial<CreditReport>))
    }),
  )
})

test('property: no alert that may be the same payment arrived before the time from which alerts are read', () => {
  fc.assert(
    fc.property(reports, reports, (one, two) => {
      const [a, b] = [credit('a', one as Partial<CreditReport>), credit('b', two as Partial<CreditReport>)]
      if (mayBeSamePayment(a, b)) assert.ok(b.receivedAt >= comparedSince(a))
    }),
    { numRuns: 2_000 },
  )
})
