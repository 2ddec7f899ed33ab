import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountId, PhoneId, ProviderId, WalletId, WalletIdentity } from '../../core/ids.ts'
import { minor } from '../../core/money.ts'
import { noNumberRule, yemeniMobile } from '../providers/number-rule.ts'
import type { PhoneSigns } from '../silence/phone-signs.ts'
import { obstacle } from '../wallet.ts'
import { type AccountWallet, notesOn, type WatchingPhone } from './account-wallet.ts'

const now = 1_000_000_000
/** The signs of life of a phone with our agent, last seen at `lastSeenAt`. */
const signsSeenAt = (lastSeenAt: number | null): PhoneSigns => ({
  paired: true,
  forwards: false,
  pairedAt: 0,
  heartbeatAt: lastSeenAt,
  heartbeat_s: 60,
  lastSeenAt,
  rhythm: null,
})
const good: AccountWallet = {
  id: 'w' as WalletId,
  identity: 'identity' as WalletIdentity,
  accountId: 'a' as AccountId,
  name: 'Shop',
  accountNumber: '77',
  senderName: 'Jawali',
  currency: 'YER',
  simSlot: '',
  active: true,
  isTest: false,
  phoneId: 'd' as PhoneId,
  phoneOn: true,
  readable: true,
  version: 1,
  provider: {
    id: 'p' as ProviderId,
    name: 'jawali',
    displayName: 'Jawali',
    themeColor: '#000000',
    logoUrl: '',
    status: 'ACTIVE',
    version: 1,
  },
  providerNameArabic: 'جوالي',
  phones: [
    { id: 'd' as PhoneId, name: 'Counter', on: true, connected: true, signs: signsSeenAt(now - 1_000), simSlot: '' },
  ],
  reviewAbove: null,
  lowTrustLimit: minor(0n),
  reviewBrokenChains: false,
  reviewLaterMessages: true,
  uniqueAmounts: null,
  uniqueAmountsMost: 99,
  lastAlertAt: null,
  createdAt: 0,
  firstReceivedAt: 0,
  numberRule: noNumberRule,
}
const phones = (...changes: Partial<WatchingPhone>[]) => ({
  phones: changes.map((phone) => ({ ...good.phones[0]!, ...phone })),
  phoneOn: changes.some(({ on = true }) => on),
})
const phone = (changes: Partial<WatchingPhone>) => phones(changes)
const unbound = { phones: [], phoneId: null, phoneOn: false }

test('a wallet without a problem has no notes', () => {
  assert.deepEqual(notesOn(good, now), [])
})

test('each problem has a note; a note blocks exactly when merchants are not offered the wallet', () => {
  const cases: [Partial<AccountWallet>, string][] = [
    [{ active: false }, 'inactive'],
    [{ senderName: '' }, 'no_sender'],
    [{ readable: false }, 'no_template'],
    [unbound, 'no_phone'],
    [phone({ on: false }), 'phone_off'],
    [phone({ connected: false, signs: signsSeenAt(null) }), 'phone_unpaired'],
    [phone({ signs: signsSeenAt(now - 200_000) }), 'phone_silent'],
    [phone({ signs: signsSeenAt(null) }), 'phone_silent'],
    [{ isTest: true, ...unbound }, ''],
    [{ isTest: true, ...phone({ on: false }) }, 'phone_off'],
    [{ isTest: true, active: false }, 'inactive'],
    [phones({}, { on: false }), 'phone_off'],
    [phones({ on: false }, {}), 'phone_off'],
    [phones({ on: false }, { on: false }), 'phone_off,phone_off'],
    [phones({ signs: signsSeenAt(null) }, {}), 'phone_silent'],
    [phones({}, { connected: false }), 'phone_unpaired'],
    [phones({}, {}), ''],
  ]
  for (const [changes, codes] of cases) {
    const wallet = { ...good, ...changes }
    const notes = notesOn(wallet, now)
    assert.equal(notes.map(({ code }) => code).join(), codes)
    assert.equal(
      notes.some(({ blocking }) => blocking),
      obstacle(wallet) !== undefined,
      codes,
    )
  }
})

test('the note on a silent phone says for how long', () => {
  const [note] = notesOn({ ...good, ...phone({ signs: signsSeenAt(now - 200_000) }) }, now)
  assert.deepEqual(note?.facts, { phone: 'Counter', silent_s: '200' })
})

test('a wallet whose number does not keep the rule of its provider is offered, with a warning that names the rule', () => {
  const [note] = notesOn({ ...good, numberRule: yemeniMobile }, now)
  assert.deepEqual([note?.code, note?.blocking], ['account_number', false])
  assert.match(note!.detail, /has 9 digits and begins with 70, 71, 73, 77 or 78/)
  assert.deepEqual(notesOn({ ...good, accountNumber: '+967 770000001', numberRule: yemeniMobile }, now), [])
})
