import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minor } from '../../core/money.ts'
import { type Doubtful, doubtFacts, doubtsOf, manyReferences, samePaymentOf } from './doubts.ts'

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
