import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DeviceId } from '../../core/ids.ts'
import { allPhones, changedPhones, phonesListed, type SimSlot, type WalletPhone } from './wallet-phones.ts'

const phone = (id: string, simSlot: SimSlot = ''): WalletPhone => ({ deviceId: id as DeviceId, simSlot })
const [a, b, c] = [phone('a', 'SIM1'), phone('b', 'SIM2'), phone('c')]
const said = { phones: undefined, deviceId: undefined, simSlot: undefined }

test('the first phone that goes makes room for the next', () => {
  const before = phonesListed([a, b, c])
  assert.deepEqual(allPhones(changedPhones(before, { ...said, deviceId: null })), [b, c])
  assert.deepEqual(allPhones(changedPhones(phonesListed([a]), { ...said, deviceId: null })), [])
  assert.deepEqual(changedPhones(phonesListed([a]), { ...said, deviceId: null }).simSlot, 'SIM1', 'as before')
})

test('another first phone takes the place of the first, and stands nowhere twice', () => {
  const before = phonesListed([a, b, c])
  assert.deepEqual(allPhones(changedPhones(before, { ...said, deviceId: 'd' as DeviceId })), [phone('d', 'SIM1'), b, c])
  assert.deepEqual(allPhones(changedPhones(before, { ...said, deviceId: 'b' as DeviceId })), [phone('b', 'SIM1'), c])
  assert.deepEqual(allPhones(changedPhones(before, { ...said, simSlot: '' })), [phone('a'), b, c])
})

test('a list is the whole of it', () => {
  assert.deepEqual(allPhones(changedPhones(phonesListed([a, b]), { ...said, phones: [c] })), [c])
  assert.deepEqual(changedPhones(phonesListed([a, b]), { ...said, phones: [] }), phonesListed([]))
})
