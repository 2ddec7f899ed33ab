/**
 * What an alert means. Pure and small: every rule that decides about money is on this page, in the order in which it is
 * asked. Whoever calls holds the locks that make the context true until it has written the answer down.
 */
import { type AlertState, claimable_ms, type Reason } from '../../alerts/alert.ts'
import type { Link } from '../../alerts/balances/balance-chain.ts'
import type { Instant } from '../../core/clock.ts'
import type { Minor } from '../../core/money.ts'

/** A credit or debit that was read, with what is known of where it came from. */
export type Money = {
  readonly direction: 'credit' | 'debit'
  readonly amount: Minor
  readonly currency: string
  readonly referenceKey: string | null
  readonly simSlot: string
  /** Whether the phone proved that these are its words. */
  readonly trusted: boolean
  /** Its words say that the payment was reversed, failed or is pending. */
  readonly denied: boolean
  /** A notification of an app that is not the provider's. */
  readonly otherApp: boolean
}

export type WalletRules = {
  readonly currency: string
  readonly simSlot: string
  readonly deviceOn: boolean
  readonly reviewAbove: Minor | null
  readonly lowTrustLimit: Minor
  readonly reviewBrokenChains: boolean
}

/** An alert that came before: of the same text, or of the same wallet and reference. */
export type Earlier = {
  readonly id: unknown
  readonly amount: Minor | null
  readonly currency: string | null
  readonly trusted: boolean
  readonly state: AlertState
  readonly reason: Reason
}

/** What is known of the text of an alert. */
export type SameText<E extends Earlier> = {
  /** The same message, reported before. */
  readonly repeated?: E | undefined
  /** The same message, reported by another phone for another wallet. */
  readonly elsewhere?: E | undefined
  /** Part of it was read as other money, or it is part of a message that says something else. */
  readonly readInPart?: boolean
}

export type Verdict<E extends Earlier> =
  | { readonly state: 'held' | 'debit'; readonly reason: Reason }
  | { readonly state: 'duplicate'; readonly reason: Reason; readonly of: E }
  /** `supersedes`: earlier alerts of the same money that prove less. This one takes their place, unless a person set them aside. */
  | { readonly state: 'waiting' | 'review'; readonly reason: Reason; readonly supersedes: readonly E[] }

const review = (reason: Reason) => ({ state: 'review', reason, supersedes: [] }) as const

/** Where an alert goes before any intent is asked. `waiting` may be matched; everything else never is by itself. */
export const classify = <E extends Earlier>(
  money: Money,
  wallet: WalletRules,
  text: SameText<E>,
  sameReference: readonly E[],
): Verdict<E> => {
  const doubt = sourceDoubt(money, wallet)
  const { repeated } = text
  if (repeated !== undefined && !isBetterReport(money, wallet, doubt, repeated))
    return { state: 'duplicate', reason: 'same_text', of: repeated }
  if (!wallet.deviceOn) return { state: 'held', reason: 'device_off' }
  if (money.direction === 'debit') return { state: 'debit', reason: '' }
  if (money.denied) return review('denied')
  if (text.readInPart) return review('read_in_part')
  if (text.elsewhere !== undefined) return review('seen_before')
  if (money.referenceKey === null) return review(doubt === undefined || doubt === 'low_trust' ? 'no_reference' : doubt)

  // A message that takes this payment back may come before the one that it takes back.
  if (sameReference.some((one) => one.reason === 'denied' && one.state === 'review')) return review('denied')
  const before = decisiveAlert(sameReference.filter((one) => isRelevant(money, wallet, doubt, one)))
  if (before !== undefined && isSameMoney(money, before))
    return { state: 'duplicate', reason: 'same_reference', of: before }
  if (doubt === 'wrong_currency' || doubt === 'other_sim' || doubt === 'other_app') return review(doubt)
  if (before !== undefined) return review('second_amount')
  if (doubt !== undefined) return review(doubt)

  const supersedes = sameReference.filter(
    (one) => (isSameMoney(money, one) && provesLess(money, wallet, one)) || isUnprovedOther(money, one),
  )
  // What was set aside is not matched by itself again; but who set a doubtful alert aside has not seen this one.
  if (supersedes.some(({ state }) => state === 'dismissed')) return { ...review('dismissed_before'), supersedes }
  if (wallet.reviewAbove !== null && money.amount > wallet.reviewAbove) return { ...review('above_limit'), supersedes }
  return { state: 'waiting', reason: 'no_intent', supersedes }
}

/** The last rule, asked when the balances have been looked at: that needs to know whether the alert moves them. */
export const checkBalance = <E extends Earlier>(
  verdict: Verdict<E>,
  wallet: Pick<WalletRules, 'reviewBrokenChains'>,
  link: Link['kind'],
): Verdict<E> =>
  verdict.state === 'waiting' && wallet.reviewBrokenChains && (link === 'break' || link === 'doubtful')
    ? { ...verdict, state: 'review', reason: 'broken_chain' }
    : verdict

const noMovement: readonly Reason[] = [
  'wrong_currency',
  'other_sim',
  'denied',
  'other_app',
  'seen_before',
  'read_in_part',
]

