import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AlertState, Reason } from '../../alerts/alert.ts'
import { claimable_ms } from '../../alerts/alert.ts'
import { minor } from '../../core/money.ts'
import { checkBalance, classify, judge, type Money, movesBalance, type WalletRules } from './judge.ts'

const money = (about: Partial<Money> = {}): Money => ({
  direction: 'credit',
  amount: minor(1000n),
  currency: 'YER',
  referenceKey: 'R',
  simSlot: 'SIM1',
  trusted: true,
  denied: false,
  otherApp: false,
  ...about,
})
const wallet = (about: Partial<WalletRules> = {}): WalletRules => ({
  currency: 'YER',
  simSlot: 'SIM1',
  deviceOn: true,
  reviewAbove: null,
  lowTrustLimit: minor(0n),
  reviewBrokenChains: false,
  ...about,
})
const word = (
  id: string,
  state: AlertState,
  reason: Reason = '',
  about: { amount?: bigint; currency?: string; trusted?: boolean } = {},
) => ({
  id,
  state,
  reason,
  amount: minor(about.amount ?? 1000n),
  currency: about.currency ?? 'YER',
  trusted: about.trusted ?? true,
})
type Word = ReturnType<typeof word>

/** `state reason of-which`, and what makes room. */
const verdict = (said: Money, rules: WalletRules, sameText?: Word, ...named: Word[]): string => {
  const answer = classify(said, rules, { repeated: sameText }, named)
  const of = answer.state === 'duplicate' ? ` ${answer.of.id}` : ''
  const supersedes =
    'supersedes' in answer && answer.supersedes.length > 0 ? ` > ${answer.supersedes.map(({ id }) => id)}` : ''
  return `${answer.state} ${answer.reason}${of}${supersedes}`
}

test('each rule has its turn, the first that speaks decides', () => {
  const off = { deviceOn: false }
  const asked = { reviewAbove: minor(999n) }
  const wrong = { direction: 'debit', currency: 'SAR', simSlot: 'SIM2', referenceKey: null, trusted: false } as const
  const first = word('a', 'waiting')
  assert.equal(verdict(money(wrong), wallet({ ...off, ...asked }), first), 'duplicate same_text a')
  assert.equal(verdict(money(wrong), wallet({ ...off, ...asked })), 'held device_off')
  assert.equal(verdict(money(wrong), wallet(asked)), 'debit ')
  const { direction: _, ...credit } = wrong
  assert.equal(verdict(money(credit), wallet(asked)), 'review wrong_currency')
  assert.equal(verdict(money({ ...credit, currency: 'YER' }), wallet(asked)), 'review other_sim')
  assert.equal(verdict(money({ trusted: false, referenceKey: null }), wallet(asked)), 'review no_reference')
  assert.equal(
    verdict(money({ trusted: false, amount: minor(1001n) }), wallet(asked), undefined, first),
    'review second_amount',
  )
  assert.equal(verdict(money({ trusted: false }), wallet(asked)), 'review low_trust')
  assert.equal(verdict(money(), wallet(asked)), 'review above_limit')
  assert.equal(verdict(money(), wallet()), 'waiting no_intent')
})

test('limits are what is still allowed, and an unknown SIM says nothing against an alert', () => {
  assert.equal(verdict(money(), wallet({ reviewAbove: minor(1000n) })), 'waiting no_intent')
  assert.equal(verdict(money({ trusted: false }), wallet({ lowTrustLimit: minor(1000n) })), 'waiting no_intent')
  assert.equal(verdict(money({ trusted: false }), wallet({ lowTrustLimit: minor(999n) })), 'review low_trust')
  assert.equal(verdict(money({ simSlot: '' }), wallet()), 'waiting no_intent')
  assert.equal(verdict(money({ simSlot: 'SIM2' }), wallet({ simSlot: '' })), 'waiting no_intent')
})

