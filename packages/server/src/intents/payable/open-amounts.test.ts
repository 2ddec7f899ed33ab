import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Minor, minor } from '../../core/money.ts'
import { type OpenAmount, OpenAmounts } from './open-amounts.ts'

const minorOf = (amount: number): Minor => minor(BigInt(amount) * 100n)
/** The amount of an open intent; by default of an order amount that no other intent has. */
const openAmount = (amount: number, base = 100_000_000 + amount): OpenAmount => ({
  base: minorOf(base),
  payable: minorOf(amount),
})
/** With one more open intent the rule applies. These are near no other amount: their remainders modulo 50 are 41 to 44. */
const others = [9_991, 9_992, 9_993, 9_994].map((amount) => openAmount(amount))

test('an amount is near the rest that is left after a round part of it was paid', () => {
  const open = new OpenAmounts([...others, openAmount(1_503)])
  for (const rest of [503, 1_003, 1_453, 553, 203]) assert.ok(open.isNear(openAmount(rest)), `${rest}`)
  for (const other of [504, 1_014, 1_525]) assert.ok(!open.isNear(openAmount(other)), `${other}`)
})

test('amounts of one order amount are not near each other', () => {
  const open = new OpenAmounts([...others, openAmount(1_503, 1_500)])
  assert.ok(!open.isNear(openAmount(1_502, 1_500)))
  assert.ok(!open.isNear(openAmount(1_553, 1_500)))
  assert.ok(open.isNear(openAmount(1_453, 1_450)))
})

test('no amount is near while few intents are open, and no amount is near an intent that has ended', () => {
  const open = new OpenAmounts([openAmount(1_503)])
  assert.ok(!open.isNear(openAmount(503)))
  for (const other of others) open.add(other)
  assert.ok(open.isNear(openAmount(503)))
  open.remove(openAmount(1_503))
  open.add(openAmount(8_888))
  assert.ok(!open.isNear(openAmount(503)))
})

test('property: every rest after a round part is near the amount', () => {
  const amount = fc.integer({ min: 1_000, max: 999_999 })
  fc.assert(
    fc.property(amount, fc.integer({ min: 1, max: 20_000 }), (asked, part) => {
      fc.pre(part * 50 < asked)
      const open = new OpenAmounts([...others, openAmount(asked)])
      assert.ok(open.isNear(openAmount(asked - part * 50, 1)))
    }),
  )
})

test('the fifth open intent makes the rule apply, also after others ended', () => {
  const open = new OpenAmounts(others.slice(1))
  open.add(openAmount(1_503))
  assert.ok(!open.isNear(openAmount(503)))
  open.add(others[0]!)
  assert.ok(open.isNear(openAmount(503)))
  open.remove(others[0]!)
  assert.ok(!open.isNear(openAmount(503)))
  open.add(others[0]!)
  // Two intents with one amount: when one ended, the other still counts.
  open.add(openAmount(1_503))
  open.remove(openAmount(1_503))
  assert.ok(open.isNear(openAmount(503)))
})
