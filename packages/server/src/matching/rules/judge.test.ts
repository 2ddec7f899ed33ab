import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AlertState, Reason } from '../../alerts/alert.ts'
import { matchable_ms } from '../../alerts/alert.ts'
import { minor } from '../../core/money.ts'
import type { WalletRules } from '../records/known-alerts.ts'
import {
  checkBalance,
  checkCompared,
  classify,
  denialAmong,
  hasMovedBalance,
  judge,
  type Money,
  movesBalance,
  outrankedDenial,
  showsMoney,
} from './judge.ts'

const money = (fields: Partial<Money> = {}): Money => ({
  direction: 'credit',
  amount: minor(1000n),
  currency: 'YER',
  referenceKey: 'R',
  simSlot: 'SIM1',
  trusted: true,
  denied: false,
  unexpectedWords: false,
  otherApp: false,
  ...fields,
})
const wallet = (fields: Partial<WalletRules> = {}): WalletRules => ({
  currency: 'YER',
  simSlot: 'SIM1',
  phoneOn: true,
  reviewAbove: null,
  lowTrustLimit: minor(0n),
  reviewBrokenChains: false,
  ...fields,
})
const earlier = (
  id: string,
  state: AlertState,
  reason: Reason = '',
  fields: { amount?: bigint; currency?: string; trusted?: boolean } = {},
) => ({
  id,
  state,
  reason,
  amount: minor(fields.amount ?? 1000n),
  currency: fields.currency ?? 'YER',
  trusted: fields.trusted ?? reason !== 'low_trust',
})
type EarlierAlert = ReturnType<typeof earlier>

/** The verdict as text: `state reason id-of-the-original > superseded ids`. */
const verdict = (
  reading: Money,
  rules: WalletRules,
  sameText?: EarlierAlert,
  ...sameReference: EarlierAlert[]
): string => {
  const result = classify(reading, rules, { repeated: sameText }, sameReference)
  const original = result.state === 'duplicate' ? ` ${result.duplicateOf.id}` : ''
  const supersedes =
    'supersedes' in result && result.supersedes.length > 0 ? ` > ${result.supersedes.map(({ id }) => id)}` : ''
  return `${result.state} ${result.reason}${original}${supersedes}`
}

test('the rules apply in order, and the first that applies decides', () => {
  const off = { phoneOn: false }
  const limited = { reviewAbove: minor(999n) }
  const wrong = { direction: 'debit', currency: 'SAR', simSlot: 'SIM2', referenceKey: null, trusted: false } as const
  const first = earlier('a', 'waiting')
  assert.equal(verdict(money(wrong), wallet({ ...off, ...limited }), first), 'duplicate same_text a')
  assert.equal(verdict(money(wrong), wallet({ ...off, ...limited })), 'held device_off')
  assert.equal(verdict(money(wrong), wallet(limited)), 'debit ')
  const { direction: _, ...credit } = wrong
  assert.equal(verdict(money(credit), wallet(limited)), 'review wrong_currency')
  assert.equal(verdict(money({ ...credit, currency: 'YER' }), wallet(limited)), 'review other_sim')
  assert.equal(verdict(money({ trusted: false, referenceKey: null }), wallet(limited)), 'review no_reference')
  assert.equal(
    verdict(money({ trusted: false, amount: minor(1001n) }), wallet(limited), undefined, first),
    'review second_amount',
  )
  assert.equal(verdict(money({ trusted: false }), wallet(limited)), 'review low_trust')
  assert.equal(verdict(money(), wallet(limited)), 'review above_limit')
  assert.equal(verdict(money(), wallet()), 'waiting no_intent')
})

test('an amount equal to a limit is allowed, and an unknown SIM slot causes no review', () => {
  assert.equal(verdict(money(), wallet({ reviewAbove: minor(1000n) })), 'waiting no_intent')
  assert.equal(verdict(money({ trusted: false }), wallet({ lowTrustLimit: minor(1000n) })), 'waiting no_intent')
  assert.equal(verdict(money({ trusted: false }), wallet({ lowTrustLimit: minor(999n) })), 'review low_trust')
  assert.equal(verdict(money({ simSlot: '' }), wallet()), 'waiting no_intent')
  assert.equal(verdict(money({ simSlot: 'SIM2' }), wallet({ simSlot: '' })), 'waiting no_intent')
})

