import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PhoneId } from '../core/ids.ts'
import { allPhones, changedPhones, type SimSlot, type WalletPhone, walletPhonesFrom } from './wallet-phones.ts'

const phone = (id: string, simSlot: SimSlot = ''): WalletPhone => ({ phoneId: id as PhoneId, simSlot })
const [a, b, c] = [phone('a', 'SIM1'), phone('b', 'SIM2'), phone('c')]
const noChanges = { phones: undefined, phoneId: undefined, simSlot: undefined }

test('when the first phone is removed the next takes its place', () => {
  const before = walletPhonesFrom([a, b, c])
  assert.deepEqual(allPhones(changedPhones(before, { ...noChanges, phoneId: null })), [b, c])
  assert.deepEqual(allPhones(changedPhones(walletPhonesFrom([a]), { ...noChanges, phoneId: null })), [])
  assert.deepEqual(changedPhones(walletPhonesFrom([a]), { ...noChanges, phoneId: null }).simSlot, 'SIM1', 'as before')
})

test('another first phone replaces the first, and is not listed twice', () => {
  const before = walletPhonesFrom([a, b, c])
  assert.deepEqual(allPhones(changedPhones(before, { ...noChanges, phoneId: 'd' as PhoneId })), [
    phone('d', 'SIM1'),
    b,
    c,
  ])
  assert.deepEqual(allPhones(changedPhones(before, { ...noChanges, phoneId: 'b' as PhoneId })), [phone('b', 'SIM1'), c])
  assert.deepEqual(allPhones(changedPhones(before, { ...noChanges, simSlot: '' })), [phone('a'), b, c])
})

test('a list replaces all phones', () => {
  assert.deepEqual(allPhones(changedPhones(walletPhonesFrom([a, b]), { ...noChanges, phones: [c] })), [c])
  assert.deepEqual(changedPhones(walletPhonesFrom([a, b]), { ...noChanges, phones: [] }), walletPhonesFrom([]))
})
