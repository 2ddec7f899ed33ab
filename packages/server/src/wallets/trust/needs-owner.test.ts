/** What of a change needs an owner: each setting in both directions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PhoneId, ProviderId } from '../../core/ids.ts'
import { minor } from '../../core/money.ts'
import type { WalletSettings } from '../wallet.ts'
import {
  hearsMore,
  type Limits,
  needsOwner,
  newWalletNeedsOwner,
  type ProviderApps,
  type ProviderTrust,
  providerNeedsOwner,
  strictest,
  type Trust,
  templateNeedsOwner,
  usualLimits,
  walletNeedsOwner,
} from './needs-owner.ts'

const trust = (fields: Partial<Trust> = {}): Trust => ({
  senders: ['Jawali'],
  apps: ['com.jawali'],
  lowTrustLimit: minor(100n),
  reviewAbove: minor(1000n),
  reviewBrokenChains: true,
  reviewLaterMessages: true,
  ...fields,
})
const reasons = (before: Partial<Trust>, after: Partial<Trust>): string[] => needsOwner(trust(before), trust(after))

test('a sender or an app that did not count before needs an owner; one less does not', () => {
  assert.deepEqual(reasons({}, {}), [])
  assert.deepEqual(reasons({}, { senders: ['Jawali', '777'] }), ['sender'])
  assert.deepEqual(reasons({}, { senders: ['777'] }), ['sender'])
  assert.deepEqual(reasons({}, { senders: ['jawali'] }), ['sender'], 'to the letter')
  assert.deepEqual(reasons({}, { senders: ['Jawali\u200b'] }), ['sender'])
  assert.deepEqual(reasons({}, { senders: [] }), [])
  assert.deepEqual(reasons({ senders: [] }, { senders: ['Jawali'] }), ['sender'])
  assert.deepEqual(reasons({ senders: ['Jawali', '777'] }, { senders: ['777'] }), [])
  assert.deepEqual(reasons({}, { apps: ['com.jawali', 'com.other'] }), ['app'])
  assert.deepEqual(reasons({}, { apps: [] }), [])
})

test('a limit needs an owner in the direction that lets more through', () => {
  assert.deepEqual(reasons({}, { lowTrustLimit: minor(101n) }), ['low_trust_limit'])
  assert.deepEqual(reasons({}, { lowTrustLimit: minor(99n) }), [])
  assert.deepEqual(reasons({}, { reviewAbove: minor(1001n) }), ['review_above'])
  assert.deepEqual(reasons({}, { reviewAbove: null }), ['review_above'])
  assert.deepEqual(reasons({}, { reviewAbove: minor(999n) }), [])
  assert.deepEqual(reasons({ reviewAbove: null }, { reviewAbove: minor(5n) }), [])
  assert.deepEqual(reasons({ reviewAbove: null }, { reviewAbove: null }), [])
  assert.deepEqual(reasons({}, { reviewBrokenChains: false }), ['review_broken_chains'])
  assert.deepEqual(reasons({ reviewBrokenChains: false }, { reviewBrokenChains: true }), [])
  assert.deepEqual(reasons({}, { reviewLaterMessages: false }), ['review_later_messages'])
  assert.deepEqual(reasons({ reviewLaterMessages: false }, { reviewLaterMessages: true }), [])
  assert.deepEqual(reasons({ reviewBrokenChains: false }, { reviewBrokenChains: false }), [])
  assert.deepEqual(
    reasons(
      {},
      { senders: ['x'], apps: ['y'], lowTrustLimit: minor(200n), reviewAbove: null, reviewBrokenChains: false },
    ),
    ['sender', 'app', 'low_trust_limit', 'review_above', 'review_broken_chains'],
  )
})

const [one, two] = ['one', 'two'] as unknown as [ProviderId, ProviderId]
const wallet = (fields: Partial<WalletSettings> = {}): WalletSettings => ({
  name: 'Main',
  accountNumber: '1',
  providerId: one,
  phoneId: null,
  simSlot: '',
  furtherPhones: [],
  senderName: 'Jawali',
  active: true,
  reviewAbove: null,
  lowTrustLimit: minor(0n),
  reviewBrokenChains: true,
  reviewLaterMessages: true,
  ...fields,
})

/** A provider whose apps are confirmed, unless others are given. */
const provider = (senders: string[], apps: Partial<ProviderApps> = {}): ProviderTrust => ({
  senders,
  apps: { all: apps.confirmed ?? [], confirmed: [], operators: [], ...apps },
})