test('an alert without doubts supersedes a doubtful one, with the same text or another', () => {
  const low = earlier('low', 'review', 'low_trust')
  const sim = earlier('sim', 'review', 'other_sim')
  assert.equal(verdict(money(), wallet(), low, low), 'waiting no_intent > low')
  assert.equal(verdict(money(), wallet(), undefined, low), 'waiting no_intent > low')
  assert.equal(verdict(money(), wallet(), sim, sim, low), 'waiting no_intent > sim,low')
  assert.equal(verdict(money(), wallet({ reviewAbove: minor(1n) }), low, low), 'review above_limit > low')
  // An alert that has the same doubt, or cannot remove the doubt, is a duplicate.
  assert.equal(verdict(money({ trusted: false }), wallet(), low, low), 'duplicate same_text low')
  assert.equal(verdict(money({ trusted: false }), wallet(), undefined, low), 'duplicate same_reference low')
  assert.equal(verdict(money({ simSlot: '' }), wallet(), undefined, sim), 'duplicate same_reference sim')
  assert.equal(verdict(money({ simSlot: 'SIM2' }), wallet(), undefined, sim), 'duplicate same_reference sim')
  // Alerts with different doubts are not duplicates of each other: a member sees both.
  assert.equal(verdict(money({ simSlot: 'SIM2' }), wallet(), undefined, low), 'review other_sim')
  // A doubtful alert with another amount is not the same payment: it is ignored.
  assert.equal(
    verdict(money(), wallet(), undefined, earlier('x', 'review', 'low_trust', { amount: 9n })),
    'waiting no_intent',
  )
  // A new report of a held alert is not a duplicate, unless the phone is still off.
  assert.equal(verdict(money(), wallet(), earlier('h', 'held', 'device_off')), 'waiting no_intent')
  assert.equal(
    verdict(money(), wallet({ phoneOn: false }), earlier('h', 'held', 'device_off')),
    'duplicate same_text h',
  )
  assert.equal(verdict(money({ referenceKey: null }), wallet(), earlier('h', 'held')), 'review no_reference')
})

test('a new alert is compared with the alert that owns the reference, even if doubtful alerts came before', () => {
  const low = earlier('low', 'review', 'low_trust')
  for (const state of ['waiting', 'matched', 'wrong_amount', 'booked'] as const) {
    const owner = earlier('s', state)
    assert.equal(verdict(money(), wallet(), undefined, low, owner), 'duplicate same_reference s')
    assert.equal(verdict(money({ amount: minor(1n) }), wallet(), undefined, low, owner), 'review second_amount')
    assert.equal(verdict(money({ simSlot: 'SIM2' }), wallet(), undefined, low, owner), 'duplicate same_reference s')
  }
  // An alert that was booked in another currency owns the reference too.
  const foreign = earlier('f', 'booked', '', { currency: 'SAR' })
  assert.equal(verdict(money(), wallet(), undefined, foreign), 'review second_amount')
})

test('a report of a dismissed payment is a duplicate, or goes to review if the dismissed alert was doubtful', () => {
  const dismissed = earlier('a', 'dismissed', 'no_intent')
  const doubtful = earlier('d', 'dismissed', 'low_trust')
  assert.equal(verdict(money(), wallet(), undefined, dismissed), 'duplicate same_reference a')
  assert.equal(verdict(money(), wallet(), undefined, doubtful), 'review dismissed_before > d')
  assert.equal(
    verdict(money(), wallet(), undefined, doubtful, earlier('b', 'review', 'dismissed_before')),
    'duplicate same_reference b',
  )
})

test('alerts with the same reference and different currencies are not the same payment', () => {
  const foreign = earlier('f', 'review', 'wrong_currency', { currency: 'SAR' })
  assert.equal(verdict(money(), wallet(), undefined, foreign), 'waiting no_intent')
  assert.equal(verdict(money({ currency: 'SAR' }), wallet(), undefined, foreign), 'duplicate same_reference f')
  assert.equal(
    verdict(money({ currency: 'SAR', amount: minor(7n) }), wallet(), undefined, foreign),
    'review wrong_currency',
  )
  assert.equal(
    verdict(money({ currency: 'SAR' }), wallet(), undefined, earlier('y', 'matched')),
    'review wrong_currency',
  )
})

