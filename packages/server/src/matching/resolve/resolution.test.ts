import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountId, AlertId, IntentId, WalletId } from '../../core/ids.ts'
import { minor } from '../../core/money.ts'
import { zoneOf } from '../../core/zone.ts'
import { arrivalOf } from '../../intents/arrival.ts'
import { endsIntent, type ResolvedBy, type ResolvingAlert, resolutionOf } from './resolution.ts'

const now = Date.parse('2026-01-02T03:04:05Z')
const intent = {
  id: 'intent' as IntentId,
  walletId: 'wallet of the intent' as WalletId,
  code: '0123456789',
  externalOrderId: 'order 7',
  reference: 'R1',
  base: minor(150_000n),
  payable: minor(150_000n),
  currency: 'YER',
}
const alert: ResolvingAlert = {
  accountId: 'account' as AccountId,
  id: 'alert' as AlertId,
  from: 'waiting',
  trusted: true,
  chain: 'fits',
  chainMissing: null,
  phoneNew: false,
  senderNew: false,
  deniedBy: null,
  similarTo: null,
  referenceKey: null,
}
const attachment = {
  accountId: alert.accountId,
  id: intent.id,
  reference: 'R1',
  referenceKey: 'R1',
  entryId: 'entry of the reference',
  by: 'member',
  now,
}
const byAlert: ResolvedBy = { way: 'alert', referencesTried: 1 }
const byHand: ResolvedBy = { way: 'booking', member: 'huda', arrival: arrivalOf(intent, minor(20_000n)) }
const resolve = (fields: Partial<ResolvingAlert>, by: ResolvedBy, paid?: bigint) =>
  resolutionOf(
    intent,
    { ...alert, ...fields },
    paid === undefined ? { kind: 'verified', at: now } : { kind: 'wrong-amount', paid: minor(paid) },
    by,
    now,
    zoneOf('Asia/Aden'),
  )

test('each way of resolving an intent gives intent, alert, timeline and event that agree with each other', () => {
  const summary = (by: ResolvedBy) => {
    const { intent: ended, alert: used, timeline, event } = resolve({}, by)
    const body = JSON.parse(event!.body)
    return [ended.status, ended.manual, used.state, timeline.kind, timeline.by, body.status, body.manual_override]
  }
  assert.deepEqual(summary(byAlert), ['VERIFIED', false, 'matched', 'verified', 'alert', 'VERIFIED', false])
  const byReference: ResolvedBy = { way: 'reference', referencesTried: 1, attachment }
  assert.deepEqual(summary(byReference), ['VERIFIED', false, 'matched', 'verified', 'reference', 'VERIFIED', false])
  assert.deepEqual(summary(byHand), ['VERIFIED', true, 'booked', 'booked', 'huda', 'VERIFIED', true])
  assert.equal(resolve({}, byReference).attachment, attachment)
  // If alert and intent are of two entries of one real wallet, the event names the intent's entry.
  for (const by of [byAlert, byReference, byHand]) assert.equal(resolve({}, by).event!.walletId, intent.walletId)
  assert.equal(resolve({}, byHand).attachment, null)
})

test('91: what arrived is the payable amount if the service verifies, and the booked amount if a member books', () => {
  assert.deepEqual(resolve({}, byAlert).intent.arrival, { arrived: 150_000n, forgiven: 0n, excess: 0n })
  const { intent: booked, event } = resolve({}, byHand)
  assert.deepEqual(booked.arrival, { arrived: 20_000n, forgiven: 130_000n, excess: 0n })
  // The event says what it always said.
  assert.deepEqual([booked.paid, JSON.parse(event.body).amount], [null, '1500.00'])
  assert.equal(resolve({}, byAlert, 140_000n).intent.arrival, null)
})

test('another amount ends the intent with the paid amount and its own event; the alert is not spent', () => {
  const { intent: ended, alert: used, timeline, event } = resolve({}, byAlert, 140_000n)
  assert.deepEqual([ended.status, ended.paid, ended.verifiedAt], ['WRONG_AMOUNT', 140_000n, null])
  assert.deepEqual([used.state, used.from, timeline.kind], ['wrong_amount', 'waiting', 'wrong_amount'])
  // It is stored only if an endpoint subscribes to it (end-events.test.ts).
  const { event: kind, status, amount, paid_amount, verified_at, ended_at } = JSON.parse(event.body)
  assert.deepEqual(
    [kind, status, amount, paid_amount, verified_at],
    ['payment.wrong_amount', 'WRONG_AMOUNT', '1500.00', '1400.00', undefined],
  )
  assert.equal(Date.parse(ended_at), now)
})

test('the timeline contains the doubts about the alert; many references count only if the service matched', () => {
  const facts = (fields: Partial<ResolvingAlert>, by: ResolvedBy) => JSON.parse(resolve(fields, by).timeline.facts)
  assert.deepEqual(facts({}, byAlert), {})
  assert.deepEqual(facts({ trusted: false, chain: 'break' }, byAlert), { doubts: 'unsigned,balance' })
  assert.deepEqual(facts({}, { way: 'alert', referencesTried: 5 }), { doubts: 'many_references' })
  assert.deepEqual(facts({ phoneNew: true }, byHand), { doubts: 'phone_new' })
  assert.deepEqual(facts({ senderNew: true, deniedBy: 'x' }, byHand), { doubts: 'sender_new,unsigned_denial' })
})

test('only the outcomes verified and wrong-amount end an intent', () => {
  assert.ok(endsIntent({ kind: 'verified', at: now }))
  assert.ok(endsIntent({ kind: 'wrong-amount', paid: minor(1n) }))
  assert.ok(!endsIntent({ kind: 'late' }))
  assert.ok(!endsIntent({ kind: 'unproved' }))
})
