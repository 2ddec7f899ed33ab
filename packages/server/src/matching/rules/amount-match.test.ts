import assert from 'node:assert/strict'
import { test } from 'node:test'
import { REST_PAID_MS, REST_UNPAID_MS } from '../../intents/payable/unique-amounts.ts'
import {
  type AmountCredit,
  type AmountHolder,
  type AmountMismatch,
  amountMatch,
  amountMismatches,
} from './amount-match.ts'
import { clockError_ms } from './same-payment.ts'

const createdAt = 1_000_000_000_000
const credit: AmountCredit = { receivedAt: createdAt + 60_000, sentAt: createdAt + 50_000, trusted: true, link: 'fits' }
const open: AmountHolder = {
  status: 'PENDING',
  createdAt,
  uniqueAmount: true,
  hasReference: false,
  payer: 'unknown',
}

const refusals: readonly [string, AmountMismatch, Partial<AmountCredit>, readonly AmountHolder[]][] = [
  ['no intent has the amount', 'amount_not_asked', {}, []],
  ['the intent has expired', 'amount_late', {}, [{ ...open, status: 'EXPIRED' }]],
  ['the intent was cancelled', 'amount_late', {}, [{ ...open, status: 'CANCELLED' }]],
  ['the intent is paid', 'amount_paid_before', {}, [{ ...open, status: 'VERIFIED' }]],
  [
    'one was paid, one expired',
    'amount_paid_before',
    {},
    [
      { ...open, status: 'EXPIRED' },
      { ...open, status: 'VERIFIED' },
    ],
  ],
  ['two open intents have the amount', 'amount_of_several', {}, [open, { ...open, uniqueAmount: false }]],
  ['another intent had the amount until lately', 'amount_of_several', {}, [open, { ...open, status: 'EXPIRED' }]],
  ['the report came before the intent', 'amount_before_intent', { receivedAt: createdAt - 1, sentAt: null }, [open]],
  ['the money was sent before the intent', 'amount_before_intent', { sentAt: createdAt - clockError_ms - 1 }, [open]],
  ["the intent has the order's own amount", 'amount_not_unique', {}, [{ ...open, uniqueAmount: false }]],
  ['the intent has a reference', 'amount_has_reference', {}, [{ ...open, hasReference: true }]],
  ['the report is unsigned', 'amount_unsigned', { trusted: false }, [open]],
  ['the phone does not know the time', 'amount_untimed', { sentAt: null }, [open]],
  ['the balance does not follow', 'amount_broken_chain', { link: 'break' }, [open]],
  ['the balance follows from a doubtful one', 'amount_broken_chain', { link: 'doubtful' }, [open]],
  ['another payer was claimed', 'amount_payer_differs', {}, [{ ...open, payer: 'differs' }]],
]

for (const [story, why, change, holders] of refusals)
  test(`no match by amount: ${story}`, () => {
    const result = amountMatch({ ...credit, ...change }, holders)
    assert.ok(result.kind === 'none')
    assert.equal(result.why, why)
    assert.ok(result.holders.every(({ status }) => status === 'PENDING'))
  })

test('every open intent with this unique amount gets the reason in its timeline', () => {
  for (const [story, , change, holders] of refusals) {
    const concerned = holders.filter(({ status, uniqueAmount }) => status === 'PENDING' && uniqueAmount)
    const result = amountMatch({ ...credit, ...change }, holders)
    assert.ok(result.kind === 'none' && concerned.every((holder) => result.holders.includes(holder)), story)
  }
})

test('every reason for no match is tested', () => {
  assert.deepEqual(new Set(refusals.map(([, why]) => why)), new Set(amountMismatches))
})

test('the only open intent with a unique amount is matched, with or without a balance and a payer', () => {
  for (const link of ['fits', 'unknown'] as const)
    for (const sentAt of [createdAt - clockError_ms, createdAt + 50_000])
      for (const payer of ['same', 'unknown'] as const) {
        const holder = { ...open, payer, id: 'the one' }
        assert.deepEqual(amountMatch({ ...credit, link, sentAt }, [holder]), { kind: 'match', holder })
      }
})

test('the allowed clock error is shorter than every rest, so an earlier holder of the amount cannot be meant', () => {
  assert.ok(clockError_ms < Math.min(REST_PAID_MS, REST_UNPAID_MS))
})

test('a report at the moment of the intent is not before it', () => {
  assert.equal(amountMatch({ ...credit, receivedAt: createdAt, sentAt: createdAt }, [open]).kind, 'match')
})
