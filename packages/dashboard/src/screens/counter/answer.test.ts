import assert from 'node:assert/strict'
import { test } from 'node:test'
import { usualCurrency } from '@sanad/contract/currency'
import {
  answerOf,
  type CounterWallet,
  doubtsOf,
  type Found,
  type FoundAlert,
  type FoundIntent,
  fitOf,
  hitOf,
  hitsOf,
  isPlainBooking,
} from './answer.ts'

const now = Date.parse('2030-05-01T12:00:00Z')
const ago = (minutes: number): string => new Date(now - minutes * 60_000).toISOString()
const wallet = { id: 'w1', name: 'Jawali', is_test: false }

const intent = (id: string, more: Partial<FoundIntent> = {}): FoundIntent =>
  ({
    id,
    code: `CODE00000${id}`,
    external_order_id: '',
    reference: '',
    status: 'PENDING',
    base_amount: '1500.00',
    payable_amount: '1500.00',
    paid_amount: null,
    arrived_amount: null,
    forgiven_amount: null,
    excess_amount: null,
    currency: usualCurrency,
    wallet,
    created_at: ago(10),
    verified_at: null,
    ...more,
  }) as FoundIntent

const alert = (id: string, more: Partial<FoundAlert> = {}): FoundAlert =>
  ({
    id,
    state: 'waiting',
    amount: '1500.00',
    currency: usualCurrency,
    reference: '220700000045',
    payer: 'Ali Example',
    received_at: ago(5),
    wallet,
    intent: null,
    doubts: [],
    ...more,
  }) as FoundAlert

const found = (intents: FoundIntent[], alerts: FoundAlert[] = [], more = false): Found => ({
  intents,
  alerts,
  handed_over: [],
  more,
})

const health = (state: CounterWallet['state'], more: Partial<CounterWallet> = {}): CounterWallet =>
  ({ id: 'w1', name: 'Jawali', is_test: false, active: true, state, phone: null, ...more }) as CounterWallet
const reportingWallets = [health('offered')]
const context = { wallets: reportingWallets, isConnected: true, now }

const paid = (id: string, minutes: number, more: Partial<FoundIntent> = {}): FoundIntent =>
  intent(id, { status: 'VERIFIED', verified_at: ago(minutes), ...more })

test('a paid order is the answer, with the payer of the money that paid it', () => {
  const order = paid('1', 3, { external_order_id: 'SB-10691', reference: '220700000045' })
  const money = alert('a', { state: 'matched', intent: { id: '1' } as FoundAlert['intent'] })
  const answer = answerOf(found([order], [money]), '0045', context)
  assert.equal(answer.kind, 'one')
  const { hit } = answer as Extract<typeof answer, { kind: 'one' }>
  assert.deepEqual([hit.kind, hit.payer, hit.key], ['paid', 'Ali Example', 'intent-1'])
})

test('money that paid an order which the search did not find is still a payment', () => {
  const order = { id: '7', code: 'CODE000007', external_order_id: 'A-7', payable_amount: '1500.00', status: 'VERIFIED' }
  const [hit] = hitsOf(found([], [alert('a', { state: 'booked', intent: order as FoundAlert['intent'] })]))
  assert.deepEqual([hit!.kind, hit!.intentId, hit!.order?.external_order_id], ['paid', '7', 'A-7'])
})

test('a payment of another day does not answer a search for its amount: the answer is no, and the payment is listed', () => {
  const answer = answerOf(found([paid('1', 3 * 24 * 60)]), '1500', context)
  assert.deepEqual([answer.kind, answer.others.map(({ key }) => key)], ['none', ['intent-1']])
  // A search for its order number finds it.
  const named = answerOf(found([paid('1', 3 * 24 * 60, { external_order_id: 'A-1' })]), 'a-1', context)
  assert.equal(named.kind, 'one')
})

test('a payment of two hours ago is paid by the end of its reference; by its amount alone it is only listed', () => {
  const order = paid('1', 120, { reference: '220700000045' })
  assert.equal(answerOf(found([order]), '0045', context).kind, 'one')
  assert.equal(answerOf(found([order]), '1500', context).kind, 'several')
  // Money without an order can be from this morning.
  assert.equal(answerOf(found([], [alert('a', { received_at: ago(120) })]), '1500', context).kind, 'one')
})

test('an amount alone is paid only if one payment fits, which is new and was not handed over; else it is a list', () => {
  const order = paid('1', 3, { external_order_id: 'B-7' })
  const mark = { intent: '1', by: 'Huda Example', at: ago(1) }
  const single = answerOf(found([order]), '1500', context)
  assert.equal(single.kind, 'one')
  for (const several of [
    found([order, paid('2', 5)]),
    found([order, paid('2', 23 * 60)]),
    found([order], [alert('a')]),
    { ...found([order]), handed_over: [mark] },
    found([order], [], true),
    { ...found([intent('3', { external_order_id: 'B-7', status: 'EXPIRED' }), order]), handed_over: [mark] },
  ]) {
    const answer = answerOf(several, '1,500', context)
    assert.deepEqual([answer.kind, 'compare' in answer && answer.compare], ['several', true])
  }
  // The order number names one payment, also after it was handed over.
  const named = answerOf({ ...found([order]), handed_over: [mark] }, 'b-7', context)
  assert.equal(named.kind === 'one' && named.hit.handedOver?.by, 'Huda Example')
})