test('a wallet keeps its sender, and may have any that its provider has', () => {
  const change = (after: Partial<WalletSettings>, senders: string[] = [], before: Partial<WalletSettings> = {}) =>
    walletNeedsOwner(wallet(before), wallet(after), provider(senders), [])
  assert.deepEqual(change({ name: 'Other', simSlot: 'SIM2' }), [])
  assert.deepEqual(change({ senderName: 'JawaliMB' }, ['Jawali', 'JawaliMB']), [])
  assert.deepEqual(change({ senderName: '777' }, ['Jawali']), ['sender'])
  assert.deepEqual(change({ senderName: '' }), [])
  assert.deepEqual(change({}, ['Jawali'], { senderName: '' }), [])
  assert.deepEqual(change({}, [], { senderName: '' }), ['sender'])
})

test('another provider, and a wallet that opens again, count as a new sender', () => {
  assert.deepEqual(walletNeedsOwner(wallet(), wallet({ providerId: two }), provider(['Other']), []), ['sender'])
  assert.deepEqual(walletNeedsOwner(wallet(), wallet({ providerId: two }), provider(['Jawali']), []), [])
  assert.deepEqual(
    walletNeedsOwner(wallet(), wallet({ active: false, senderName: '777' }), provider([]), []),
    [],
    'closed',
  )
  assert.deepEqual(
    walletNeedsOwner(wallet({ active: false, senderName: '777' }), wallet({ senderName: '777' }), provider([]), []),
    ['sender'],
  )
  assert.deepEqual(walletNeedsOwner(wallet({ active: false }), wallet(), provider(['Jawali']), []), [])
})

test('a new wallet is compared with one without limits, or with the closed one that it continues', () => {
  assert.deepEqual(newWalletNeedsOwner(wallet(), provider(['Jawali'])), [])
  assert.deepEqual(newWalletNeedsOwner(wallet(), provider([])), ['sender'])
  assert.deepEqual(newWalletNeedsOwner(wallet({ senderName: '' }), provider([])), [])
  assert.deepEqual(newWalletNeedsOwner(wallet({ active: false }), provider([])), [])
  assert.deepEqual(
    newWalletNeedsOwner(wallet({ lowTrustLimit: minor(1n), reviewBrokenChains: false }), provider(['Jawali'])),
    ['low_trust_limit', 'review_broken_chains'],
  )
  assert.deepEqual(newWalletNeedsOwner(wallet({ reviewLaterMessages: false }), provider(['Jawali'])), [
    'review_later_messages',
  ])
  const strict = {
    lowTrustLimit: minor(0n),
    reviewAbove: minor(500n),
    reviewBrokenChains: true,
    reviewLaterMessages: true,
  }
  assert.deepEqual(newWalletNeedsOwner(wallet(), provider(['Jawali']), strict), ['review_above'])
  assert.deepEqual(newWalletNeedsOwner(wallet({ reviewAbove: minor(500n) }), provider(['Jawali']), strict), [])
})

test('apps of a provider need an owner as soon as it has a sender or a wallet', () => {
  const [before, after] = [{ packages: ['com.a'] }, { packages: ['com.a', 'com.b'] }]
  assert.deepEqual(providerNeedsOwner(before, after, true), ['app'])
  assert.deepEqual(providerNeedsOwner(before, after, false), [])
  assert.deepEqual(providerNeedsOwner(after, before, true), [])
})

test('a template needs an owner if its provider does not have one of its senders', () => {
  assert.deepEqual(templateNeedsOwner(['Jawali'], provider(['Jawali', 'x'])), [])
  assert.deepEqual(templateNeedsOwner(['Jawali', '777'], provider(['Jawali'])), ['sender'])
  assert.deepEqual(templateNeedsOwner([], provider([])), [])
})

test('apps that no owner has confirmed need one: of a new wallet, of one that opens, of a first template', () => {
  const unconfirmed = provider(['Jawali'], { all: ['com.a'] })
  const confirmed = provider(['Jawali'], { confirmed: ['com.a'] })
  assert.deepEqual(newWalletNeedsOwner(wallet(), unconfirmed), ['app'])
  assert.deepEqual(newWalletNeedsOwner(wallet({ active: false }), unconfirmed), [])
  assert.deepEqual(newWalletNeedsOwner(wallet(), confirmed), [])
  assert.deepEqual(walletNeedsOwner(wallet({ active: false }), wallet(), unconfirmed, []), ['app'])
  assert.deepEqual(walletNeedsOwner(wallet({ active: false }), wallet(), confirmed, []), [])
  assert.deepEqual(templateNeedsOwner(['Jawali'], unconfirmed), ['app'])
  assert.deepEqual(templateNeedsOwner(['Jawali'], confirmed), [])
  assert.deepEqual(templateNeedsOwner([], unconfirmed), [], 'without a sender the provider does not come into use')
})

