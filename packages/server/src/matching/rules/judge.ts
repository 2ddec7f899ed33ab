/**
 * What an alert means. Every rule that decides about money is in this file, in the order in which it is applied. The caller
 * holds the locks that keep what it passes in true until it has written the answer. Pure.
 */
import { type AlertState, matchable_ms, type Reason, standingStates } from '../../alerts/alert.ts'
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
  /** Whether the report was signed by the phone. */
  readonly trusted: boolean
  /** The text says that the payment was reversed, failed or is pending. */
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

/** An alert that came before: with the same text, or with the same wallet and reference. */
export type Earlier = {
  readonly id: unknown
  readonly amount: Minor | null
  readonly currency: string | null
  readonly trusted: boolean
  readonly state: AlertState
  readonly reason: Reason
}

/** What is known of an alert's text. */
export type SameText<E extends Earlier> = {
  /** The same message, reported before. */
  readonly repeated?: E | undefined
  /** The same message, reported by another phone for another wallet. */
  readonly elsewhere?: E | undefined
  /** A part of the message was read as other money, or this is a part of a message that was read differently. */
  readonly readInPart?: boolean
}

export type Verdict<E extends Earlier> =
  | { readonly state: 'held' | 'debit'; readonly reason: Reason }
  | { readonly state: 'duplicate'; readonly reason: Reason; readonly of: E }
  /** `supersedes`: earlier alerts of the same money that prove less. This one takes their place, unless they are dismissed. */
  | { readonly state: 'waiting' | 'review'; readonly reason: Reason; readonly supersedes: readonly E[] }

const review = (reason: Reason) => ({ state: 'review', reason, supersedes: [] }) as const

/** The verdict before any intent is considered. Only `waiting` is matched by the service. */
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

  // The message that takes a payment back may arrive before the message of the payment.
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
  // A dismissed payment is not matched by the service again; but the member dismissed a doubtful alert, not this one.
  if (supersedes.some(({ state }) => state === 'dismissed')) return { ...review('dismissed_before'), supersedes }
  if (wallet.reviewAbove !== null && money.amount > wallet.reviewAbove) return { ...review('above_limit'), supersedes }
  return { state: 'waiting', reason: 'no_intent', supersedes }
}

/** The last rule. It comes after `movesBalance`, because the link is known only then. */
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
 * Whether an alert moves the wallet's balance. It does not if it is a duplicate, of another SIM, app or currency, if its text
 * takes the payment back, or if it supersedes an alert that has moved the balance already.
 */
export const movesBalance = <E extends Earlier>(verdict: Verdict<E>, money: Pick<Money, 'denied'>): boolean => {
  if (verdict.state === 'duplicate' || money.denied || noMovement.includes(verdict.reason)) return false
  return !('supersedes' in verdict) || verdict.supersedes.every(({ reason }) => reason !== 'low_trust')
}

/** Whether an earlier alert has moved the wallet's balance: another report of the same message does not move it again. */
export const hasMovedBalance = (one: Earlier): boolean => one.amount !== null && !noMovement.includes(one.reason)

const sourceDoubts = ['wrong_currency', 'other_sim', 'other_app', 'low_trust'] as const satisfies readonly Reason[]
type Doubt = (typeof sourceDoubts)[number]

/** Why the source of an alert is doubtful. */
const sourceDoubt = (money: Money, wallet: WalletRules): Doubt | undefined => {
  if (money.currency !== wallet.currency) return 'wrong_currency'
  if (money.simSlot !== '' && wallet.simSlot !== '' && money.simSlot !== wallet.simSlot) return 'other_sim'
  if (money.otherApp) return 'other_app'
  return !money.trusted && money.amount > wallet.lowTrustLimit ? 'low_trust' : undefined
}

export const isSameMoney = (money: Pick<Money, 'amount' | 'currency'>, one: Earlier): boolean =>
  one.amount === money.amount && one.currency === money.currency