test('if the setting of the wallet says so, a broken or doubtful balance chain sends waiting alerts to review', () => {
  const [on, off] = [{ reviewBrokenChains: true }, { reviewBrokenChains: false }]
  const low = earlier('low', 'review', 'low_trust')
  const waiting = classify(money(), wallet(), {}, [low])
  for (const link of ['break', 'doubtful'] as const) {
    const checked = checkBalance(waiting, on, link)
    assert.deepEqual(checked, { state: 'review', reason: 'broken_chain', supersedes: [low] })
    assert.equal(checkBalance(waiting, off, link), waiting)
  }
  for (const link of ['fits', 'unknown'] as const) assert.equal(checkBalance(waiting, on, link), waiting)
  const reviewed = classify(money({ referenceKey: null }), wallet(), {}, [])
  assert.equal(checkBalance(reviewed, on, 'break'), reviewed)
})

test('each credit or debit changes the balance once; duplicates and money of another SIM or currency do not', () => {
  const moves = (reading: Money, rules: WalletRules, sameText?: EarlierAlert, ...sameReference: EarlierAlert[]) =>
    movesBalance(classify(reading, rules, { repeated: sameText }, sameReference), reading)
  assert.ok(moves(money(), wallet()))
  assert.ok(moves(money({ direction: 'debit' }), wallet()))
  assert.ok(moves(money({ trusted: false }), wallet()))
  assert.ok(moves(money(), wallet({ phoneOn: false })))
  assert.ok(moves(money(), wallet(), undefined, earlier('sim', 'review', 'other_sim')))
  assert.ok(!moves(money({ simSlot: 'SIM2' }), wallet()))
  assert.ok(!moves(money({ currency: 'SAR' }), wallet()))
  assert.ok(!moves(money(), wallet(), earlier('a', 'waiting')))
  assert.ok(!moves(money(), wallet(), undefined, earlier('a', 'waiting')))
})

test('an alert verifies only the exact amount, inside the window, and less than a day after its arrival', () => {
  const intent = { payable: minor(1000n), expiresAt: 5000 }
  const alert = { amount: minor(1000n), receivedAt: 1000, trusted: true }
  assert.deepEqual(judge(intent, alert, 4999), { kind: 'verified', at: 4999 })
  assert.deepEqual(judge(intent, alert, 5000), { kind: 'late' })
  assert.deepEqual(judge(intent, { ...alert, amount: minor(999n) }, 4999), { kind: 'wrong-amount', paid: 999n })
  assert.deepEqual(judge(intent, { ...alert, amount: minor(999n), trusted: false }, 4999), { kind: 'unproved' })
  assert.equal(judge(intent, { ...alert, trusted: false }, 4999).kind, 'verified')
  const open = { ...intent, expiresAt: Number.MAX_SAFE_INTEGER }
  assert.equal(judge(open, alert, 1000 + matchable_ms - 1).kind, 'verified')
  assert.equal(judge(open, alert, 1000 + matchable_ms).kind, 'late')
})

test('a message that denies a payment goes to review, and so does the payment if it arrives later', () => {
  assert.equal(verdict(money({ denied: true }), wallet()), 'review denied')
  assert.equal(verdict(money({ denied: true }), wallet(), undefined, earlier('a', 'matched')), 'review denied')
  assert.equal(verdict(money(), wallet(), undefined, earlier('no', 'review', 'denied')), 'review denied')
  assert.equal(verdict(money({ denied: true, referenceKey: null }), wallet()), 'review denied')
})

test('a message with unexpected words goes to review like one that denies the payment, and moves no balance', () => {
  assert.equal(verdict(money({ unexpectedWords: true }), wallet()), 'review unexpected_words')
  assert.equal(
    verdict(money({ unexpectedWords: true }), wallet(), undefined, earlier('a', 'matched')),
    'review unexpected_words',
  )
  assert.equal(
    verdict(money(), wallet(), undefined, earlier('odd', 'review', 'unexpected_words')),
    'review unexpected_words',
  )
  assert.equal(
    verdict(money(), wallet(), undefined, earlier('odd', 'dismissed', 'unexpected_words')),
    'duplicate same_reference odd',
  )
  assert.equal(verdict(money({ unexpectedWords: true, denied: true }), wallet()), 'review denied')
  assert.equal(verdict(money({ unexpectedWords: true, referenceKey: null }), wallet()), 'review unexpected_words')
  const held = { state: 'held', reason: 'device_off' } as const
  assert.ok(!movesBalance(held, money({ unexpectedWords: true })))
  assert.ok(movesBalance(held, money()))
})

