import assert from 'node:assert/strict'
import { test } from 'node:test'
import { creditAfter, mayBegin, mostCredit } from './yield-calls.ts'

const rules = { busy_requests: 2, busy_share: 0.05, busy_per_s: 100 }
const after = (credit: number, underWay: number, answered: number, took_ms: number) =>
  creditAfter(credit, { underWay, answered, took_ms }, rules)

test('while nobody waits, as much may begin as there are calls', () => {
  assert.equal(mayBegin(after(0, 0, 0, 20)), Number.POSITIVE_INFINITY)
  assert.equal(mayBegin(after(0, 1.9, 500, 20)), Number.POSITIVE_INFINITY)
})

test('while requests wait, a twentieth of what is answered begins, and a few each second in any case', () => {
  let [credit, begun] = [Number.POSITIVE_INFINITY, 0]
  for (let step = 0; step < 50; step++) {
    credit = after(credit, 32, 80, 20)
    begun += mayBegin(credit)
    credit -= mayBegin(credit)
  }
  // A second in which 4,000 requests were answered: 200 for them, and the 100.
  assert.ok(begun >= 299 && begun <= 300, `${begun}`)
  credit = 0
  begun = 0
  for (let step = 0; step < 50; step++) {
    credit = after(credit, 32, 0, 20)
    begun += mayBegin(credit)
    credit -= mayBegin(credit)
  }
  assert.ok(begun >= 99 && begun <= 100, `${begun}`)
})

test('what is not used is not saved up, and a quiet moment before is no credit for a busy one', () => {
  let credit = 0
  for (let step = 0; step < 1000; step++) credit = after(credit, 32, 80, 20)
  assert.equal(credit, mostCredit)
  assert.equal(mayBegin(after(Number.POSITIVE_INFINITY, 32, 0, 0)), 0)
})
