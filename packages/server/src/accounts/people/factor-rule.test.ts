/** Who must have a second factor, and from when on. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { day_ms } from '../../core/duration.ts'
import { type FactorUser, factorDeadline, factorLack, isLooser } from './factor-rule.ts'

test('the grace begins at the later of the rule and joining', () => {
  assert.equal(factorDeadline({ since: null, graceDays: 7, joinedAt: 5 }), null)
  assert.equal(factorDeadline({ since: 1000, graceDays: 7, joinedAt: 5 }), 1000 + 7 * day_ms)
  assert.equal(factorDeadline({ since: 1000, graceDays: 1, joinedAt: 3000 }), 3000 + day_ms)
})

const user = (more: Partial<FactorUser> = {}): FactorUser => ({
  operator: false,
  hasFactor: false,
  member: { factorDeadline: 1000 },
  ...more,
})

test('a member without a factor is refused from the deadline on, exactly; one with a factor never', () => {
  assert.equal(factorLack(user(), 'wallets.read', true, 999), undefined)
  assert.equal(factorLack(user(), 'wallets.read', true, 1000), 'account')
  assert.equal(factorLack(user(), 'self', true, 1000), 'account')
  assert.equal(factorLack(user(), 'operator', true, 1000), 'account')
  assert.equal(factorLack(user({ hasFactor: true }), 'wallets.read', true, 1000), undefined)
  assert.equal(factorLack(user({ member: { factorDeadline: null } }), 'wallets.read', true, 1000), undefined)
})

test('an operator without a factor is refused the calls of operators in production, and keeps the work of a member', () => {
  const operator = user({ operator: true, member: { factorDeadline: null } })
  assert.equal(factorLack(operator, 'operator', true, 0), 'operator')
  assert.equal(factorLack(operator, 'operator', false, 0), undefined)
  assert.equal(factorLack(operator, 'wallets.read', true, 0), undefined)
  assert.equal(factorLack(operator, 'self', true, 0), undefined)
  assert.equal(factorLack({ ...operator, hasFactor: true }, 'operator', true, 0), undefined)
  // Without an account there is no other work.
  assert.equal(factorLack({ ...operator, member: null }, 'self', true, 0), 'operator')
  assert.equal(factorLack({ ...operator, member: null }, 'self', false, 0), undefined)
  // The rule of the account that they act for holds for every call.
  assert.equal(factorLack({ ...operator, member: { factorDeadline: 0 } }, 'operator', false, 0), 'account')
})

test('switching off and more days are looser; switching on, fewer days and the same are not', () => {
  assert.equal(isLooser({ since: 1, graceDays: 7 }, { since: null, graceDays: 7 }), true)
  assert.equal(isLooser({ since: 1, graceDays: 7 }, { since: 1, graceDays: 8 }), true)
  assert.equal(isLooser({ since: 1, graceDays: 7 }, { since: 1, graceDays: 7 }), false)
  assert.equal(isLooser({ since: 1, graceDays: 7 }, { since: 1, graceDays: 1 }), false)
  assert.equal(isLooser({ since: null, graceDays: 7 }, { since: 1, graceDays: 30 }), false)
  assert.equal(isLooser({ since: null, graceDays: 7 }, { since: null, graceDays: 30 }), false)
})
