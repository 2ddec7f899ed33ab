import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minor } from '../../core/money.ts'
import { type Doubtful, doubtFacts, doubtsOf, manyReferences, needsLook, samePaymentOf } from './doubts.ts'

const sure: Doubtful = {
  trusted: true,
  chain: 'fits',
  chainMissing: null,
  phoneNew: false,
  senderNew: false,
  deniedBy: null,
  similarTo: null,
  referenceKey: 'R1',
  samePayment: null,
}
const doubts = (more: Partial<Doubtful>, tried?: number) => doubtsOf({ ...sure, ...more }, tried).join(' ')

test('an alert that is signed, fits its balance and resembles no other has no doubts', () => {
  assert.equal(doubts({}), '')
  assert.equal(doubts({ chain: 'unknown' }), '')
  assert.equal(doubts({ chain: null, chainMissing: minor(5n) }), '')
})

test('each doubt has its reason', () => {
  assert.equal(doubts({ trusted: false }), 'unsigned')
  assert.equal(doubts({ chain: 'break' }), 'balance')
  assert.equal(doubts({ chain: 'fits', chainMissing: minor(0n) }), 'balance')
  assert.equal(doubts({ phoneNew: true }), 'phone_new')
  assert.equal(doubts({ similarTo: 'a1', referenceKey: null }), 'seen_before')
  assert.equal(doubts({ similarTo: 'a1' }), 'same_payment')
  assert.equal(doubts({ samePayment: 'a1' }), 'same_payment')
  assert.equal(doubts({ referenceKey: null }), '')
})

test('five references on one intent look like guessing, four do not', () => {
  assert.equal(manyReferences, 5)
  assert.deepEqual([doubts({}, 4), doubts({}, 5)], ['', 'many_references'])
})

test('the alert that may be the same payment is the spent one, or for a reference the similar one', () => {
  assert.equal(samePaymentOf({ ...sure, samePayment: 'a1', similarTo: 'a2' }), 'a1')
  assert.equal(samePaymentOf({ ...sure, similarTo: 'a2' }), 'a2')
  assert.equal(samePaymentOf({ ...sure, similarTo: 'a2', referenceKey: null }), null)
})

test('the facts of a timeline entry name the doubts', () => {
  assert.equal(doubtFacts([]), '{}')
  assert.equal(doubtFacts(['unsigned', 'balance']), '{"doubts":"unsigned,balance"}')
})

const unmatched = { ...sure, state: 'waiting', reason: 'no_intent' } as const

test('signed money that no order asked for needs no look, with a reference or without', () => {
  assert.equal(needsLook(unmatched), false)
  assert.equal(
    needsLook({ ...unmatched, state: 'review', reason: 'no_reference', referenceKey: null, chain: null }),
    false,
  )
})

test('every doubt and every other reason needs a look', () => {
  for (const doubt of [
    { trusted: false },
    { chain: 'break' },
    { chainMissing: minor(100n) },
    { phoneNew: true },
    { senderNew: true },
    { deniedBy: 'other' },
    { similarTo: 'other' },
    { samePayment: 'other' },
    { reason: 'late' },
    { state: 'review', reason: 'denied' },
    { state: 'review', reason: 'amount_seen' },
    { state: 'review', reason: 'no_intent' },
    { state: 'wrong_amount', reason: '' },
    { state: 'held', reason: 'device_off' },
  ] as const)
    assert.equal(
      needsLook({ ...unmatched, ...doubt }),
      true,
      JSON.stringify(doubt, (_, value) => String(value)),
    )
})
