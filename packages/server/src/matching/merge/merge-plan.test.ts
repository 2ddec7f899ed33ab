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
const said = (one: ClashingAlert, other: ClashingAlert) => {
  const { kind, stands, yields } = outcomeOf({ reference: 'r', alerts: [one, other] })
  return `${kind} ${stands.id} before ${yields.id}`
}

test('a spent alert stays, and of two spent alerts the later was credited twice', () => {
  assert.equal(said(alert('2', 'matched'), alert('1', 'waiting')), 'duplicate 2 before 1')
  assert.equal(said(alert('1', 'waiting'), alert('2', 'booked')), 'duplicate 2 before 1')
  assert.equal(said(alert('2', 'booked'), alert('1', 'matched')), 'credited_twice 1 before 2')
  assert.equal(said(alert('1', 'matched', 500n), alert('2', 'matched', 600n)), 'credited_twice 1 before 2')
})

test('of alerts that are not spent the one that ended an intent stays, then the earlier', () => {
  assert.equal(said(alert('1', 'waiting'), alert('2', 'wrong_amount')), 'duplicate 2 before 1')
  assert.equal(said(alert('2', 'waiting'), alert('1', 'waiting')), 'duplicate 1 before 2')
  assert.equal(said(alert('1', 'wrong_amount'), alert('2', 'wrong_amount')), 'duplicate 1 before 2')
  assert.equal(said(alert('1', 'matched', 500n), alert('2', 'waiting', 600n)), 'review 1 before 2')
})

test('the order of the two does not matter', () => {
  const state = fc.constantFrom('waiting' as const, 'matched' as const, 'wrong_amount' as const, 'booked' as const)
  fc.assert(
    fc.property(state, state, fc.bigInt(1n, 2n), fc.bigInt(1n, 2n), (one, other, paid, again) => {
      const [a, b] = [alert('1', one, paid), alert('2', other, again)]
      assert.equal(said(a, b), said(b, a))
    }),
  )
})
