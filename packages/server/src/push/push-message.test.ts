import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minor } from '../core/money.ts'
import { composeMessage, type PendingSum, pendingOfMessage } from './push-message.ts'

test('what a message said can wait again: it says the same once more', () => {
  const pending: PendingSum[] = [
    { kind: 'money', currency: 'YER', count: 3, amount: minor(450_000n) },
    { kind: 'money', currency: 'SAR', count: 2, amount: minor(5n) },
    { kind: 'unmatched', currency: 'YER', count: 1, amount: minor(150_000n) },
    { kind: 'phone_silent', currency: '', count: 2, amount: minor(0n) },
  ]
  const message = composeMessage(pending)
  const again = pendingOfMessage(message)
  assert.deepEqual(composeMessage(again).groups, message.groups)
  assert.ok(again.every(({ count }) => count > 0))
})
