/** How a change that waits for an owner is stored: approvals of earlier versions must mean the same. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PhoneId, ProviderId, WalletId } from '../../core/ids.ts'
import { minor } from '../../core/money.ts'
import { changeFrom, type GuardedChange, storedChange } from './perform-change.ts'

const phone = (id: string) => id as PhoneId

test('a new wallet is stored with the names that earlier versions wrote, and read back the same', () => {
  const change: GuardedChange = {
    kind: 'wallet.create',
    wallet: {
      name: 'Shop',
      accountNumber: '770000001',
      providerId: 'p' as ProviderId,
      phoneId: phone('a'),
      simSlot: 'SIM1',
      furtherPhones: [{ phoneId: phone('b'), simSlot: '' }],
      senderName: 'Jaib',
      active: true,
      reviewAbove: null,
      lowTrustLimit: minor(150n),
      reviewBrokenChains: false,
      reviewLaterMessages: true,
    },
  }
  const stored =
    '{"kind":"wallet.create","wallet":{"name":"Shop","accountNumber":"770000001","providerId":"p","deviceId":"a","simSlot":"SIM1",' +
    '"furtherPhones":[{"deviceId":"b","simSlot":""}],"senderName":"Jaib","active":true,"reviewAbove":null,' +
    '"lowTrustLimit":{"minor":"150"},"reviewBrokenChains":false,"reviewLaterMessages":true}}'
  assert.equal(storedChange(change), stored)
  assert.deepEqual(changeFrom(stored), change)
})

test('changes of a wallet are stored without what stays, and a phone that goes is null', () => {
  const changes = { phones: [{ phoneId: phone('a'), simSlot: '' as const }], name: undefined, phoneId: null }
  const stored =
    '{"kind":"wallet.update","id":"w","changes":{"phones":[{"deviceId":"a","simSlot":""}],"deviceId":null}}'
  assert.equal(storedChange({ kind: 'wallet.update', id: 'w' as WalletId, changes }), stored)
  const { name: _, ...read } = changes
  assert.deepEqual(changeFrom(stored), { kind: 'wallet.update', id: 'w', changes: read })
  const unchanged = { kind: 'wallet.update', id: 'w' as WalletId, changes: { phoneId: undefined } } as const
  assert.equal(storedChange(unchanged as unknown as GuardedChange), '{"kind":"wallet.update","id":"w","changes":{}}')
})
