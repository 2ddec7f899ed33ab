import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { minor } from '../ground/money.ts'
import { checkBalance, type KnownBalance, type Movement, nextBalance } from './balance-chain.ts'

const known: KnownBalance = { balance: minor(100000n), at: 1000 }
const moved = (about: Partial<Movement>): Movement => ({
  direction: 'credit',
  amount: minor(5000n),
  at: 2000,
  ...about,
})

test('old balance and amount make the new one', () => {
  assert.deepEqual(checkBalance(known, moved({ balance: minor(105000n) })), { kind: 'fits' })
  assert.deepEqual(checkBalance(known, moved({ direction: 'debit', balance: minor(95000n) })), { kind: 'fits' })
})

test('a break says what was expected, what is shown and what is missing', () => {
  assert.deepEqual(checkBalance(known, moved({ balance: minor(107000n) })), {
    kind: 'break',
    expected: 105000n,
    shown: 107000n,
    missing: 2000n,
  })
  const link = checkBalance(known, moved({ direction: 'debit', balance: minor(90000n) }))
  assert.deepEqual(link, { kind: 'break', expected: 95000n, shown: 90000n, missing: -5000n })
})

test('with nothing to compare it is unknown, not broken', () => {
  assert.deepEqual(checkBalance(undefined, moved({ balance: minor(1n) })), { kind: 'unknown' })
  assert.deepEqual(checkBalance(known, moved({})), { kind: 'unknown' })
  assert.deepEqual(checkBalance(known, moved({ balance: minor(1n), at: 999 })), { kind: 'unknown' })
})

test('a fee may be part of the amount or come on top', () => {
  const fee = minor(100n)
  for (const balance of [104900n, 105000n])
    assert.deepEqual(checkBalance(known, moved({ fee, balance: minor(balance) })), { kind: 'fits' })
  assert.equal(checkBalance(known, moved({ fee, balance: minor(105100n) })).kind, 'break')
})

test('an alert without a balance still moves what is known; one from before moves nothing', () => {
  assert.deepEqual(nextBalance(known, moved({})), { balance: 105000n, at: 2000 })
  assert.deepEqual(nextBalance(known, moved({ balance: minor(7n) })), { balance: 7n, at: 2000 })
  assert.deepEqual(nextBalance(known, moved({ balance: minor(7n), at: 999 })), known)
  assert.equal(nextBalance(undefined, moved({})), undefined)
})

test('a chain of honest alerts never breaks, and one that is left out breaks by its amount', () => {
  const steps = fc.array(
    fc.record({ credit: fc.boolean(), amount: fc.bigInt({ min: 1n, max: 10n ** 9n }), shows: fc.boolean() }),
    { minLength: 2, maxLength: 20 },
  )
  fc.assert(
    fc.property(steps, fc.nat(), (all, pick) => {
      const lost = pick % (all.length - 1)
      let balance = 10n ** 12n
      let seen: KnownBalance | undefined = { balance: minor(balance), at: 0 }
      let seenButOne: KnownBalance | undefined = seen
      let missing = 0n
      for (const [i, step] of all.entries()) {
        const change = step.credit ? step.amount : -step.amount
        balance += change
        const movement: Movement = {
          direction: step.credit ? 'credit' : 'debit',
          amount: minor(step.amount),
          ...(step.shows && { balance: minor(balance) }),
          at: i,
        }
        assert.equal(checkBalance(seen, movement).kind, step.shows ? 'fits' : 'unknown')
        seen = nextBalance(seen, movement)
        if (i === lost) {
          missing = change
          continue
        }
        const link = checkBalance(seenButOne, movement)
        if (step.shows) assert.equal(link.kind === 'break' ? link.missing : 0n, missing)
        if (step.shows) missing = 0n
        seenButOne = nextBalance(seenButOne, movement)
      }
    }),
  )
})