/**
 * Whether an alert's movement is one of the wallet's balance that nobody counted before: no repetition, not of another SIM,
 * app or currency, not taken back, and not in the place of an alert that moved it already.
 */
export const movesBalance = <E extends Earlier>(verdict: Verdict<E>, money: Pick<Money, 'denied'>): boolean => {
  if (verdict.state === 'duplicate' || money.denied || noMovement.includes(verdict.reason)) return false
  return !('supersedes' in verdict) || verdict.supersedes.every(({ reason }) => reason !== 'low_trust')
}

type Doubt = 'wrong_currency' | 'other_sim' | 'other_app' | 'low_trust'

/** What is wrong with an alert because of where it comes from, however true it may be. */
const sourceDoubt = (money: Money, wallet: WalletRules): Doubt | undefined => {
  if (money.currency !== wallet.currency) return 'wrong_currency'
  if (money.simSlot !== '' && wallet.simSlot !== '' && money.simSlot !== wallet.simSlot) return 'other_sim'
  if (money.otherApp) return 'other_app'
  return !money.trusted && money.amount > wallet.lowTrustLimit ? 'low_trust' : undefined
}

export const isSameMoney = (money: Pick<Money, 'amount' | 'currency'>, one: Earlier): boolean =>
  one.amount === money.amount && one.currency === money.currency

/** Reported by a phone that did not prove it, by a SIM that was not the wallet's, or by another app; this one by none of
 *  these. Once a person has booked an alert, its reason is gone: nobody doubts it any more. */
const provesLess = (money: Money, wallet: WalletRules, one: Earlier): boolean =>
  (one.reason === 'low_trust' && money.trusted) ||
  (one.reason === 'other_sim' && money.simSlot === wallet.simSlot) ||
  (one.reason === 'other_app' && !money.otherApp)

/** An unproved alert of another amount, small enough to wait for an intent, gives way to a proved one. */
const isUnprovedOther = (money: Money, one: Earlier): boolean =>
  money.trusted && !one.trusted && one.state === 'waiting' && !isSameMoney(money, one)

const standing: readonly AlertState[] = ['waiting', 'matched', 'wrong_amount', 'booked']
const doubts: readonly Reason[] = ['wrong_currency', 'other_sim', 'other_app', 'low_trust'] satisfies readonly Doubt[]

/**
 * Whether an earlier alert of the reference has a say in what this one means. What stands for the reference always has,
 * unless it is unproved and of another amount. Other currencies are other money. An alert without a doubt ignores the
 * doubtful ones that it supersedes; one that is doubtful itself minds only its like, unless it lacks proof: then all.
 */
const isRelevant = (money: Money, wallet: WalletRules, doubt: Doubt | undefined, one: Earlier): boolean => {
  if (isUnprovedOther(money, one)) return false
  if (standing.includes(one.state)) return true
  if (one.currency !== money.currency) return false
  if (!doubts.includes(one.reason) || doubt === 'low_trust') return true
  return doubt === undefined ? !provesLess(money, wallet, one) : one.reason === doubt
}

/**
 * Of one message that was reported twice, the second report says more if it counts and the first does not: the first was
 * held, nobody could read it, or it proved less.
 */
const isBetterReport = (money: Money, wallet: WalletRules, doubt: Doubt | undefined, one: Earlier): boolean => {
  if (!wallet.deviceOn || money.direction !== 'credit' || money.denied) return false
  if (one.state === 'held' || one.state === 'unread') return doubt === undefined || doubt === 'low_trust'
  return doubt === undefined && (provesLess(money, wallet, one) || isUnprovedRepeat(money, one))
}

/** Without a reference the reason does not tell that it was unproved. */
const isUnprovedRepeat = (money: Money, one: Earlier): boolean =>
  money.referenceKey === null && money.trusted && !one.trusted && one.state === 'review'

/**
 * Which of the earlier alerts of a reference decides what a new one means: the one that stands for the money, else one that
 * only waits for a person, else a doubtful one, else what was set aside.
 */
const decisiveAlert = <E extends Earlier>(named: readonly E[]): E | undefined => {
  const open = named.filter(({ state }) => state !== 'dismissed')
  return (
    open.find(({ state }) => standing.includes(state)) ??
    open.find(({ reason }) => !doubts.includes(reason)) ??
    open[0] ??
    named[0]
  )
}

export type Outcome =
  | { readonly kind: 'verified'; readonly at: Instant }
  | { readonly kind: 'wrong-amount'; readonly paid: Minor }
  | { readonly kind: 'late' }
  /** Another amount, of a phone that proved nothing: it ends no intent. */
  | { readonly kind: 'unproved' }

/** What an alert that is not spent means for the intent that names it. The caller has checked wallet and reference. */
export const judge = (
  intent: { readonly payable: Minor; readonly expiresAt: Instant },
  alert: { readonly amount: Minor; readonly receivedAt: Instant; readonly trusted: boolean },
  now: Instant,
): Outcome => {
  if (now >= intent.expiresAt || now >= alert.receivedAt + claimable_ms) return { kind: 'late' }
  if (alert.amount === intent.payable) return { kind: 'verified', at: now }
  return alert.trusted ? { kind: 'wrong-amount', paid: alert.amount } : { kind: 'unproved' }
}
