import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { day_ms, hour_ms } from '../core/duration.ts'
import type { AccountId, AlertId, CheckoutId, IntentId, WalletId } from '../core/ids.ts'
import { minor } from '../core/money.ts'
import { arrivalOf } from '../intents/arrival.ts'
import { intentEnd } from '../intents/intent.ts'
import {
  type Checkout,
  type CheckoutIntent,
  isForgotten,
  isTestCheckout,
  mayCollectInto,
  mayOpenIntent,
  mostIntents,
  openIntentAt,
  payableRest,
  receiptLife_ms,
  receivedOf,
  remainingOf,
  stateAt,
  storableEnd,
} from './checkout.ts'

const checkout = (changes: Partial<Checkout> = {}): Checkout => ({
  accountId: 'a' as AccountId,
  id: 'c' as CheckoutId,
  status: 'OPEN',
  amount: minor(150_000n),
  currency: 'YER',
  externalOrderId: '',
  description: '',
  items: '[]',
  wallets: [],
  returnUrl: '',
  cancelUrl: '',
  metadata: '{}',
  customerName: '',
  customerPhone: '',
  locale: '',
  allowRemaining: false,
  referencesTried: 0,
  createdBy: 'key',
  createdAt: 0,
  expiresAt: hour_ms,
  endedAt: null,
  linkId: null,
  testOnly: false,
  ...changes,
})

let lastId = 0
const intent = (changes: Partial<CheckoutIntent> = {}): CheckoutIntent => ({
  id: `i${++lastId}` as IntentId,
  walletId: 'w' as WalletId,
  walletName: 'Wallet',
  isTest: false,
  code: 'CODE',
  status: 'PENDING',
  base: minor(150_000n),
  payable: minor(150_000n),
  paid: null,
  arrival: null,
  reference: '',
  alertId: null,
  createdAt: 0,
  expiresAt: hour_ms,
  verifiedAt: null,
  ...changes,
})

const verified = (base: bigint, verifiedAt = 1, arrived = base): CheckoutIntent => {
  const asked = { base: minor(base), payable: minor(base) }
  return intent({ status: 'VERIFIED', ...asked, arrival: arrivalOf(asked, minor(arrived)), verifiedAt })
}
const wrong = (base: bigint, paid: bigint): CheckoutIntent =>
  intent({
    status: 'WRONG_AMOUNT',
    base: minor(base),
    payable: minor(base),
    paid: minor(paid),
    alertId: 'alert' as AlertId,
  })

test('a checkout is open until its time ends, and expired from that instant', () => {
  assert.deepEqual(stateAt(checkout(), [], hour_ms - 1), { status: 'OPEN', endedAt: null })
  assert.deepEqual(stateAt(checkout(), [], hour_ms), { status: 'EXPIRED', endedAt: hour_ms })
})

test('no intent, opened at any time, can be paid when its checkout has ended; none is open for longer than its window', () => {
  const times = fc.record({
    life: fc.integer({ min: 300_000, max: 7 * day_ms }),
    window: fc.integer({ min: 1, max: 2 * hour_ms }),
    opened: fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 1, maxLength: 5 }),
    now: fc.oneof(
      fc.integer({ min: 0, max: 8 * day_ms }),
      fc.constantFrom('before', 'end', 'after', 'intent', 'intent before'),
    ),
  })
  fc.assert(
    fc.property(times, ({ life, window, opened, now: when }) => {
      const order = checkout({ expiresAt: life })
      const openings = opened.map((part) => Math.floor(part * life)).sort((a, b) => a - b)
      const intents = openings.map((at) => intent({ createdAt: at, expiresAt: intentEnd(at, window, order.expiresAt) }))
      for (const { createdAt, expiresAt } of intents) {
        assert.ok(expiresAt > createdAt && expiresAt <= life && expiresAt - createdAt <= window)
        assert.ok(expiresAt === life || expiresAt - createdAt === window)
      }
      const last = intents.at(-1)!.expiresAt
      const edges = { before: life - 1, end: life, after: life + 1, intent: last, 'intent before': last - 1 }
      const now = typeof when === 'number' ? when : edges[when]
      const { status, endedAt } = stateAt(order, intents, now)
      assert.deepEqual([status, endedAt], now < life ? ['OPEN', null] : ['EXPIRED', life])
      assert.equal(mayOpenIntent(order, intents, now), now < life)
      if (openIntentAt(intents, now) !== undefined) assert.ok(now < life)
      assert.equal(storableEnd(order, intents, now), undefined, 'an intent is stored as PENDING')
      const expired = intents.map((one) => ({ ...one, status: 'EXPIRED' as const }))
      const end = now < life ? undefined : { status: 'EXPIRED', endedAt: life }
      assert.deepEqual(storableEnd(order, expired, now), end)
    }),
  )
})

