import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { minor } from '../core/money.ts'
import { arrivalOf, askedFor, readArrival, storedOf, sumArrivals } from './arrival.ts'

const of = (base: bigint, payable: bigint, arrived: bigint) => {
  const { forgiven, excess } = arrivalOf({ base: minor(base), payable: minor(payable) }, minor(arrived))
  return [forgiven, excess]
}

test('91: what was asked and did not arrive is forgiven; what arrived beyond it is in excess', () => {
  assert.deepEqual(of(420_000n, 420_000n, 420_000n), [0n, 0n])
  assert.deepEqual(of(420_000n, 420_000n, 20_000n), [400_000n, 0n])
  assert.deepEqual(of(420_000n, 420_000n, 419_999n), [1n, 0n])
  assert.deepEqual(of(420_000n, 420_000n, 420_001n), [0n, 1n])
  assert.deepEqual(of(420_000n, 420_000n, 500_000n), [0n, 80_000n])
})

test('91: the addition of a unique amount is neither forgiven nor in excess, upwards and downwards', () => {
  assert.deepEqual(of(150_000n, 150_100n, 150_100n), [0n, 0n])
  assert.deepEqual(of(150_000n, 150_100n, 150_000n), [0n, 0n])
  assert.deepEqual(of(150_000n, 150_100n, 149_999n), [1n, 0n])
  assert.deepEqual(of(150_000n, 150_100n, 150_101n), [0n, 1n])
  assert.deepEqual(of(150_000n, 149_900n, 149_900n), [0n, 0n])
  assert.deepEqual(of(150_000n, 149_900n, 150_000n), [0n, 0n])
  assert.deepEqual(of(150_000n, 149_900n, 20_000n), [129_900n, 0n])
  assert.deepEqual(of(150_000n, 149_900n, 150_050n), [0n, 50n])
})

const amount = fc.bigInt({ min: 1n, max: 99_999_999_999_999n }).map(minor)
const asked = fc
  .record({ base: amount, addition: fc.bigInt({ min: -9_900n, max: 9_900n }) })
  .map(({ base, addition }) => ({ base, payable: minor(base + addition < 1n ? base : base + addition) }))
/** Amounts at random, and amounts at and beside the limits. */
const arrivedFor = (ask: { base: bigint; payable: bigint }) =>
  fc.oneof(
    amount,
    fc
      .constantFrom(ask.base, ask.payable)
      .chain((near) => fc.constantFrom(-1n, 0n, 1n).map((step) => minor(near + step < 1n ? 1n : near + step))),
  )
const cases = asked.chain((ask) => fc.record({ ask: fc.constant(ask), arrived: arrivedFor(ask) }))

test('property: arrived, forgiven and excess add up to what was asked, and only one of the two is above zero', () => {
  fc.assert(
    fc.property(cases, ({ ask, arrived }) => {
      const arrival = arrivalOf(ask, arrived)
      const { forgiven, excess } = arrival
      const [least, most] = ask.base < ask.payable ? [ask.base, ask.payable] : [ask.payable, ask.base]
      assert.equal(arrival.arrived, arrived)
      assert.ok(forgiven >= 0n && excess >= 0n && (forgiven === 0n || excess === 0n))
      assert.equal(forgiven > 0n, arrived < least)
      assert.equal(excess > 0n, arrived > most)
      assert.ok(askedFor(arrival) >= least && askedFor(arrival) <= most)
      // More money never forgives more.
      const more = arrivalOf(ask, minor(arrived + 1n))
      assert.ok(more.forgiven <= forgiven && more.excess >= excess)
      // The order in which the two amounts are named makes no difference.
      assert.deepEqual(arrivalOf({ base: ask.payable, payable: ask.base }, arrived), arrival)
    }),
    { numRuns: 2_000 },
  )
})

test('property: an arrival is read as it was stored, and only of an intent that is VERIFIED', () => {
  fc.assert(
    fc.property(cases, asked, ({ ask, arrived }, own) => {
      const arrival = arrivalOf(ask, arrived)
      // An accepted amount is stored with an intent of its own, whose payable amount is what arrived.
      for (const payable of [ask.payable, own.payable, arrived]) {
        const stored = storedOf(arrival, payable)
        assert.ok(new Set(Object.values(stored).map((value) => value === null)).size === 1)
        if (stored.arrived === null) assert.ok(arrived === payable && arrival.forgiven === 0n && arrival.excess === 0n)
        assert.deepEqual(readArrival({ ...stored, status: 'VERIFIED', payable }), arrival)
        for (const status of ['PENDING', 'WRONG_AMOUNT', 'EXPIRED', 'CANCELLED'])
          assert.equal(readArrival({ ...stored, status, payable }), null)
      }
    }),
  )
})

test('property: a sum counts each arrival once and leaves out intents that are not VERIFIED', () => {
  const arrivals = fc.array(fc.option(cases.map(({ ask, arrived }) => arrivalOf(ask, arrived))))
  fc.assert(
    fc.property(arrivals, (list) => {
      const all = sumArrivals(list)
      for (const field of ['arrived', 'forgiven', 'excess'] as const)
        assert.equal(
          all[field],
          list.reduce((total, one) => total + (one?.[field] ?? 0n), 0n),
        )
    }),
  )
  assert.deepEqual(storedOf(null, minor(1n)), { arrived: null, forgiven: null, excess: null })
})
