import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountId } from '../../core/ids.ts'
import type { PartRow } from '../records/alert-row.ts'
import { fewRead, pausingAccounts, readForEach } from './pausing-accounts.ts'

const [busy, other] = ['busy', 'other'] as AccountId[] as [AccountId, AccountId]
const alertsOf = (accountId: AccountId, count: number) => Array.from({ length: count }, () => ({ accountId }))
const known = (read: number) => ({ recentParts: new Map([[busy, Array<PartRow>(read)]]) })

test('an account pauses if its new alerts are compared with many', () => {
  const alerts = [...alertsOf(busy, 2), ...alertsOf(other, 3)]
  assert.deepEqual([...pausingAccounts(alerts, known(fewRead))], [busy])
  assert.deepEqual([...pausingAccounts(alerts, known(fewRead - 1))], [])
})

test('an account does not pause if many new alerts share what was read', () => {
  const full = 500 / readForEach
  assert.deepEqual([...pausingAccounts(alertsOf(busy, full), known(500))], [busy])
  assert.deepEqual([...pausingAccounts(alertsOf(busy, full + 1), known(500))], [])
})
