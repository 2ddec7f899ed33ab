/** What is over the limit of a role: by example, and for made-up limits and acts. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Minor, minor } from '../../core/money.ts'
import {
  type Allowance,
  allowanceOf,
  isLooser,
  type LimitedAct,
  limitsOver,
  overLimit,
  unlimited,
  usualLimits,
} from './role-limits.ts'

const booking = (amount: bigint, short: bigint, currency = 'YER'): LimitedAct => ({
  kind: 'booking',
  amount: minor(amount),
  short: minor(short),
  currency,
})
const sale = (amount: bigint, short = 0n): LimitedAct => ({ ...booking(amount, short), kind: 'sale' }) as LimitedAct
const cashier = allowanceOf(usualLimits, 'cashier')
const manager = allowanceOf(usualLimits, 'manager')
const owner = allowanceOf(usualLimits, 'owner')

test('usual limits: cashiers and managers book nothing short, owners anything; a cashier takes sales and does not cancel', () => {
  for (const allowed of [cashier, manager]) {
    assert.deepEqual(limitsOver(allowed, booking(10n ** 13n, 0n)), [])
    assert.deepEqual(limitsOver(allowed, booking(100n, 1n)), ['short'])
    assert.deepEqual(limitsOver(allowed, sale(10n ** 13n)), [])
  }
  assert.deepEqual(limitsOver(owner, booking(1n, 10n ** 13n)), [])
  assert.deepEqual(limitsOver(cashier, { kind: 'cancel' }), ['cancel'])
  assert.deepEqual(limitsOver(manager, { kind: 'cancel' }), [])
  assert.deepEqual(limitsOver(owner, { kind: 'cancel' }), [])
})

test('a viewer is over every limit', () => {
  const viewer = allowanceOf(usualLimits, 'viewer')
  assert.deepEqual(limitsOver(viewer, sale(1n, 1n)), ['short', 'booked', 'take_sale'])
  assert.deepEqual(limitsOver(viewer, { kind: 'cancel' }), ['cancel'])
})

test('exactly the limit is within it, one unit more is over', () => {
  const allowed = { ...cashier, short: minor(500n), booked: minor(100_000n) }
  assert.deepEqual(limitsOver(allowed, booking(100_000n, 500n)), [])
  assert.deepEqual(limitsOver(allowed, booking(100_001n, 501n)), ['short', 'booked'])
})

test('a limit allows nothing in another currency, and no limit allows every currency', () => {
  const allowed = { ...cashier, short: minor(500n), booked: minor(100_000n) }
  assert.deepEqual(limitsOver(allowed, booking(1n, 1n, 'USD')), ['short', 'booked'])
  assert.deepEqual(limitsOver({ ...allowed, booked: null }, booking(1n, 0n, 'USD')), [])
  assert.deepEqual(limitsOver(unlimited, booking(1n, 1n, 'USD')), [])
})

test('walk-in money: the limit of one step holds, and the cashier may be refused to take it at all', () => {
  assert.deepEqual(limitsOver({ ...cashier, booked: minor(100n) }, sale(101n)), ['booked'])
  assert.deepEqual(limitsOver({ ...cashier, takesSales: false }, sale(1n)), ['take_sale'])
  assert.deepEqual(limitsOver({ ...cashier, takesSales: false }, booking(1n, 0n)), [])
})

test('the refusal names the limits, what it is about, and how much would be allowed', () => {
  assert.deepEqual(overLimit(cashier, booking(140_000n, 10_000n)), {
    refused: 'over_limit',
    facts: { limits: 'short', amount: '1400.00', short: '100.00', currency: 'YER', most_short: '0.00' },
  })
  assert.deepEqual(overLimit(cashier, { kind: 'cancel' }), { refused: 'over_limit', facts: { limits: 'cancel' } })
  assert.equal(overLimit(owner, booking(1n, 1n)), undefined)
})

test('a limit is looser if any of it allows more, also if another part allows less', () => {
  const at = (change: Partial<Allowance>): Allowance => ({ ...cashier, booked: minor(100n), ...change })
  const before = at({})
  assert.equal(isLooser(before, before), false)
  for (const looser of [
    { short: minor(1n) },
    { short: null },
    { booked: null },
    { booked: minor(101n) },
    { cancels: true },
    { currency: 'USD' },
    { cancels: true, booked: minor(0n) },
  ])
    assert.equal(isLooser(before, at(looser)), true, JSON.stringify(Object.keys(looser)))
  for (const tighter of [{ booked: minor(99n) }, { takesSales: false }])
    assert.equal(isLooser(before, at(tighter)), false)
  assert.equal(isLooser(at({ takesSales: false }), before), true)
  assert.equal(isLooser(at({ seesOtherDays: false }), before), true)
  assert.equal(isLooser(before, at({ seesOtherDays: false })), false)
  assert.equal(isLooser(unlimited, { ...unlimited, currency: 'USD' }), false)
})

/** Made-up numbers that are the same in every run. */
const numbers = (seed: number) => () => {
  seed = (seed * 48_271) % 2_147_483_647
  return seed
}

test('for made-up limits and acts: less is never over if more is not, and a looser limit refuses nothing that a tighter one allows', () => {
  const next = numbers(7)
  const amount = (): Minor => minor(BigInt(next() % 5))
  const most = (): Minor | null => (next() % 4 === 0 ? null : amount())
  const allowance = (): Allowance => ({
    short: most(),
    booked: most(),
    currency: next() % 3 === 0 ? 'USD' : 'YER',
    cancels: next() % 2 === 0,
    takesSales: next() % 2 === 0,
    seesOtherDays: next() % 2 === 0,
  })
  const act = (): LimitedAct =>
    next() % 5 === 0
      ? { kind: 'cancel' }
      : {
          kind: next() % 2 === 0 ? 'booking' : 'sale',
          amount: amount(),
          short: amount(),
          currency: next() % 3 === 0 ? 'USD' : 'YER',
        }
  let compared = 0
  for (let round = 0; round < 20_000; round++) {
    const [before, after, one] = [allowance(), allowance(), act()]
    const over = limitsOver(before, one)
    assert.equal(overLimit(before, one) === undefined, over.length === 0)
    if (!isLooser(before, after) && before.currency === after.currency && over.length > 0) {
      compared++
      assert.ok(limitsOver(after, one).length > 0, 'a limit that is not looser allows nothing more')
    }
    if (one.kind === 'cancel') continue
    const less = { ...one, amount: minor(one.amount / 2n), short: minor(one.short / 2n) }
    if (over.length === 0) assert.deepEqual(limitsOver(before, less), [])
    assert.deepEqual(limitsOver(unlimited, one), [])
  }
  assert.ok(compared > 500)
})
