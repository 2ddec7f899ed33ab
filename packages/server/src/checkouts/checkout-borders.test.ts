/** The borders of a checkout's rules: numbers, ends and rests. Its states: checkout.test.ts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { day_ms, hour_ms } from '../core/duration.ts'
import { minor } from '../core/money.ts'
import {
  type Checkout,
  type CheckoutIntent,
  mayOpenIntent,
  mostIntents,
  mostReferences,
  payableRest,
  receiptLife_ms,
  stateAt,
  storableEnd,
} from './checkout.ts'

const checkout = (changes: Partial<Checkout> = {}) =>
  ({
    status: 'OPEN',
    amount: minor(1_000n),
    expiresAt: hour_ms,
    endedAt: null,
    allowRemaining: true,
    ...changes,
  }) as Checkout
const intent = (changes: Partial<CheckoutIntent> = {}) =>
  ({
    status: 'EXPIRED',
    base: minor(1_000n),
    paid: null,
    arrival: null,
    verifiedAt: null,
    expiresAt: 0,
    ...changes,
  }) as CheckoutIntent

test('20 intents, 20 references, and a receipt for 90 days', () => {
  assert.deepEqual([mostIntents, mostReferences, receiptLife_ms / day_ms], [20, 20, 90])
})

test('one missing unit keeps a checkout open; it is complete since the last verified intent', () => {
  const verified = (base: bigint, verifiedAt: number) => intent({ status: 'VERIFIED', base: minor(base), verifiedAt })
  assert.equal(stateAt(checkout(), [verified(999n, 5)], 10).status, 'OPEN')
  assert.deepEqual(stateAt(checkout(), [verified(400n, 5), verified(600n, 7), intent()], 10), {
    status: 'COMPLETE',
    endedAt: 7,
  })
  assert.deepEqual(stateAt(checkout(), [verified(1_000n, 0), intent()], 10).endedAt, 0)
})

test('an end that is stored is not stored again, and an open checkout has none', () => {
  assert.equal(storableEnd(checkout({ status: 'EXPIRED', endedAt: hour_ms }), [], 2 * hour_ms), undefined)
  assert.equal(storableEnd(checkout({ status: 'COMPLETE', endedAt: hour_ms }), [], 2 * hour_ms), undefined)
  assert.equal(storableEnd(checkout(), [], hour_ms - 1), undefined)
  assert.deepEqual(storableEnd(checkout(), [], hour_ms), { status: 'EXPIRED', endedAt: hour_ms })
})

test('no intent is opened when the checkout’s own time has ended, although an open one prolongs its end', () => {
  const open = [intent({ status: 'PENDING', expiresAt: 2 * hour_ms })]
  assert.deepEqual(
    [mayOpenIntent(checkout(), open, hour_ms - 1), mayOpenIntent(checkout(), open, hour_ms)],
    [true, false],
  )
})

test('the rest is payable after a payment that was too small, if two more intents are allowed', () => {
  const asked = { base: minor(1_000n), payable: minor(1_000n) }
  const short = intent({ ...asked, status: 'WRONG_AMOUNT', paid: minor(999n) })
  const rest = (...intents: CheckoutIntent[]) => payableRest(checkout(), intents, 1)?.rest
  assert.equal(rest(short), 1n)
  assert.equal(rest(intent({ ...asked, status: 'WRONG_AMOUNT', paid: minor(1_000n) })), undefined)
  assert.equal(rest(intent({ status: 'WRONG_AMOUNT', paid: null })), undefined)
  assert.equal(rest(intent({ status: 'EXPIRED', paid: minor(999n) })), undefined)
  const many = (n: number) => [...Array.from({ length: n - 1 }, () => intent()), short]
  assert.deepEqual([rest(...many(18)), rest(...many(19))], [1n, undefined])
})