test('an unsigned denial is a doubt about a signed payment and stops nothing; it stops an unsigned one', () => {
  const forged = earlier('no', 'review', 'denied', { trusted: false })
  assert.equal(verdict(money(), wallet(), undefined, forged), 'waiting no_intent')
  assert.equal(outrankedDenial(money(), [forged])?.id, 'no')
  const otherAmount = earlier('no', 'review', 'denied', { trusted: false, amount: 5n })
  assert.equal(verdict(money(), wallet(), undefined, otherAmount), 'waiting no_intent')
  assert.equal(
    verdict(money(), wallet(), undefined, earlier('no', 'dismissed', 'denied', { trusted: false })),
    'waiting no_intent',
  )
  const limit = { lowTrustLimit: minor(5000n) }
  assert.equal(verdict(money({ trusted: false }), wallet(limit), undefined, forged), 'review denied')
  assert.equal(outrankedDenial(money({ trusted: false }), [forged]), undefined)
  const signed = earlier('no', 'review', 'denied')
  assert.equal(verdict(money(), wallet(), undefined, forged, signed), 'review denied')
  assert.equal(outrankedDenial(money(), [signed]), undefined)
  assert.equal(outrankedDenial(money({ direction: 'debit' }), [forged]), undefined)
  assert.equal(outrankedDenial(money({ denied: true }), [forged]), undefined)
  assert.equal(outrankedDenial(money(), [earlier('no', 'dismissed', 'denied', { trusted: false })]), undefined)
})

test('a report of the same text, or of a part of it, that denies the payment holds it, unless it is unsigned and this one is not', () => {
  const said = (denial: EarlierAlert | undefined, fields: Partial<Money> = {}) => {
    const reading = money(fields)
    const { state, reason } = classify(reading, wallet(), { denial: denialAmong(reading, denial ? [denial] : []) }, [])
    return `${state} ${reason}`
  }
  assert.equal(said(undefined), 'waiting no_intent')
  assert.equal(said(earlier('no', 'review', 'denied')), 'review denied')
  assert.equal(said(earlier('no', 'review', 'unexpected_words')), 'review unexpected_words')
  assert.equal(said(earlier('no', 'review', 'denied'), { referenceKey: null }), 'review denied')
  assert.equal(said(earlier('no', 'review', 'denied', { trusted: false })), 'waiting no_intent')
  assert.equal(said(earlier('no', 'review', 'no_reference')), 'waiting no_intent')
  assert.equal(said(earlier('no', 'dismissed', 'denied')), 'waiting no_intent')
  assert.equal(said(earlier('no', 'review', 'denied'), { direction: 'debit' }), 'debit ')
  // The same text came before with such a title: a repetition, unless that one was unsigned.
  assert.equal(verdict(money(), wallet(), earlier('no', 'review', 'denied')), 'duplicate same_text no')
  assert.equal(verdict(money(), wallet(), earlier('no', 'review', 'denied', { trusted: false })), 'waiting no_intent')
})

test('money has come if a credit is signed, is not held and no duplicate, and nothing is doubtful about its source or its words', () => {
  const alert = (state: AlertState, reason: Reason = '', fields: { trusted?: boolean } = {}) =>
    showsMoney({ ...earlier('a', state, reason, fields), direction: 'credit' })
  for (const [state, reason] of [
    ['matched', ''],
    ['wrong_amount', ''],
    ['waiting', 'no_intent'],
    ['review', 'no_reference'],
    ['review', 'above_limit'],
    ['review', 'broken_chain'],
    ['review', 'late'],
  ] as const)
    assert.ok(alert(state, reason), `${state} ${reason}`)
  for (const [state, reason] of [
    ['duplicate', 'same_text'],
    ['held', 'device_off'],
    ['dismissed', 'no_intent'],
    ['review', 'denied'],
    ['review', 'unexpected_words'],
    ['review', 'other_sim'],
    ['review', 'other_app'],
    ['review', 'wrong_currency'],
    ['review', 'seen_before'],
    ['review', 'read_in_part'],
    ['review', 'not_decided'],
  ] as const)
    assert.ok(!alert(state, reason), `${state} ${reason}`)
  assert.ok(!alert('matched', '', { trusted: false }))
  assert.ok(!alert('review', 'no_reference', { trusted: false }))
  assert.ok(!showsMoney({ ...earlier('a', 'debit'), direction: 'debit' }))
  assert.ok(!showsMoney({ ...earlier('a', 'unread', 'not_understood'), amount: null, direction: null }))
})