/** The earlier alert is unsigned, of another SIM or of another app, and this one is not. A booked alert has no reason any
 *  more: the member who booked it removed the doubt. */
const provesLess = (money: Money, wallet: WalletRules, one: Earlier): boolean =>
  (one.reason === 'low_trust' && money.trusted) ||
  (one.reason === 'other_sim' && money.simSlot === wallet.simSlot) ||
  (one.reason === 'other_app' && !money.otherApp)

/** A signed alert supersedes an unsigned one of another amount that waits for an intent. */
const isUnprovedOther = (money: Money, one: Earlier): boolean =>
  money.trusted && !one.trusted && one.state === 'waiting' && !isSameMoney(money, one)

const standing: readonly AlertState[] = standingStates
const doubts: readonly Reason[] = sourceDoubts

/**
 * Whether an earlier alert of the reference counts when this one is classified.
 * - One that stands for the reference counts, unless it is unsigned and of another amount.
 * - One of another currency is other money and does not count.
 * - One without a doubt about its source counts; for an unsigned alert every one counts.
 * - A doubtful one counts for an alert without a doubt unless that supersedes it, and for a doubtful alert only if the
 *   doubt is the same.
 */
const isRelevant = (money: Money, wallet: WalletRules, doubt: Doubt | undefined, one: Earlier): boolean => {
  if (isUnprovedOther(money, one)) return false
  if (standing.includes(one.state)) return true
  if (one.currency !== money.currency) return false
  if (!doubts.includes(one.reason) || doubt === 'low_trust') return true
  return doubt === undefined ? !provesLess(money, wallet, one) : one.reason === doubt
}

/**
 * Whether this report of a message is better than the first one: this one counts, and the first was held, could not be read,
 * or proves less.
 */
const isBetterReport = (money: Money, wallet: WalletRules, doubt: Doubt | undefined, one: Earlier): boolean => {
  if (!wallet.deviceOn || money.direction !== 'credit' || money.denied) return false
  if (one.state === 'held' || one.state === 'unread') return doubt === undefined || doubt === 'low_trust'
  return doubt === undefined && (provesLess(money, wallet, one) || isUnprovedRepeat(money, one))
}

/** Without a reference the stored reason does not always say that the alert is unsigned. */
const isUnprovedRepeat = (money: Money, one: Earlier): boolean =>
  money.referenceKey === null && money.trusted && !one.trusted && one.state === 'review'

/**
 * The earlier alert of a reference that a new one is compared with: the one that stands for the money, else one in review
 * without a doubt about its source, else a doubtful one, else a dismissed one.
 */
const decisiveAlert = <E extends Earlier>(earlier: readonly E[]): E | undefined => {
  const open = earlier.filter(({ state }) => state !== 'dismissed')
  return (
    open.find(({ state }) => standing.includes(state)) ??
    open.find(({ reason }) => !doubts.includes(reason)) ??
    open[0] ??
    earlier[0]
  )
}

export type Outcome =
  | { readonly kind: 'verified'; readonly at: Instant }
  | { readonly kind: 'wrong-amount'; readonly paid: Minor }
  | { readonly kind: 'late' }
  /** Another amount, and unsigned: it ends no intent. */
  | { readonly kind: 'unproved' }

/** What an alert that is not spent means for the intent that holds its reference. The caller has checked wallet and
 *  reference. */
export const judge = (
  intent: { readonly payable: Minor; readonly expiresAt: Instant },
  alert: { readonly amount: Minor; readonly receivedAt: Instant; readonly trusted: boolean },
  now: Instant,
): Outcome => {
  if (now >= intent.expiresAt || now >= alert.receivedAt + matchable_ms) return { kind: 'late' }
  if (alert.amount === intent.payable) return { kind: 'verified', at: now }
  return alert.trusted ? { kind: 'wrong-amount', paid: alert.amount } : { kind: 'unproved' }
}