test('money that was just taken as a sale is neither unmatched nor paid', () => {
  const [hit] = hitsOf(found([], [alert('a', { state: 'booked' })]))
  assert.equal(hit!.kind, 'taken')
})

test('several hits are a list, the exact one first; digits inside a longer number do not count', () => {
  const orders = [intent('1', { external_order_id: '10425' }), intent('2', { external_order_id: '1042' })]
  const answer = answerOf(found(orders, [alert('a', { reference: '2207001042' })]), '1042', context)
  assert.equal(answer.kind, 'several')
  const { hits } = answer as Extract<typeof answer, { kind: 'several' }>
  assert.deepEqual(
    hits.map(({ key }) => key),
    ['intent-2', 'alert-a'],
  )
  assert.deepEqual(
    answer.others.map(({ key }) => key),
    ['intent-1'],
  )
})

test('an order paid at the second attempt is paid; if an attempt still waits, the answer is a list', () => {
  const order = { external_order_id: 'A-1' }
  const first = intent('1', { ...order, status: 'EXPIRED' })
  const second = paid('2', 3, order)
  assert.equal(answerOf(found([first, second]), 'A-1', context).kind, 'one')
  assert.equal(answerOf(found([intent('1', order), second]), 'A-1', context).kind, 'several')
  assert.equal(answerOf(found([paid('1', 3, order), second]), 'A-1', context).kind, 'several')
})

test('nothing found is a certain no only while every phone of a real wallet reports', () => {
  const doubts = (wallets: CounterWallet[], isConnected = true): string[] =>
    doubtsOf({ wallets, isConnected }).map(({ kind }) => kind)
  assert.deepEqual(doubts(reportingWallets), [])
  assert.deepEqual(doubts([health('phone_silent')]), ['phone_silent'])
  assert.deepEqual(doubts([health('offered'), health('phone_off')]), ['phone_off'])
  assert.deepEqual(doubts([health('offered'), health('unmonitored')]), ['unmonitored'])
  assert.deepEqual(doubts([health('offered'), health('phone_silent', { is_test: true })]), [])
  assert.deepEqual(doubts([health('offered'), health('inactive', { active: false })]), [])
  assert.deepEqual(doubts([]), ['no_wallet'])
  assert.deepEqual(doubts(reportingWallets, false), ['line_down'])
})

test('an order with a unique amount is found by its base amount and by its payable amount', () => {
  const unique = intent('1', { base_amount: '1500.00', payable_amount: '1503.00' })
  for (const typed of ['1500', '1,500.00', '1503', '١٥٠٠'])
    assert.equal(fitOf(hitsOf(found([unique]))[0]!, typed), 'amount', typed)
})

test('money that was booked meanwhile is found again as its order', () => {
  const order = paid('1', 0)
  const money = alert('a', { state: 'booked', intent: { id: '1' } as FoundAlert['intent'] })
  assert.equal(hitOf(hitsOf(found([order], [money])), 'alert-a')?.kind, 'paid')
})

test('a booking is plain only for the same amount, a waiting order and no doubts', () => {
  const money = { amount: '1500.00', doubts: [], reason: { code: 'no_reference' } }
  const order = { status: 'PENDING', payable_amount: '1500.00', reasons: [{ code: 'same_amount' }] }
  assert.ok(isPlainBooking(money, order))
  assert.ok(!isPlainBooking({ ...money, amount: '1400.00' }, order))
  assert.ok(!isPlainBooking({ ...money, doubts: [{ code: 'unsigned' }] }, order))
  for (const code of ['denied', 'unexpected_words'])
    assert.ok(!isPlainBooking({ ...money, reason: { code } }, order), code)
  assert.ok(!isPlainBooking(money, { ...order, status: 'EXPIRED' }))
  for (const code of ['other_phone', 'other_name', 'other_reference'])
    assert.ok(!isPlainBooking(money, { ...order, reasons: [{ code }] }), code)
})

test('91: an order that was booked short is shown with what arrived, and still found by what it asked for', () => {
  const short = paid('1', 5, {
    payable_amount: '4200.00',
    arrived_amount: '200.00',
    forgiven_amount: '4000.00',
    excess_amount: '0.00',
  })
  const [hit] = hitsOf(found([short]))
  assert.deepEqual([hit!.amount, hit!.arrival?.forgiven_amount], ['200.00', '4000.00'])
  for (const typed of ['200', '4200']) assert.equal(fitOf(hit!, typed), 'amount')
})