test('an intent without a checkout has its whole window', () => {
  assert.equal(intentEnd(5, hour_ms), 5 + hour_ms)
})

test('91: a booking of less than was asked completes the checkout, and what is shown as received is what arrived', () => {
  const short = [verified(100_000n), verified(50_000n, 2, 20_000n)]
  assert.equal(stateAt(checkout(), short, 3).status, 'COMPLETE')
  assert.deepEqual(receivedOf(short), { arrived: 120_000n, forgiven: 30_000n, excess: 0n })
  assert.equal(remainingOf(checkout(), short), 0n)
  // More than was asked pays nothing of what remains.
  const over = [verified(100_000n, 1, 150_000n)]
  assert.equal(stateAt(checkout(), over, 3).status, 'OPEN')
  assert.deepEqual([receivedOf(over).excess, remainingOf(checkout(), over)], [50_000n, 50_000n])
})

test('91: an accepted amount settles what its intent asked for, less or more', () => {
  const alertId = 'alert' as AlertId
  const accepted = (asked: bigint, arrived: bigint) => [
    { ...wrong(asked, arrived), alertId },
    intent({
      status: 'VERIFIED',
      base: minor(arrived),
      payable: minor(arrived),
      arrival: arrivalOf({ base: minor(asked), payable: minor(asked) }, minor(arrived)),
      alertId,
      verifiedAt: 2,
    }),
  ]
  const short = accepted(150_000n, 140_000n)
  assert.deepEqual([remainingOf(checkout(), short), stateAt(checkout(), short, 3).status], [0n, 'COMPLETE'])
  assert.deepEqual(receivedOf(short), { arrived: 140_000n, forgiven: 10_000n, excess: 0n })
  assert.equal(remainingOf(checkout(), accepted(150_000n, 200_000n)), 0n)
  assert.equal(remainingOf(checkout(), accepted(150_000n, 149_999n)), 0n)
  assert.equal(
    remainingOf(checkout(), [{ ...wrong(90_000n, 1n), alertId: 'other' as AlertId }, ...accepted(150_000n, 140_000n)]),
    0n,
  )
  // What the buyer paid before the rest settles itself only.
  const [ended] = accepted(150_000n, 140_000n)
  assert.equal(remainingOf(checkout(), [ended!, { ...verified(140_000n), alertId }]), 10_000n)
  // A part of the order: an excess does not pay the other part.
  assert.equal(remainingOf(checkout(), accepted(100_000n, 100_001n)), 50_000n)
  assert.equal(remainingOf(checkout(), accepted(100_000n, 150_000n)), 50_000n)
  assert.equal(remainingOf(checkout(), [verified(50_000n), ...accepted(100_000n, 1_000n)]), 0n)
})

test('a stored end is final', () => {
  const ended = checkout({ status: 'CANCELLED', endedAt: 5 })
  assert.deepEqual(stateAt(ended, [verified(150_000n)], 10), { status: 'CANCELLED', endedAt: 5 })
  assert.equal(storableEnd(ended, [verified(150_000n)], 10), undefined)
})

test('expiry is not stored while an intent is stored as PENDING, because it can still be verified', () => {
  const ended = intent({ expiresAt: hour_ms })
  assert.equal(stateAt(checkout(), [ended], hour_ms).status, 'EXPIRED')
  assert.equal(storableEnd(checkout(), [ended], hour_ms), undefined)
  assert.deepEqual(storableEnd(checkout(), [{ ...ended, status: 'EXPIRED' }], hour_ms), {
    status: 'EXPIRED',
    endedAt: hour_ms,
  })
  assert.deepEqual(storableEnd(checkout(), [verified(150_000n, 7)], 8), { status: 'COMPLETE', endedAt: 7 })
  assert.equal(storableEnd(checkout(), [], 8), undefined)
})

test('only verified intents are paid: a wrong amount alone is not counted', () => {
  const intents = [wrong(150_000n, 140_000n), verified(140_000n)]
  assert.equal(receivedOf(intents).arrived, 140_000n)
  assert.equal(remainingOf(checkout(), intents), 10_000n)
  assert.equal(stateAt(checkout(), intents, 10).status, 'OPEN')
  assert.equal(stateAt(checkout(), [...intents, verified(10_000n)], 10).status, 'COMPLETE')
})