test('a proven word takes the place of a doubtful one, of the same text or not', () => {
  const low = word('low', 'review', 'low_trust')
  const sim = word('sim', 'review', 'other_sim')
  assert.equal(verdict(money(), wallet(), low, low), 'waiting no_intent > low')
  assert.equal(verdict(money(), wallet(), undefined, low), 'waiting no_intent > low')
  assert.equal(verdict(money(), wallet(), sim, sim, low), 'waiting no_intent > sim,low')
  assert.equal(verdict(money(), wallet({ reviewAbove: minor(1n) }), low, low), 'review above_limit > low')
  // One that is no better does not.
  assert.equal(verdict(money({ trusted: false }), wallet(), low, low), 'duplicate same_text low')
  assert.equal(verdict(money({ trusted: false }), wallet(), undefined, low), 'duplicate same_reference low')
  assert.equal(verdict(money({ simSlot: '' }), wallet(), undefined, sim), 'duplicate same_reference sim')
  assert.equal(verdict(money({ simSlot: 'SIM2' }), wallet(), undefined, sim), 'duplicate same_reference sim')
  // Two doubts are not each other's repetition: whoever looks sees both.
  assert.equal(verdict(money({ simSlot: 'SIM2' }), wallet(), undefined, low), 'review other_sim')
  // A doubtful word of another amount is other money.
  assert.equal(
    verdict(money(), wallet(), undefined, word('x', 'review', 'low_trust', { amount: 9n })),
    'waiting no_intent',
  )
  // Held or not read, a text says nothing yet; but while the phone is off it is a repetition.
  assert.equal(verdict(money(), wallet(), word('h', 'held', 'device_off')), 'waiting no_intent')
  assert.equal(verdict(money(), wallet({ deviceOn: false }), word('h', 'held', 'device_off')), 'duplicate same_text h')
  assert.equal(verdict(money({ referenceKey: null }), wallet(), word('h', 'held')), 'review no_reference')
})

test('what stands for a reference decides, however many doubtful words were before it', () => {
  const low = word('low', 'review', 'low_trust')
  for (const state of ['waiting', 'matched', 'wrong_amount', 'booked'] as const) {
    const stands = word('s', state)
    assert.equal(verdict(money(), wallet(), undefined, low, stands), 'duplicate same_reference s')
    assert.equal(verdict(money({ amount: minor(1n) }), wallet(), undefined, low, stands), 'review second_amount')
    assert.equal(verdict(money({ simSlot: 'SIM2' }), wallet(), undefined, low, stands), 'duplicate same_reference s')
  }
  // Booked by a person in another currency, it stands all the same.
  const foreign = word('f', 'booked', '', { currency: 'SAR' })
  assert.equal(verdict(money(), wallet(), undefined, foreign), 'review second_amount')
})

test('what a person put aside stays aside: repeated, or said by one who proves it', () => {
  const aside = word('a', 'dismissed', 'no_intent')
  const doubtful = word('d', 'dismissed', 'low_trust')
  assert.equal(verdict(money(), wallet(), undefined, aside), 'duplicate same_reference a')
  assert.equal(verdict(money(), wallet(), undefined, doubtful), 'review dismissed_before > d')
  assert.equal(
    verdict(money(), wallet(), undefined, doubtful, word('b', 'review', 'dismissed_before')),
    'duplicate same_reference b',
  )
})

test('another currency under the same reference is other money', () => {
  const foreign = word('f', 'review', 'wrong_currency', { currency: 'SAR' })
  assert.equal(verdict(money(), wallet(), undefined, foreign), 'waiting no_intent')
  assert.equal(verdict(money({ currency: 'SAR' }), wallet(), undefined, foreign), 'duplicate same_reference f')
  assert.equal(
    verdict(money({ currency: 'SAR', amount: minor(7n) }), wallet(), undefined, foreign),
    'review wrong_currency',
  )
  assert.equal(verdict(money({ currency: 'SAR' }), wallet(), undefined, word('y', 'matched')), 'review wrong_currency')
})

test('a balance that does not follow stops only what would have counted, and only if the merchant asked for that', () => {
  const [asked, not] = [{ reviewBrokenChains: true }, { reviewBrokenChains: false }]
  const low = word('low', 'review', 'low_trust')
  const counts = classify(money(), wallet(), {}, [low])
  for (const link of ['break', 'doubtful'] as const) {
    const stopped = checkBalance(counts, asked, link)
    assert.deepEqual(stopped, { state: 'review', reason: 'broken_chain', supersedes: [low] })
    assert.equal(checkBalance(counts, not, link), counts)
  }
  for (const link of ['fits', 'unknown'] as const) assert.equal(checkBalance(counts, asked, link), counts)
  const reviewed = classify(money({ referenceKey: null }), wallet(), {}, [])
  assert.equal(checkBalance(reviewed, asked, 'break'), reviewed)
})