test('a notification of another app goes to review, and is superseded by the provider’s own message', () => {
  assert.equal(verdict(money({ otherApp: true }), wallet()), 'review other_app')
  const other = earlier('other', 'review', 'other_app')
  assert.equal(verdict(money(), wallet(), undefined, other), 'waiting no_intent > other')
  assert.equal(
    verdict(money({ otherApp: true }), wallet(), undefined, earlier('a', 'matched')),
    'duplicate same_reference a',
  )
})

test('a signed alert supersedes an unsigned one of another amount; an unsigned alert supersedes none', () => {
  const unproved = earlier('low', 'waiting', 'no_intent', { amount: 5n, trusted: false })
  assert.equal(verdict(money(), wallet(), undefined, unproved), 'waiting no_intent > low')
  const proved = earlier('first', 'waiting', 'no_intent', { amount: 5n })
  assert.equal(verdict(money(), wallet(), undefined, proved), 'review second_amount')
  const limit = { lowTrustLimit: minor(5000n) }
  assert.equal(verdict(money({ trusted: false }), wallet(limit), undefined, proved), 'review second_amount')
})

test('a message goes to review if another phone reported it for another wallet, or if a part was read as other money', () => {
  const elsewhere = earlier('elsewhere', 'matched')
  assert.equal(classify(money(), wallet(), { elsewhere }, []).reason, 'seen_before')
  assert.equal(classify(money(), wallet(), { readInPart: true }, []).reason, 'read_in_part')
})

test('a credit that was not compared with all alerts of its text waits for a member, unless its reference decides', () => {
  const more = { more: true }
  assert.equal(classify(money(), wallet(), more, []).reason, 'seen_before')
  assert.equal(classify(money(), wallet(), more, [earlier('first', 'matched')]).reason, 'same_reference')
  assert.equal(classify(money({ referenceKey: null }), wallet(), more, []).reason, 'no_reference')
  assert.equal(classify(money(), wallet(), { more: false }, []).state, 'waiting')
  const unproved = earlier('low', 'waiting', 'no_intent', { amount: 5n, trusted: false })
  assert.deepEqual(classify(money(), wallet(), more, [unproved]), {
    state: 'review',
    reason: 'seen_before',
    supersedes: [unproved],
  })
})

test('a credit that was not compared with all parts of messages waits for a member', () => {
  const waiting = { state: 'waiting', reason: 'no_intent', supersedes: [] } as const
  assert.deepEqual(checkCompared(waiting, true), { ...waiting, state: 'review', reason: 'seen_before' })
  assert.equal(checkCompared(waiting, false), waiting)
  const review = { ...waiting, state: 'review', reason: 'no_reference' } as const
  assert.equal(checkCompared(review, true), review)
})

test('an alert with money has moved the balance, unless its source or its text is doubtful', () => {
  assert.ok(hasMovedBalance(earlier('a', 'matched')))
  assert.ok(hasMovedBalance(earlier('a', 'review', 'low_trust')))
  assert.ok(!hasMovedBalance(earlier('a', 'review', 'denied')))
  assert.ok(!hasMovedBalance(earlier('a', 'review', 'other_sim')))
  assert.ok(!hasMovedBalance({ ...earlier('a', 'unread'), amount: null }))
})

test('an alert of another SIM or app says so, also if an earlier one of the same kind had another amount', () => {
  const otherSim = money({ simSlot: 'SIM2' })
  const other = { amount: 5n }
  assert.equal(verdict(otherSim, wallet(), undefined, earlier('a', 'review', 'other_sim', other)), 'review other_sim')
  const otherApp = money({ otherApp: true })
  assert.equal(verdict(otherApp, wallet(), undefined, earlier('a', 'review', 'other_app', other)), 'review other_app')
})

