import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alertStates, denialReasons, moneyOutcomes } from '@sanad/contract/kinds'
import type { AlertState, Reason } from './alert.ts'
import { creditKind, hasArrived, isSpentOutcome, outcomeOf } from './arrived.ts'

const kindOf = (state: AlertState, reason: Reason = '') => creditKind({ state, reason })

test('money arrived if it paid an order, waits, or has another amount; not if it was dismissed or repeats a message', () => {
  const arrived = alertStates.filter((state) => hasArrived(kindOf(state)))
  assert.deepEqual(arrived.toSorted(), ['booked', 'held', 'matched', 'review', 'waiting', 'wrong_amount'])
  assert.equal(kindOf('dismissed'), 'dismissed')
  for (const state of ['duplicate', 'debit', 'unread', 'hidden'] as const) assert.equal(kindOf(state), undefined, state)
})

test('a message that denies its payment is no money, until a member books it', () => {
  assert.ok(denialReasons.length > 0)
  for (const reason of denialReasons) {
    for (const state of ['waiting', 'review', 'held'] as const) assert.equal(kindOf(state, reason), 'denied')
    assert.equal(kindOf('booked', reason), 'verified')
    assert.equal(kindOf('dismissed', reason), 'dismissed')
  }
})

test('a payment was matched by itself, booked by a member, or taken as a sale', () => {
  const outcome = (state: AlertState, sale: boolean) => outcomeOf({ state, reason: '', sale })
  assert.deepEqual(
    [outcome('matched', false), outcome('booked', false), outcome('booked', true)],
    ['matched', 'booked', 'sale'],
  )
  // A sale that was undone is unmatched again.
  assert.equal(outcome('waiting', true), 'unmatched')
  assert.deepEqual(moneyOutcomes.filter(isSpentOutcome), ['matched', 'sale', 'booked'])
})