test('an open wallet that moves keeps the apps that counted for it, and may have those of the operator', () => {
  const moves = (apps: Partial<ProviderApps>, earlier: string[], before: Partial<WalletSettings> = {}) =>
    walletNeedsOwner(wallet(before), wallet({ providerId: two }), provider(['Jawali'], apps), earlier)
  assert.deepEqual(moves({ confirmed: ['com.a'] }, []), ['app'], 'confirmed for the provider, not for this wallet')
  assert.deepEqual(moves({ confirmed: ['com.a'] }, ['com.a', 'com.b']), [])
  assert.deepEqual(moves({ confirmed: ['com.a'], operators: ['com.a'] }, []), [])
  assert.deepEqual(moves({ confirmed: ['com.a'] }, [], { active: false }), [])
  assert.deepEqual(walletNeedsOwner(wallet(), wallet(), provider(['Jawali'], { confirmed: ['com.a'] }), ['com.a']), [])
})

test('the strictest of two limits: each setting by itself', () => {
  const limits = (fields: Partial<Limits> = {}): Limits => ({
    lowTrustLimit: minor(10n),
    reviewAbove: null,
    reviewBrokenChains: false,
    reviewLaterMessages: false,
    ...fields,
  })
  const both = (one: Partial<Limits>, other: Partial<Limits>): Limits => {
    const result = strictest(limits(one), limits(other))
    assert.deepEqual(strictest(limits(other), limits(one)), result, 'in either order')
    return result
  }
  assert.deepEqual(strictest(limits(), undefined), limits())
  assert.deepEqual(both({}, {}), limits())
  assert.equal(both({ lowTrustLimit: minor(9n) }, {}).lowTrustLimit, 9n)
  assert.equal(both({ reviewAbove: minor(7n) }, {}).reviewAbove, 7n)
  assert.equal(both({ reviewAbove: minor(7n) }, { reviewAbove: minor(8n) }).reviewAbove, 7n)
  assert.equal(both({ reviewBrokenChains: true }, {}).reviewBrokenChains, true)
  assert.equal(both({ reviewLaterMessages: true }, {}).reviewLaterMessages, true)
})

test('a wallet hears more by another sender, provider, phone or SIM, or when it opens; not by less or by its name', () => {
  const [a, b] = ['a', 'b'] as unknown as [PhoneId, PhoneId]
  const on = (fields: Partial<WalletSettings>): Partial<WalletSettings> => ({ phoneId: a, simSlot: 'SIM1', ...fields })
  const hears = (before: Partial<WalletSettings>, after: Partial<WalletSettings>) =>
    hearsMore(wallet(on(before)), wallet(on(after)))
  assert.equal(hears({}, { name: 'Other', accountNumber: '2' }), false)
  assert.equal(hears({}, { senderName: 'JawaliMB' }), true)
  assert.equal(hears({}, { senderName: '' }), false)
  assert.equal(hears({ senderName: '' }, {}), true)
  assert.equal(hears({}, { providerId: two }), true)
  assert.equal(hears({}, { phoneId: b }), true)
  assert.equal(hears({}, { phoneId: null }), false)
  assert.equal(hears({}, { simSlot: 'SIM2' }), true)
  assert.equal(hears({}, { simSlot: '' }), true)
  assert.equal(hears({}, { furtherPhones: [{ phoneId: b, simSlot: '' }] }), true)
  assert.equal(hears({ furtherPhones: [{ phoneId: b, simSlot: '' }] }, {}), false)
  assert.equal(hears({ furtherPhones: [{ phoneId: b, simSlot: 'SIM1' }] }, { phoneId: b }), false)
  assert.equal(hears({ active: false }, {}), true)
  assert.equal(hears({}, { active: false, phoneId: b }), false)
})

test('a wallet that hears more starts from the limits of the other entries of its sender', () => {
  const others = { ...usualLimits, reviewAbove: minor(500n) }
  const change = (after: Partial<WalletSettings>, ofSender?: Limits) =>
    walletNeedsOwner(wallet(), wallet(after), provider(['Jawali']), [], ofSender)
  assert.deepEqual(change({}), [])
  assert.deepEqual(change({}, others), ['review_above'])
  assert.deepEqual(change({ reviewAbove: minor(500n) }, others), [])
})