test('a doubtful alert repeats an earlier one without a doubt; an unsigned one repeats every earlier one', () => {
  const same = 'duplicate same_reference a'
  assert.equal(verdict(money({ simSlot: 'SIM2' }), wallet(), undefined, earlier('a', 'review', 'above_limit')), same)
  assert.equal(verdict(money({ trusted: false }), wallet(), undefined, earlier('a', 'review', 'other_sim')), same)
})

test('a report of the same message is better than a held one only if it is a credit without a doubt, or only unsigned', () => {
  const held = earlier('a', 'held', 'device_off')
  const repeated = 'duplicate same_text a'
  assert.equal(verdict(money(), wallet(), held), 'waiting no_intent')
  assert.equal(verdict(money({ trusted: false }), wallet(), held), 'review low_trust')
  assert.equal(verdict(money({ simSlot: 'SIM2' }), wallet(), held), repeated)
  assert.equal(verdict(money({ denied: true }), wallet(), held), repeated)
  assert.equal(verdict(money({ direction: 'debit' }), wallet(), held), repeated)
  assert.equal(verdict(money(), wallet({ phoneOn: false }), held), repeated)
})

test('without a reference, a signed report is better than an unsigned one that waits in review', () => {
  const plain = money({ referenceKey: null })
  const unsigned = earlier('a', 'review', 'no_reference', { trusted: false })
  const repeated = 'duplicate same_text a'
  assert.equal(verdict(plain, wallet(), unsigned), 'review no_reference')
  assert.equal(verdict(money(), wallet(), unsigned), 'waiting no_intent')
  const trusting = wallet({ lowTrustLimit: minor(5000n) })
  assert.equal(verdict({ ...plain, trusted: false }, trusting, unsigned), repeated)
  assert.equal(verdict(plain, wallet(), earlier('a', 'review', 'no_reference')), repeated)
  assert.equal(verdict(plain, wallet(), { ...unsigned, state: 'booked' }), repeated)
  assert.equal(verdict(plain, wallet(), { ...unsigned, state: 'dismissed' }), repeated)
})

test('a signed alert is no duplicate of an unsigned one in review, whatever that waits for', () => {
  for (const reason of ['low_trust', 'broken_chain', 'above_limit', 'amount_seen', 'late'] as const) {
    const unsigned = earlier('u', 'review', reason, { trusted: false })
    assert.equal(verdict(money(), wallet(), undefined, unsigned), 'waiting no_intent > u')
    assert.equal(verdict(money(), wallet(), unsigned, unsigned), 'waiting no_intent > u')
    // Another amount: the signed alert counts, and the unsigned one stays in review.
    assert.equal(verdict(money({ amount: minor(7n) }), wallet(), undefined, unsigned), 'waiting no_intent')
    assert.equal(
      verdict(money(), wallet(), undefined, { ...unsigned, state: 'dismissed' }),
      'review dismissed_before > u',
    )
  }
  // A signed one in review, and an unsigned one that was used, still count.
  assert.equal(
    verdict(money(), wallet(), undefined, earlier('s', 'review', 'above_limit')),
    'duplicate same_reference s',
  )
  const used = earlier('m', 'matched', '', { trusted: false })
  assert.equal(verdict(money(), wallet(), undefined, used), 'duplicate same_reference m')
})

test('of several earlier alerts the open one without a doubt is repeated, then the first doubtful one, then a dismissed one', () => {
  const unsigned = money({ trusted: false })
  const [sim, app] = [earlier('sim', 'review', 'other_sim'), earlier('app', 'review', 'other_app')]
  const [sure, dismissed] = [earlier('sure', 'review', 'above_limit'), earlier('dismissed', 'dismissed')]
  const repeats = (...alerts: EarlierAlert[]) => verdict(unsigned, wallet(), undefined, ...alerts)
  assert.equal(repeats(dismissed, sim, sure), 'duplicate same_reference sure')
  assert.equal(repeats(dismissed, sim, app), 'duplicate same_reference sim')
  assert.equal(repeats(dismissed), 'duplicate same_reference dismissed')
})
