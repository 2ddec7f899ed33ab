import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MemberRole } from '../accounts/people/permission.ts'
import type { AccountId, PushDeviceId, UserId, WalletId } from '../core/ids.ts'
import { minor } from '../core/money.ts'
import { fanOut, type HearingDevice, type PushFact } from './fan-out.ts'
import { pushKinds } from './push-kind.ts'

const shop = 'shop' as AccountId
const device = (more: Partial<HearingDevice> = {}): HearingDevice => ({
  accountId: shop,
  id: 'd1' as PushDeviceId,
  rights: { role: 'owner', wallets: null },
  kinds: pushKinds,
  userId: 'u' as UserId,
  createdAt: 100,
  counterUntil: null,
  ...more,
})
const fact = (more: Partial<PushFact> = {}): PushFact => ({
  accountId: shop,
  kind: 'money',
  object: 'a',
  walletId: null,
  currency: 'YER',
  amount: minor(150_000n),
  at: 200,
  ...more,
})
const summed = (facts: readonly PushFact[], devices: readonly HearingDevice[], now = 300) =>
  fanOut(facts, devices, now).map(({ pushDeviceId, kind, currency, count, amount, firstAt }) =>
    [pushDeviceId, kind, currency, count, amount, firstAt].join(' '),
  )

test('facts are summed up by device, kind and currency', () => {
  const facts = [fact(), fact({ at: 250 }), fact({ currency: 'USD', amount: minor(5n) }), fact({ kind: 'unmatched' })]
  assert.deepEqual(summed(facts, [device(), device({ id: 'd2' as PushDeviceId, kinds: ['unmatched'] })]), [
    'd1 money YER 2 300000 200',
    'd1 money USD 1 5 200',
    'd1 unmatched YER 1 150000 200',
    'd2 unmatched YER 1 150000 200',
  ])
})

test('a device hears only of its account, since it subscribed, of kinds that its member wants and may read', () => {
  assert.deepEqual(summed([fact({ accountId: 'other' as AccountId })], [device()]), [])
  assert.deepEqual(summed([fact({ at: 99 })], [device()]), [])
  assert.deepEqual(summed([fact({ at: 100 })], [device()]).length, 1)
  assert.deepEqual(summed([fact()], [device({ kinds: [] })]), [])
  assert.deepEqual(
    summed([fact({ kind: 'phone_silent' })], [device({ rights: { role: 'cashier', wallets: null } })]),
    [],
  )
  assert.deepEqual(
    summed([fact({ kind: 'endpoint_failing' })], [device({ rights: { role: 'viewer', wallets: null } })]).length,
    1,
  )
})

test('while its member has a counter screen open, a device hears of money that waits and not of money that arrives', () => {
  const open = device({ counterUntil: 301 })
  assert.deepEqual(summed([fact(), fact({ kind: 'unmatched' })], [open]), ['d1 unmatched YER 1 150000 200'])
  assert.equal(summed([fact()], [device({ counterUntil: 300 })]).length, 1)
})

test('a member with some wallets hears of the money of these, and of nothing without a wallet', () => {
  const [mine, other] = ['mine', 'other'] as unknown as [WalletId, WalletId]
  const limited = (wallets: readonly WalletId[]) => device({ rights: { role: 'manager', wallets } })
  const facts = [
    fact({ walletId: mine, amount: minor(1n) }),
    fact({ walletId: other, amount: minor(10n) }),
    fact({ walletId: other, kind: 'wrong_amount' }),
    fact({ kind: 'phone_silent', currency: '' }),
    fact({ kind: 'endpoint_failing', currency: '' }),
  ]
  assert.deepEqual(summed(facts, [limited([mine])]), ['d1 money YER 1 1 200'])
  assert.deepEqual(summed(facts, [limited([mine, other])]).length, 2)
  assert.deepEqual(summed(facts, [limited([])]), [])
  assert.deepEqual(summed(facts, [device({ rights: { role: 'manager', wallets: null } })]).length, 4)
})

test('a request is told to who may decide it, not to who asked; its end is told to who asked alone', () => {
  const of = (id: string, role: MemberRole) =>
    device({ id: id as PushDeviceId, userId: id as UserId, rights: { role, wallets: null } })
  const devices = [of('owner', 'owner'), of('manager', 'manager'), of('cashier', 'cashier'), of('viewer', 'viewer')]
  const none = { walletId: null, currency: '', amount: minor(0n) }
  const hearing = (more: Partial<PushFact>) =>
    fanOut([fact({ ...none, ...more })], devices, 1_000).map(({ pushDeviceId }) => pushDeviceId)
  const asked = (id: string) => ({ kind: 'request_asked', notTo: id as UserId }) as const
  assert.deepEqual(hearing(asked('cashier')), ['owner', 'manager'])
  assert.deepEqual(hearing(asked('manager')), ['owner'])
  assert.deepEqual(hearing({ ...asked('cashier'), ownersOnly: true }), ['owner'])
  assert.deepEqual(hearing({ kind: 'request_decided', to: 'cashier' as UserId }), ['cashier'])
})
