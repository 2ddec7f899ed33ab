import assert from 'node:assert/strict'
import { test } from 'node:test'
import { minor } from '../../core/money.ts'
import type { Wallet } from '../../wallets/wallet.ts'
import { type Phone, whyPending } from './why-pending.ts'

const now = 1_000_000_000_000
const wallet = {
  active: true,
  phoneId: 'phone',
  senderName: 'Jawali',
  readable: true,
  uniqueAmounts: null,
} as unknown as Wallet
const unique = { ...wallet, uniqueAmounts: { way: 'more', most: 99 } } as unknown as Wallet
const intent = {
  reference: '',
  createdAt: now - 60_000,
  base: minor(150_000n),
  payable: minor(150_000n),
  currency: 'YER',
}
const codes = (of = wallet, more: Partial<typeof intent> = {}, phone?: Phone) =>
  whyPending({ ...intent, ...more }, null, of, phone, now).map(({ code }) => code)

test('an intent without a reference waits for it, or for its unique amount', () => {
  assert.deepEqual(codes(), ['no_reference_yet'])
  assert.deepEqual(codes(unique), ['amount_not_unique'])
  const payable = minor(150_100n)
  assert.deepEqual(whyPending({ ...intent, payable }, null, unique, undefined, now), [
    { code: 'amount_awaited', amount: payable, currency: 'YER' },
  ])
  // The setting was switched off meanwhile: only a reference verifies.
  assert.deepEqual(codes(wallet, { payable }), ['no_reference_yet'])
})

test('an intent with a reference waits for its alert, since the reference was attached', () => {
  const since = (at: number | null) => whyPending({ ...intent, reference: 'R1' }, at, unique, undefined, now)
  assert.deepEqual(since(now - 5), [{ code: 'reference_without_alert', reference: 'R1', since: now - 5 }])
  assert.deepEqual(since(null), [{ code: 'reference_without_alert', reference: 'R1', since: intent.createdAt }])
})

test('a reference that two orders claim is a reason for both orders, before the reference itself', () => {
  const other = { id: 'other', code: 'AAAA', order: '7', status: 'PENDING' }
  const claim = { reference: 'R1', other }
  assert.deepEqual(whyPending(intent, null, wallet, undefined, now, [{ refused: true, ...claim }]), [
    { code: 'reference_elsewhere', ...claim },
    { code: 'no_reference_yet' },
  ])
  assert.deepEqual(whyPending(intent, null, wallet, undefined, now, [{ refused: false, ...claim }])[0], {
    code: 'reference_claimed',
    ...claim,
  })
  assert.deepEqual(whyPending(intent, null, wallet, undefined, now, [{ ...claim, refused: true, other: null }])[0], {
    code: 'reference_free',
    reference: 'R1',
  })
})

test('a closed wallet, and what it lacks to be monitored, come first', () => {
  assert.deepEqual(codes({ ...wallet, active: false }), ['wallet_inactive', 'no_reference_yet'])
  const missing = (lacking: Partial<Wallet>) => whyPending(intent, null, { ...wallet, ...lacking }, undefined, now)[0]
  assert.deepEqual(missing({ phoneId: null }), { code: 'wallet_unmonitored', missing: 'phone' })
  assert.deepEqual(missing({ senderName: '' }), { code: 'wallet_unmonitored', missing: 'sender' })
  assert.deepEqual(missing({ readable: false }), { code: 'wallet_unmonitored', missing: 'template' })
})

test('a phone that is switched off is named; one that never made contact is silent', () => {
  const phone = (switched_on: boolean) => ({ switched_on, last_seen_at: null }) as unknown as Phone
  assert.deepEqual(codes(wallet, {}, phone(false)), ['phone_off', 'no_reference_yet'])
  assert.deepEqual(codes(wallet, {}, phone(true)), ['phone_silent', 'no_reference_yet'])
})
