import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ProviderId, WalletId } from '../../core/ids.ts'
import { twinsAmong } from './twins.ts'
import type { WalletEntry } from './wallet-identity.ts'

const entry = (id: string, changes: Partial<WalletEntry> = {}): WalletEntry => ({
  id: id as WalletId,
  identity: id,
  name: id,
  providerId: 'jawali' as ProviderId,
  accountNumber: '770000001',
  senderName: 'Jawali',
  active: true,
  ...changes,
})
const twinIds = (...entries: WalletEntry[]) =>
  twinsAmong(entries).map((group) =>
    group
      .map(({ id }) => id)
      .sort()
      .join(),
  )

test('entries of one provider and number with different identities are twins, in whatever spelling', () => {
  assert.deepEqual(twinIds(entry('a'), entry('b', { accountNumber: '+967 770 000 001' })), ['a,b'])
  assert.deepEqual(twinIds(entry('a'), entry('b', { identity: 'a', active: false })), [])
  assert.deepEqual(twinIds(entry('a'), entry('b', { accountNumber: '770000002' })), [])
  assert.deepEqual(twinIds(entry('a'), entry('b', { providerId: 'jaib' as ProviderId, senderName: 'Jaib' })), [])
})

test('entries with one sender and number under two providers are twins; one entry can join two groups', () => {
  const other = { providerId: 'own' as ProviderId }
  assert.deepEqual(twinIds(entry('a'), entry('b', other)), ['a,b'])
  assert.deepEqual(twinIds(entry('a'), entry('c', { ...other, senderName: 'X' }), entry('b', other)), ['a,b,c'])
})
