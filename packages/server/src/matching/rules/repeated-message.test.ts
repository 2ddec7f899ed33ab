import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Movement } from '../../alerts/balances/balance-chain.ts'
import type { AlertId } from '../../core/ids.ts'
import { minor } from '../../core/money.ts'
import type { AlertToResolve, KnownAlerts, MoneyReading, SameTextAlert } from '../records/known-alerts.ts'
import { moreSameText, repeatedMoney, repeatedUnread, sameMessageElsewhere, similarTo } from './repeated-message.ts'
import { paired_ms } from './same-message.ts'

const start = 1_000_000_000_000
const moment = { sentAt: start, phoneReceivedAt: start, receivedAt: start }
const earlier = (name: string, more: Partial<Record<keyof SameTextAlert, unknown>> = {}): SameTextAlert =>
  ({
    id: name,
    state: 'review',
    reason: 'no_reference',
    amount: minor(30_000n),
    currency: 'YER',
    trusted: true,
    ...moment,
    phoneId: 'phone',
    adapter: 'native',
    simSlot: '',
    identity: 'wallet',
    referenceKey: null,
    link: { chain: 'unknown', chainMissing: null, chainSince: null },
    standsForMore: false,
    ...more,
  }) as SameTextAlert
const money = (more: Partial<MoneyReading> = {}) =>
  ({
    wallet: { identity: 'wallet' },
    amount: minor(30_000n),
    balance: null,
    referenceKey: null,
    ...more,
  }) as MoneyReading
const alertOf = (reading: unknown = money(), more: Record<string, unknown> = {}) =>
  ({ phoneId: 'phone', adapter: 'native', reading, report: { simSlot: '' }, ...more }) as unknown as AlertToResolve
const message = (...sameText: SameTextAlert[]) => ({ moment, sameText, moreSameText: undefined })
const known = (balance?: bigint) =>
  ({
    balances: new Map(
      balance === undefined ? [] : [['wallet', { balance: minor(balance), at: start, ends: [], unseen: [] }]],
    ),
  }) as unknown as KnownAlerts
const movement = (balance?: bigint): Movement => ({
  id: 'new' as AlertId,
  direction: 'credit',
  amount: minor(30_000n),
  at: start,
  trusted: true,
  ...(balance === undefined ? {} : { balance: minor(balance) }),
})

test('an unread message repeats one of the same wallet, or of an unknown wallet', () => {
  const unread = { kind: 'unread', wallet: { identity: 'wallet' } }
  assert.equal(repeatedUnread(alertOf(unread), message(earlier('first')))?.id, 'first')
  assert.equal(repeatedUnread(alertOf(unread), message(earlier('first', { identity: null })))?.id, 'first')
  assert.equal(repeatedUnread(alertOf(unread), message(earlier('first', { identity: 'other' }))), undefined)
  assert.equal(repeatedUnread(alertOf({ kind: 'unread' }), message(earlier('first', { identity: null })))?.id, 'first')
  assert.equal(repeatedUnread(alertOf(unread), message(earlier('copy', { state: 'duplicate' }))), undefined)
})

test('a text with a balance that cannot be a second movement is a repetition, however late', () => {
  const late = { ...message(earlier('first')), moment: { ...moment, sentAt: start + 9 * paired_ms } }
  const shown = money({ balance: minor(50_000n) })
  const repeated = (balance: bigint | undefined, reading = shown) =>
    repeatedMoney(alertOf(reading), reading, movement(50_000n), late, known(balance))?.id
  assert.equal(repeated(50_000n), 'first')
  // 200.00 + 300.00 = 500.00: a second payment.
  assert.equal(repeated(20_000n), undefined)
  // Nothing is known of the balance.
  assert.equal(repeated(undefined), 'first')
  // Without a balance, or with a reference, the balance does not decide.
  assert.equal(repeated(50_000n, money()), undefined)
  assert.equal(repeated(50_000n, money({ balance: minor(50_000n), referenceKey: 'R1' })), undefined)
  assert.equal(repeatedMoney(alertOf(), shown, movement(50_000n), message(), known(50_000n)), undefined)
  // A copy that was not read may have the right time, but an alert that was read is preferred.
  const copies = message(earlier('unread', { amount: null }), earlier('read', { sentAt: start - 5 * paired_ms }))
  assert.equal(repeatedMoney(alertOf(), shown, movement(50_000n), copies, known(50_000n))?.id, 'read')
})

test('a doubtful movement may be a second one too', () => {
  const end = {
    from: minor(70_000n),
    to: minor(80_000n),
    since: start,
    at: start,
    missing: minor(1n),
    missingSince: start,
  }
  const chain = { balance: minor(5n), at: start, ends: [{ ...end, denied: false, alerts: [] }], unseen: [] }
  const doubtful = { balances: new Map([['wallet', chain]]) } as unknown as KnownAlerts
  const shown = money({ balance: minor(110_000n) })
  const late = { ...message(earlier('first')), moment: { ...moment, sentAt: start + 9 * paired_ms } }
  assert.equal(repeatedMoney(alertOf(shown), shown, movement(110_000n), late, doubtful), undefined)
})

