import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type Minor, minor } from '../../core/money.ts'
import { type OpenAmount, OpenAmounts } from './open-amounts.ts'

const minorOf = (amount: number): Minor => minor(BigInt(amount) * 100n)
/** The amount of an open intent; by default of an order amount that no other intent has. */
const units = (amount: number, base = 100_000_000 + amount): OpenAmount => ({
  base: minorOf(base),
  payable: minorOf(amount),
})
/** Enough open intents for the rule to apply, and near no other amount: their remainders modulo 50 are 41 to 44. */
const others = [9_991, 9_992, 9_993, 9_994].map(units)

test('82: an amount is near the rest that is left after a round part of it was paid', () => {
  const open = new OpenAmounts([...others, units(1_503)])
  for (const rest of [503, 1_003, 1_453, 553, 203]) assert.ok(open.isNear(units(rest)), `${rest}`)
  for (const other of [504, 1_014, 1_525]) assert.ok(!open.isNear(units(other)), `${other}`)
})

test('82: amounts that differ in one digit or in two swapped digits are near each other', () => {
  const open = new OpenAmounts([...others, units(1_527)])
  for (const typo of [1_521, 1_529, 1_587, 1_507, 1_572, 1_257, 1_827, 5_127, 2_527])
    assert.ok(open.isNear(units(typo)), `${typo}`)
  for (const other of [1_531, 1_538, 1_612]) assert.ok(!open.isNear(units(other)), `${other}`)
})

test('82: amounts of one order amount are not near each other', () => {
  const open = new OpenAmounts([...others, units(1_503, 1_500)])
  assert.ok(!open.isNear(units(1_502, 1_500)))
  assert.ok(!open.isNear(units(1_553, 1_500)))
  assert.ok(open.isNear(units(1_502, 1_450)))
})

test('82: no amount is near while few intents are open, and the amount of an ended intent is not near', () => {
  const open = new OpenAmounts([units(1_503)])
  assert.ok(!open.isNear(units(503)))
  for (const other of others) open.add(other)
  assert.ok(open.isNear(units(503)))
  open.remove(units(1_503))
  open.add(units(8_888))
  assert.ok(!open.isNear(units(503)))
})

test('82: property: every typing error of one digit and every rest after a round part is near', () => {
  const amount = fc.integer({ min: 1_000, max: 999_999 })
  fc.assert(
    fc.property(amount, fc.nat(5), fc.nat(9), fc.integer({ min: 1, max: 20_000 }), (sent, place, digit, part) => {
      const open = new OpenAmounts([...others, units(sent)])
      const digits = [...String(sent)]
      digits[place % digits.length] = String(digit)
      assert.ok(open.isNear(units(Number(digits.join('')), 1)))
      const at = place % (String(sent).length - 1)
      const swapped = [...String(sent)]
      ;[swapped[at], swapped[at + 1]] = [swapped[at + 1]!, swapped[at]!]
      assert.ok(open.isNear(units(Number(swapped.join('')), 1)), swapped.join(''))
      if (part * 50 < sent) assert.ok(open.isNear(units(sent - part * 50, 1)))
    }),
  )
})
