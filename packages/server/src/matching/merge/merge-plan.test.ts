import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { AlertId } from '../../core/ids.ts'
import { minor } from '../../core/money.ts'
import { type ClashingAlert, outcomeOf } from './merge-plan.ts'

const alert = (id: string, state: ClashingAlert['state'], amount = 500n): ClashingAlert => ({
  id: id as AlertId,
  state,
  amount: minor(amount),
  currency: 'YER',
  receivedAt: 0,
  payment: state === 'waiting' ? null : `P${id}`,
  order: '',
})
const outcomeText = (a: ClashingAlert, b: ClashingAlert) => {
  const { kind, kept, dropped } = outcomeOf({ reference: 'r', alerts: [a, b] })
  return `${kind} ${kept.id} before ${dropped.id}`
}

test('a spent alert is kept; if both are spent, the later one is reported as credited twice', () => {
  assert.equal(outcomeText(alert('2', 'matched'), alert('1', 'waiting')), 'duplicate 2 before 1')
  assert.equal(outcomeText(alert('1', 'waiting'), alert('2', 'booked')), 'duplicate 2 before 1')
  assert.equal(outcomeText(alert('2', 'booked'), alert('1', 'matched')), 'credited_twice 1 before 2')
  assert.equal(outcomeText(alert('1', 'matched', 500n), alert('2', 'matched', 600n)), 'credited_twice 1 before 2')
})

test('if none is spent, the one that ended an intent or came first is kept; another amount goes to review', () => {
  assert.equal(outcomeText(alert('1', 'waiting'), alert('2', 'wrong_amount')), 'duplicate 2 before 1')
  assert.equal(outcomeText(alert('2', 'waiting'), alert('1', 'waiting')), 'duplicate 1 before 2')
  assert.equal(outcomeText(alert('1', 'wrong_amount'), alert('2', 'wrong_amount')), 'duplicate 1 before 2')
  assert.equal(outcomeText(alert('1', 'matched', 500n), alert('2', 'waiting', 600n)), 'review 1 before 2')
})

test('property: the order of the two alerts does not matter', () => {
  const state = fc.constantFrom('waiting' as const, 'matched' as const, 'wrong_amount' as const, 'booked' as const)
  fc.assert(
    fc.property(state, state, fc.bigInt(1n, 2n), fc.bigInt(1n, 2n), (first, second, firstPaid, secondPaid) => {
      const [a, b] = [alert('1', first, firstPaid), alert('2', second, secondPaid)]
      assert.equal(outcomeText(a, b), outcomeText(b, a))
    }),
  )
})