test('the same message of another wallet is found by phone, for references only', () => {
  const other = { identity: 'other', referenceKey: 'R1' }
  const reading = money({ referenceKey: 'R1' })
  const elsewhere = (more: Record<string, unknown>, from: 'same phone' | 'another phone', simSlot = '') =>
    sameMessageElsewhere(
      alertOf(reading, { report: { simSlot } }),
      reading,
      message(earlier('first', { ...other, ...more })),
      from,
    )?.id
  assert.equal(elsewhere({}, 'same phone'), 'first')
  assert.equal(elsewhere({}, 'another phone'), undefined)
  assert.equal(elsewhere({ phoneId: 'phone 2' }, 'another phone'), 'first')
  assert.equal(elsewhere({ phoneId: 'phone 2' }, 'same phone'), undefined)
  assert.equal(elsewhere({ referenceKey: null }, 'same phone'), undefined)
  assert.equal(elsewhere({ identity: null }, 'same phone'), undefined)
  assert.equal(elsewhere({ identity: 'wallet' }, 'same phone'), undefined)
  for (const state of ['waiting', 'review', 'matched', 'wrong_amount', 'booked', 'dismissed'])
    assert.equal(elsewhere({ state }, 'same phone'), 'first', state)
  for (const state of ['duplicate', 'held', 'unread', 'debit', 'hidden'])
    assert.equal(elsewhere({ state }, 'same phone'), undefined, state)
  // Two SIMs of one phone are two wallets; of two phones the SIM says nothing.
  assert.equal(elsewhere({ simSlot: 'SIM1' }, 'same phone', 'SIM2'), undefined)
  assert.equal(elsewhere({ simSlot: 'SIM1' }, 'same phone', 'SIM1'), 'first')
  assert.equal(elsewhere({ simSlot: 'SIM1' }, 'same phone'), 'first')
  assert.equal(elsewhere({ simSlot: '' }, 'same phone', 'SIM1'), 'first')
  assert.equal(elsewhere({ simSlot: 'SIM1', phoneId: 'phone 2' }, 'another phone', 'SIM2'), 'first')
  assert.equal(sameMessageElsewhere(alertOf(), money(), message(earlier('first', other)), 'same phone'), undefined)
})

test('an earlier alert with the same text that is not proved to be another payment is shown as similar', () => {
  const similar = (more: Record<string, unknown> = {}, reading = money(), repeated?: SameTextAlert) =>
    similarTo(alertOf(reading), reading, message(earlier('first', more)), repeated)
  assert.equal(similar(), 'first')
  assert.equal(similar({}, money({ referenceKey: 'R1' })), null)
  assert.equal(similar({ state: 'duplicate' }), null)
  assert.equal(similar({}, money(), earlier('first')), null)
  assert.equal(similar({ identity: 'other' }), 'first')
  assert.equal(similar({ identity: null }), null)
  assert.equal(similar({ receivedAt: start - paired_ms + 1 }), 'first')
  assert.equal(similar({ receivedAt: start - paired_ms }), null)
  // With a balance, two payments of the same text cannot be told apart at any time.
  assert.equal(similar({ receivedAt: start - 9 * paired_ms }, money({ balance: minor(1n) })), 'first')
  const two = message(earlier('first'), earlier('second'))
  assert.equal(similarTo(alertOf(), money(), two, undefined), 'second')
})

test('one alert stands for those with the same text that were not read, and never the alert itself', () => {
  const [first, last] = [earlier('first', { standsForMore: true }), earlier('last')]
  assert.equal(moreSameText('new' as AlertId, [first, last])?.id, 'first')
  assert.equal(moreSameText('first' as AlertId, [first, last])?.id, 'last')
  assert.equal(moreSameText('first' as AlertId, [first]), undefined)
  assert.equal(moreSameText('new' as AlertId, [last]), undefined)
})

test('if alerts of the last day were not read, a report is not paired, and may be similar to one of them', () => {
  const other = { sentAt: null, phoneReceivedAt: null, receivedAt: start - 3_600_000, adapter: 'other' }
  const read = { ...message(earlier('first', other)), moment: { ...moment, sentAt: start } }
  const more = (receivedAt: number) => ({ ...read, moreSameText: earlier('more', { receivedAt }) })
  const pairOf = (known_: typeof read | ReturnType<typeof more>) =>
    repeatedMoney(alertOf(), money(), movement(), known_, known())?.id
  assert.equal(pairOf(read), 'first')
  assert.equal(pairOf(more(start - paired_ms + 1)), undefined)
  assert.equal(pairOf(more(start - paired_ms)), 'first')
  const unread = { kind: 'unread', wallet: { identity: 'wallet' } }
  assert.equal(repeatedUnread(alertOf(unread), read)?.id, 'first')
  assert.equal(repeatedUnread(alertOf(unread), more(start - paired_ms + 1)), undefined)
  const similar = (receivedAt: number, reading = money()) =>
    similarTo(alertOf(), reading, { ...message(), moreSameText: earlier('more', { receivedAt }) }, undefined)
  assert.equal(similar(start - paired_ms + 1), 'more')
  assert.equal(similar(start - paired_ms), null)
  assert.equal(similar(start - paired_ms, money({ balance: minor(50_000n) })), 'more')
})
