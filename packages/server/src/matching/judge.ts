/**
 * What an alert means. Pure and small: every rule that decides about money is on this page, in the order in which it is
 * asked. Whoever calls holds the locks that make the context true until it has written the answer down.
 */
import { type AlertState, claimable_ms, type Reason } from '../alerts/alert.ts'
import type { Link } from '../alerts/balance-chain.ts'
import type { Instant } from '../ground/clock.ts'
import type { Minor } from '../ground/money.ts'

/** A credit or debit that was read, with what is known of where it came from. */
export type Money = {
  readonly direction: 'credit' | 'debit'
  readonly amount: Minor
  readonly currency: string
  readonly referenceKey: string | null
  readonly simSlot: string
  /** Whether the phone proved that these are its words. */
  readonly trusted: boolean
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
  readonly state: AlertState
  readonly reason: Reason
}

export type Verdict<E extends Earlier> =
  | { readonly state: 'held' | 'debit'; readonly reason: Reason }
  | { readonly state: 'duplicate'; readonly reason: Reason; readonly of: E }
  /** `outdoes`: earlier words of the same money that prove less. Those that nobody put aside make room for this one. */
  | { readonly state: 'waiting' | 'review'; readonly reason: Reason; readonly outdoes: readonly E[] }

const review = (reason: Reason) => ({ state: 'review', reason, outdoes: [] }) as const

/** Where an alert goes before any intent is asked. `waiting` may be matched; everything else never is by itself. */
export const sift = <E extends Earlier>(
  money: Money,
  wallet: WalletRules,
  sameText: E | undefined,
  sameReference: readonly E[],
): Verdict<E> => {
  const doubt = doubtOf(money, wallet)
  if (sameText !== undefined && !saysMore(money, wallet, doubt, sameText))
    return { state: 'duplicate', reason: 'same_text', of: sameText }
  if (!wallet.deviceOn) return { state: 'held', reason: 'device_off' }
  if (money.direction === 'debit') return { state: 'debit', reason: '' }
  if (money.referenceKey === null) return review(doubt === undefined || doubt === 'low_trust' ? 'no_reference' : doubt)

  const before = decisive(sameReference.filter((one) => speaksFor(money, wallet, doubt, one)))
  if (before !== undefined && isSameMoney(money, before))
    return { state: 'duplicate', reason: 'same_reference', of: before }
  if (doubt === 'wrong_currency' || doubt === 'other_sim') return review(doubt)
  if (before !== undefined) return review('second_amount')
  if (doubt !== undefined) return review(doubt)

  const outdoes = sameReference.filter((one) => isSameMoney(money, one) && provesLess(money, wallet, one))
  // What was put aside is not matched by itself again; but who put a doubtful word aside has not seen this one.
  if (outdoes.some(({ state }) => state === 'dismissed')) return { ...review('dismissed_before'), outdoes }
  if (wallet.reviewAbove !== null && money.amount > wallet.reviewAbove) return { ...review('above_limit'), outdoes }
  return { state: 'waiting', reason: 'no_intent', outdoes }
}

/** The last rule, asked when the balances have been looked at: that needs to know whether the alert moves them. */
export const mindBalance = <E extends Earlier>(
  verdict: Verdict<E>,
  wallet: Pick<WalletRules, 'reviewBrokenChains'>,
  link: Link['kind'],
): Verdict<E> =>
  verdict.state === 'waiting' && wallet.reviewBrokenChains && (link === 'break' || link === 'doubtful')
    ? { ...verdict, state: 'review', reason: 'broken_chain' }
    : verdict

/**
 * Whether an alert's movement is one of the wallet's balance that nobody counted before: no repetition, not of another SIM or
 * currency, and not in the place of a word that moved it already.
 */
export const movesBalance = <E extends Earlier>(verdict: Verdict<E>): boolean => {
  if (verdict.state === 'duplicate' || verdict.reason === 'wrong_currency' || verdict.reason === 'other_sim')
    return false
  return !('outdoes' in verdict) || verdict.outdoes.every(({ reason }) => reason !== 'low_trust')
}

type Doubt = 'wrong_currency' | 'other_sim' | 'low_trust'

/** What is wrong with an alert because of where it comes from, however true it may be. */
const doubtOf = (money: Money, wallet: WalletRules): Doubt | undefined => {
  if (money.currency !== wallet.currency) return 'wrong_currency'
  if (money.simSlot !== '' && wallet.simSlot !== '' && money.simSlot !== wallet.simSlot) return 'other_sim'
  return !money.trusted && money.amount > wallet.lowTrustLimit ? 'low_trust' : undefined
}

const isSameMoney = (money: Money, one: Earlier): boolean =>
  one.amount === money.amount && one.currency === money.currency

/** Said by a phone that did not prove it, or by a SIM that was not the wallet's; this one by both. Once a person has booked
 *  a word, its reason is gone: nobody doubts it any more. */
const provesLess = (money: Money, wallet: WalletRules, one: Earlier): boolean =>
  (one.reason === 'low_trust' && money.trusted) || (one.reason === 'other_sim' && money.simSlot === wallet.simSlot)

const standing: readonly AlertState[] = ['waiting', 'matched', 'wrong_amount', 'booked']
const doubts: readonly Reason[] = ['wrong_currency', 'other_sim', 'low_trust'] satisfies readonly Doubt[]

/**
 * Whether an earlier word of the reference has a say in what this one means. What stands for the reference always has. Other
 * currencies are other money. Of what is doubtful, a word that counts minds only what it does not outdo; one that is doubtful
 * itself only its like, unless it is for want of proof: then all.
 */
const speaksFor = (money: Money, wallet: WalletRules, doubt: Doubt | undefined, one: Earlier): boolean => {
  if (standing.includes(one.state)) return true
  if (one.currency !== money.currency) return false
  if (!doubts.includes(one.reason) || doubt === 'low_trust') return true
  return doubt === undefined ? !provesLess(money, wallet, one) : one.reason === doubt
}

/** Of the same text, one that counts says more than one that does not: than a doubtful one, or one that nobody read. */
const saysMore = (money: Money, wallet: WalletRules, doubt: Doubt | undefined, one: Earlier): boolean =>
  wallet.deviceOn &&
  money.direction === 'credit' &&
  money.referenceKey !== null &&
  doubt === undefined &&
  (one.state === 'held' || one.state === 'unread' || provesLess(money, wallet, one))

/**
 * Which of the earlier words of a reference decides what a new one means: the one that stands for the money, else one that
 * only waits for a person, else a doubtful one, else what was put aside.
 */
const decisive = <E extends Earlier>(named: readonly E[]): E | undefined => {
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

/** What a waiting alert means for the intent it names. The caller has checked the wallet and the reference. */
export const judge = (
  intent: { readonly payable: Minor; readonly expiresAt: Instant },
  alert: { readonly amount: Minor; readonly receivedAt: Instant },
  now: Instant,
): Outcome => {
  if (now >= intent.expiresAt || now >= alert.receivedAt + claimable_ms) return { kind: 'late' }
  if (alert.amount !== intent.payable) return { kind: 'wrong-amount', paid: alert.amount }
  return { kind: 'verified', at: now }
}