test('a balance is moved once by each movement of the wallet, and by nothing else', () => {
  const moves = (said: Money, rules: WalletRules, sameText?: Word, ...named: Word[]) =>
    movesBalance(classify(said, rules, { repeated: sameText }, named), said)
  assert.ok(moves(money(), wallet()))
  assert.ok(moves(money({ direction: 'debit' }), wallet()))
  assert.ok(moves(money({ trusted: false }), wallet()))
  assert.ok(moves(money(), wallet({ deviceOn: false })))
  assert.ok(moves(money(), wallet(), undefined, word('sim', 'review', 'other_sim')))
  assert.ok(!moves(money({ simSlot: 'SIM2' }), wallet()))
  assert.ok(!moves(money({ currency: 'SAR' }), wallet()))
  assert.ok(!moves(money(), wallet(), word('a', 'waiting')))
  assert.ok(!moves(money(), wallet(), undefined, word('a', 'waiting')))
  assert.ok(!moves(money(), wallet(), undefined, word('low', 'review', 'low_trust')))
  assert.ok(!moves(money(), wallet(), undefined, word('low', 'dismissed', 'low_trust')))
})

test('an alert verifies while the window is open and it is claimable, and only to the amount', () => {
  const intent = { payable: minor(1000n), expiresAt: 5000 }
  const alert = { amount: minor(1000n), receivedAt: 1000, trusted: true }
  assert.deepEqual(judge(intent, alert, 4999), { kind: 'verified', at: 4999 })
  assert.deepEqual(judge(intent, alert, 5000), { kind: 'late' })
  assert.deepEqual(judge(intent, { ...alert, amount: minor(999n) }, 4999), { kind: 'wrong-amount', paid: 999n })
  assert.deepEqual(judge(intent, { ...alert, amount: minor(999n), trusted: false }, 4999), { kind: 'unproved' })
  assert.equal(judge(intent, { ...alert, trusted: false }, 4999).kind, 'verified')
  const open = { ...intent, expiresAt: Number.MAX_SAFE_INTEGER }
  assert.equal(judge(open, alert, 1000 + claimable_ms - 1).kind, 'verified')
  assert.equal(judge(open, alert, 1000 + claimable_ms).kind, 'late')
})

test('words that take the payment back are for a person, whatever else is right, and so is what they speak of', () => {
  assert.equal(verdict(money({ denied: true }), wallet()), 'review denied')
  assert.equal(verdict(money({ denied: true }), wallet(), undefined, word('a', 'matched')), 'review denied')
  assert.equal(verdict(money(), wallet(), undefined, word('no', 'review', 'denied')), 'review denied')
  assert.equal(verdict(money({ denied: true, referenceKey: null }), wallet()), 'review denied')
})

test('a notification of another app waits for a person, and gives way to the provider’s own message', () => {
  assert.equal(verdict(money({ otherApp: true }), wallet()), 'review other_app')
  const other = word('other', 'review', 'other_app')
  assert.equal(verdict(money(), wallet(), undefined, other), 'waiting no_intent > other')
  assert.equal(
    verdict(money({ otherApp: true }), wallet(), undefined, word('a', 'matched')),
    'duplicate same_reference a',
  )
})

test('an unproved alert of another amount gives way to a proved one, and never the other way round', () => {
  const unproved = word('low', 'waiting', 'no_intent', { amount: 5n, trusted: false })
  assert.equal(verdict(money(), wallet(), undefined, unproved), 'waiting no_intent > low')
  const proved = word('first', 'waiting', 'no_intent', { amount: 5n })
  assert.equal(verdict(money(), wallet(), undefined, proved), 'review second_amount')
  const limit = { lowTrustLimit: minor(5000n) }
  assert.equal(verdict(money({ trusted: false }), wallet(limit), undefined, proved), 'review second_amount')
})

test('a message that another phone reported for another wallet, or of which a part was other money, is for a person', () => {
  const elsewhere = word('elsewhere', 'matched')
  assert.equal(classify(money(), wallet(), { elsewhere }, []).reason, 'seen_before')
  assert.equal(classify(money(), wallet(), { readInPart: true }, []).reason, 'read_in_part')
})