test('the rest can be paid only if the merchant allows it, and only after a payment that was too small', () => {
  const short = [wrong(150_000n, 140_000n)]
  assert.equal(payableRest(checkout(), short, 10), undefined)
  const allowed = checkout({ allowRemaining: true })
  assert.equal(payableRest(allowed, short, 10)?.rest, 10_000n)
  assert.equal(payableRest(allowed, short, hour_ms), undefined)
  assert.equal(payableRest(allowed, [wrong(150_000n, 160_000n)], 10), undefined)
  assert.equal(payableRest(allowed, [intent()], 10), undefined)
})

test('of a unique amount, who paid the order’s own amount has the addition left to pay', () => {
  const rest = (base: bigint, payable: bigint, paid: bigint) => {
    const intents = [{ ...wrong(base, paid), payable: minor(payable) }]
    const found = payableRest(checkout({ allowRemaining: true }), intents, 10)
    return found && [found.rest, found.counted, found.arrived]
  }
  assert.deepEqual(rest(150_000n, 150_100n, 150_000n), [100n, 149_900n, 150_000n])
  assert.deepEqual(rest(150_000n, 150_100n, 150_099n), [1n, 149_999n, 150_099n])
  assert.deepEqual(rest(150_000n, 150_100n, 149_999n), [1n, 149_999n, 149_999n])
  // An addition as large as the order is no rest of it.
  assert.equal(rest(100n, 250n, 150n), undefined)
  assert.deepEqual(rest(100n, 249n, 150n), [99n, 1n, 150n])
})

test('the parts add up to exactly the amount, whatever amounts arrive', () => {
  fc.assert(
    fc.property(
      fc.bigInt(2n, 10n ** 12n),
      fc.array(fc.bigInt(1n, 10n ** 12n), { maxLength: 6 }),
      (amount, payments) => {
        const order = checkout({ amount: minor(amount), allowRemaining: true })
        let intents: CheckoutIntent[] = []
        for (const arrived of payments) {
          const remaining = remainingOf(order, intents)
          if (arrived >= remaining) break
          const short = payableRest(order, [...intents, wrong(remaining, arrived)], 10)
          assert.equal(short?.rest, remaining - arrived)
          intents = [...intents, wrong(remaining, arrived), verified(arrived)]
        }
        intents = [...intents, verified(remainingOf(order, intents))]
        assert.equal(receivedOf(intents).arrived, amount)
        assert.equal(stateAt(order, intents, 10).status, 'COMPLETE')
      },
    ),
  )
})

test('the open intent is the one whose window is open', () => {
  const ended = intent({ expiresAt: 5 })
  const open = intent()
  assert.equal(openIntentAt([ended, open], 6)?.id, open.id)
  assert.equal(openIntentAt([ended], 6), undefined)
})

test('a checkout creates a bounded number of intents', () => {
  const many = Array.from({ length: mostIntents }, () => intent({ status: 'EXPIRED', expiresAt: 1 }))
  assert.equal(mayOpenIntent(checkout(), many.slice(1), 10), true)
  assert.equal(mayOpenIntent(checkout(), many, 10), false)
})

test('a checkout may use the wallets that it lists, or all but the test wallet if it lists none', () => {
  const realWallet = { id: 'w' as WalletId, isTest: false }
  const testWallet = { id: 't' as WalletId, isTest: true }
  assert.equal(mayCollectInto(checkout(), realWallet), true)
  assert.equal(mayCollectInto(checkout(), testWallet), false)
  assert.equal(mayCollectInto(checkout({ wallets: [testWallet.id] }), testWallet), true)
  assert.equal(mayCollectInto(checkout({ wallets: [testWallet.id] }), realWallet), false)
})

test('a checkout is test money if it was or will be paid into the test wallet, also in part', () => {
  const onTest = (status: CheckoutIntent['status']) => intent({ status, isTest: true })
  assert.equal(isTestCheckout(checkout(), []), false)
  assert.equal(isTestCheckout(checkout({ testOnly: true }), []), true)
  assert.equal(isTestCheckout(checkout(), [onTest('PENDING')]), true)
  assert.equal(isTestCheckout(checkout(), [onTest('EXPIRED')]), true)
  assert.equal(isTestCheckout(checkout(), [onTest('CANCELLED'), intent()]), false, 'another wallet was chosen')
  assert.equal(isTestCheckout(checkout(), [onTest('VERIFIED'), verified(10n)]), true, 'a part is test money')
  assert.equal(isTestCheckout(checkout(), [verified(150_000n)]), false)
})

test('a receipt is shown for ninety days', () => {
  assert.equal(isForgotten({ status: 'COMPLETE', endedAt: 0 }, receiptLife_ms - 1), false)
  assert.equal(isForgotten({ status: 'COMPLETE', endedAt: 0 }, receiptLife_ms), true)
  assert.equal(isForgotten({ status: 'OPEN', endedAt: null }, receiptLife_ms * 2), false)
})
