import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountId, WalletId } from '../core/ids.ts'
import { minor } from '../core/money.ts'
import { newIntent, statusAt, statuses } from './intent.ts'

const now = Date.parse('2026-01-02T03:04:05.678Z')

test('a pending intent is expired from the end of its window on; no other status changes with the time', () => {
  const at = (status: (typeof statuses)[number], time: number) => statusAt({ status, expiresAt: now }, time)
  assert.equal(at('PENDING', now - 1), 'PENDING')
  assert.equal(at('PENDING', now), 'EXPIRED')
  for (const status of statuses.filter((one) => one !== 'PENDING'))
    for (const time of [now - 1, now, now + 1]) assert.equal(at(status, time), status)
})

test('a new intent is pending, unpaid, not entered by hand, and ends after its window', () => {
  const draft = {
    walletId: 'w' as WalletId,
    total: minor(150_000n),
    currency: 'YER',
    externalOrderId: 'order 1',
    notes: '',
    items: '[]',
  }
  const { status, base, payable, paid, manual, createdAt, expiresAt, verifiedAt, matched, reference } = newIntent(
    'a' as AccountId,
    draft,
    900_000,
    now,
  )
  assert.deepEqual(
    { status, base, payable, paid, manual, createdAt, expiresAt, verifiedAt, matched, reference },
    {
      ...{ status: 'PENDING', base: 150_000n, payable: 150_000n, paid: null, manual: false },
      ...{ createdAt: now, expiresAt: now + 900_000, verifiedAt: null, matched: null, reference: '' },
    },
  )
})
