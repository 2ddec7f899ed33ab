/** When money can be taken as a sale by one touch. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minor } from '../../core/money.ts'
import { needsLook } from './needs-look.ts'

const sure = {
  state: 'waiting',
  reason: 'no_intent',
  trusted: true,
  chain: 'fits',
  chainMissing: null,
  phoneNew: false,
  senderNew: false,
  deniedBy: null,
  similarTo: null,
  referenceKey: 'A1',
} as const

test('signed money that no order asked for needs no look, with a reference or without', () => {
  assert.equal(needsLook(sure), false)
  assert.equal(needsLook({ ...sure, state: 'review', reason: 'no_reference', referenceKey: null, chain: null }), false)
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
      needsLook({ ...sure, ...doubt }),
      true,
      JSON.stringify(doubt, (_, value) => String(value)),
    )
})
