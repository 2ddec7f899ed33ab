import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PhoneId } from '../../core/ids.ts'
import { allPhones, changedPhones, phonesListed, type SimSlot, type WalletPhone } from './wallet-phones.ts'

const phone = (id: string, simSlot: SimSlot = ''): WalletPhone => ({ deviceId: id as PhoneId, simSlot })
const [a, b, c] = [phone('a', 'SIM1'), phone('b', 'SIM2'), phone('c')]
const said = { phones: undefined, deviceId: undefined, simSlot: undefined }

test('when the first phone is removed the next takes its place', () => {
  const before = phonesListed([a, b, c])
  assert.deepEqual(allPhones(changedPhones(before, { ...said, deviceId: null })), [b, c])
  assert.deepEqual(allPhones(changedPhones(phonesListed([a]), { ...said, deviceId: null })), [])
  assert.deepEqual(changedPhones(phonesListed([a]), { ...said, deviceId: null }).simSlot, 'SIM1', 'as before')
})

test('another first phone replaces the first, and is not listed twice', () => {
  const before = phonesListed([a, b, c])
  assert.deepEqual(allPhones(changedPhones(before, { ...said, deviceId: 'd' as PhoneId })), [phone('d', 'SIM1'), b, c])
  assert.deepEqual(allPhones(changedPhones(before, { ...said, deviceId: 'b' as PhoneId })), [phone('b', 'SIM1'), c])
  assert.deepEqual(allPhones(changedPhones(before, { ...said, simSlot: '' })), [phone('a'), b, c])
})

test('a list replaces all phones', () => {
  assert.deepEqual(allPhones(changedPhones(phonesListed([a, b]), { ...said, phones: [c] })), [c])
  assert.deepEqual(changedPhones(phonesListed([a, b]), { ...said, phones: [] }), phonesListed([]))
})
