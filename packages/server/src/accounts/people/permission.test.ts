/**
 * The permission table, cell by cell, against a second copy written by hand: every change of a permission must be made
 * twice.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionsOf, mayDo, permissions, roles } from './permission.ts'

// Columns: owner, manager, cashier, viewer. x: allowed.
const table = `
  overview.read      x x x x
  intents.read       x x x x
  intents.write      x x x -
  intents.move_reference x x - -
  checkouts.read     x x x x
  checkouts.write    x x x -
  sales.write        x x x -
  shifts.read        x x x x
  all_shifts.read    x x - x
  shifts.write       x x x -
  all_shifts.end     x x - -
  unmatched.read     x x x x
  unmatched.write    x x x -
  vouchers.write     x x x -
  wallets.read       x x x x
  wallets.write      x x - -
  wallets.amounts    x - - -
  alerts.read        x x - x
  phones.read        x x - x
  phones.write       x x - -
  phones.secrets     x - - -
  templates.read     x x - x
  templates.write    x x - -
  webhooks.read      x x - x
  webhooks.write     x x - -
  webhooks.secrets   x - - -
  keys.read          x - - -
  keys.write         x - - -
  day_close.read     x x - x
  approvals.read     x x - -
  requests.read      x x x -
  requests.ask       x x x -
  requests.decide    x x - -
  limits.write       x - - -
  retention.write    x - - -
  approvals.ask      x x - -
  approvals.decide   x - - -
  account.read       x x x x
  account.write      x x - -
  notifications.own  x x x x
  members.read       x - - -
  members.write      x - - -
  audit.read         x x - x`

const rows = table
  .trim()
  .split('\n')
  .map((line) => line.trim().split(/\s+/))

test('both copies have the same actions and roles', () => {
  assert.deepEqual([...roles], ['owner', 'manager', 'cashier', 'viewer'])
  assert.deepEqual(rows.map(([action]) => action).sort(), Object.keys(permissions).sort())
  for (const row of rows) assert.equal(row.length, 1 + roles.length, row.join(' '))
})

for (const [action = '', ...cells] of rows) {
  for (const [column, role] of roles.entries()) {
    const may = cells[column] === 'x'
    test(`${role} ${may ? 'may' : 'may not'}: ${action}`, () => {
      assert.equal(mayDo(role, action as keyof typeof permissions), may)
      assert.equal(actionsOf({ role, wallets: null }).includes(action as keyof typeof permissions), may)
    })
  }
}

test('only an owner may change members, keys and secrets; a viewer may change nothing', () => {
  for (const action of Object.keys(permissions) as (keyof typeof permissions)[]) {
    if (/^(members|keys|notices)\.|\.secrets$/.test(action))
      assert.deepEqual([...permissions[action]], ['owner'], action)
    // Notifications concern the member's own devices.
    if (!action.endsWith('.read') && action !== 'notifications.own')
      assert.equal(mayDo('viewer', action), false, action)
    assert.equal(mayDo('owner', action), true, action)
  }
})
