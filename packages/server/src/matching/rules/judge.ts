/**
 * The rules of matching, in the order in which they are applied: the verdict about an alert, and the outcome for the intent
 * with its reference. The caller holds locks, so that its input stays true until the result is written. Pure.
 */
import { denialReasons } from '@sanad/contract/kinds'
import { type AlertState, matchable_ms, owningStates, type Reason } from '../../alerts/alert.ts'
import type { Link } from '../../alerts/balances/balance-chain.ts'
import type { Instant } from '../../core/clock.ts'
import type { Minor } from '../../core/money.ts'

/** A credit or debit that was read, and the source of its report. */ import type { WalletRules } from '../records/known-alerts.ts'

export type Money = {
  readonly direction: 'credit' | 'debit'
  readonly amount: Minor
  readonly currency: string
  readonly referenceKey: string | null
  readonly simSlot: string
  /** Whether the report was signed by the phone. */
  readonly trusted: boolean
  /** The text or the title says that the payment was reversed, failed or is pending. */
  readonly denied: boolean
  /** Where a name should be, the text has words of a sentence, or the title has words, which may change what it says. */
  readonly unexpectedWords: boolean
  /** A notification of an app that is not the provider's. */
  readonly otherApp: boolean
}

/** An earlier alert with the same text, or with the same wallet and reference. */
export type Earlier = {
  readonly id: unknown
  readonly amount: Minor | null
  readonly currency: string | null
  readonly trusted: boolean
  readonly state: AlertState
  readonly reason: Reason
}

/** Earlier reports of the alert's text. */
export type SameText<E extends Earlier> = {
  /** An earlier report of the same message. */
  readonly repeated?: E | undefined
  /** A report of the same message by another phone for another wallet. */
  readonly elsewhere?: E | undefined
  /** A report of the same text, or of a part of it, whose title says that the money did not arrive, or may say so. */
  readonly denial?: E | undefined
  /** A part of the message was read as other money, or this is a part of a message that was read differently. */
  readonly readInPart?: boolean
  /** There are more alerts with the text than were compared: this may be the same message as one of them. */
  readonly more?: boolean
}

export type Verdict<E extends Earlier> =
  | { readonly state: 'held' | 'debit'; readonly reason: Reason }
  | { readonly state: 'duplicate'; readonly reason: Reason; readonly duplicateOf: E }
  /** `supersedes`: earlier alerts with the same reference that prove less. This one replaces them, unless they are dismissed. */
  | { readonly state: 'waiting' | 'review'; readonly reason: Reason; readonly supersedes: readonly E[] }

const review = (reason: Reason) => ({ state: 'review', reason, supersedes: [] }) as const

/** The verdict before any intent is considered. The service matches only `waiting` alerts, and `no_reference` ones by their
 *  amount (amount-match.ts). */
export const classify = <E extends Earlier>(
  money: Money,
  wallet: WalletRules,
  text: SameText<E>,
  sameReference: readonly E[],
): Verdict<E> => {
  const doubt = sourceDoubt(money, wallet)
  const { repeated } = text
  if (repeated !== undefined && !isBetterReport(money, wallet, doubt, repeated))
    return { state: 'duplicate', reason: 'same_text', duplicateOf: repeated }
  if (!wallet.phoneOn) return { state: 'held', reason: 'device_off' }
  if (money.direction === 'debit') return { state: 'debit', reason: '' }
  if (money.denied) return review('denied')
  if (money.unexpectedWords) return review('unexpected_words')
  if (text.denial !== undefined) return review(text.denial.reason)
  if (text.readInPart) return review('read_in_part')
  if (text.elsewhere !== undefined) return review('seen_before')
  if (money.referenceKey === null) return review(doubt === undefined || doubt === 'low_trust' ? 'no_reference' : doubt)

  const denial = denialAmong(money, sameReference)
  if (denial !== undefined) return review(denial.reason)
  const counted = sameReference.filter((earlier) => !isOutrankedDenial(money, earlier))
  const before = decisiveAlert(counted.filter((earlier) => isRelevant(money, wallet, doubt, earlier)))
  if (before !== undefined && isSameMoney(money, before))
    return { state: 'duplicate', reason: 'same_reference', duplicateOf: before }
  if (doubt === 'wrong_currency' || doubt === 'other_sim' || doubt === 'other_app') return review(doubt)
  if (before !== undefined) return review('second_amount')
  if (doubt !== undefined) return review(doubt)

  const supersedes = counted.filter(
    (earlier) => (isSameMoney(money, earlier) && provesLess(money, wallet, earlier)) || isUnprovedOther(money, earlier),
  )
  // The service does not match a dismissed payment. But the member dismissed a doubtful alert, so this one goes to review.
  if (supersedes.some(({ state }) => state === 'dismissed')) return { ...review('dismissed_before'), supersedes }
  if (text.more === true) return { ...review('seen_before'), supersedes }
  if (wallet.reviewAbove !== null && money.amount > wallet.reviewAbove) return { ...review('above_limit'), supersedes }
  return { state: 'waiting', reason: 'no_intent', supersedes }
}

/** An unsigned message denies the payment, and this one is signed: anybody who knows the app's address can write the first. It is
 *  shown as a doubt about this one, and stops nothing. */
const isOutrankedDenial = (money: Pick<Money, 'trusted' | 'denied' | 'unexpectedWords'>, earlier: Earlier): boolean =>
  money.trusted && !money.denied && !money.unexpectedWords && !earlier.trusted && denials.includes(earlier.reason)

/** The unsigned denial that a signed credit outranks; undefined: there is none. */
export const outrankedDenial = <E extends Earlier>(
  money: Pick<Money, 'direction' | 'trusted' | 'denied' | 'unexpectedWords'>,
  sameReference: readonly E[],
): E | undefined =>
  money.direction === 'credit'
    ? sameReference.find((earlier) => earlier.state === 'review' && isOutrankedDenial(money, earlier))
    : undefined

/** The first of these alerts that denies the payment of this one. The message that denies it may arrive before the other. */
export const denialAmong = <E extends Earlier>(
  money: Pick<Money, 'trusted' | 'denied' | 'unexpectedWords'>,
  earlier: readonly E[],
): E | undefined =>
  earlier.find(
    (other) => other.state === 'review' && denials.includes(other.reason) && !isOutrankedDenial(money, other),
  )

/** The last rule: a balance that does not follow. It is applied after `movesBalance`, because the link is known only then. */
export const checkBalance = <E extends Earlier>(
  verdict: Verdict<E>,
  wallet: Pick<WalletRules, 'reviewBrokenChains'>,
  link: Link['kind'],
): Verdict<E> =>
  verdict.state === 'waiting' && wallet.reviewBrokenChains && (link === 'break' || link === 'doubtful')
    ? { ...verdict, state: 'review', reason: 'broken_chain' }
    : verdict

/** A credit is not matched if a part of its message, read as other money, may be among alerts that were not compared with it. It
 *  moves the balance all the same. */
export const checkCompared = <E extends Earlier>(verdict: Verdict<E>, moreParts: boolean): Verdict<E> =>
  verdict.state === 'waiting' && moreParts ? { ...verdict, state: 'review', reason: 'seen_before' } : verdict

const denials: readonly Reason[] = denialReasons

const noMovement: readonly Reason[] = [
  'wrong_currency',
  'other_sim',
  ...denials,
  'other_app',
  'seen_before',
  'read_in_part',
]

/**
 * Whether an alert moves the wallet's balance. It does not if it is a duplicate, if it is of another SIM, app or currency, if its
 * text denies the payment or has unexpected words, or if the message was seen for another wallet or read in part as other money.
 * Whether an alert that it supersedes has already moved the balance, the caller knows.
 */
export const movesBalance = <E extends Earlier>(
  verdict: Verdict<E>,
  money: Pick<Money, 'denied' | 'unexpectedWords'>,
): boolean => verdict.state !== 'duplicate' && !isDoubted(money) && !noMovement.includes(verdict.reason)

const isDoubted = (money: Pick<Money, 'denied' | 'unexpectedWords'>): boolean => money.denied || money.unexpectedWords

/** Whether an earlier alert has moved the wallet's balance: another report of the same message does not move it again. */
export const hasMovedBalance = (earlier: Earlier): boolean =>
  earlier.amount !== null && !noMovement.includes(earlier.reason)

/**
 * Whether an alert, as it was decided, shows that money has come into its wallet: a signed credit that is no duplicate and is not
 * held, without a doubt about its source or about what it says.
 */
export const showsMoney = (alert: Earlier & { readonly direction: 'credit' | 'debit' | null }): boolean =>
  alert.direction === 'credit' &&
  alert.trusted &&
  !notReceived.includes(alert.state) &&
  alert.reason !== 'not_decided' &&
  hasMovedBalance(alert)

const notReceived: readonly AlertState[] = ['duplicate', 'held', 'dismissed']

const sourceDoubts = ['wrong_currency', 'other_sim', 'other_app', 'low_trust'] as const satisfies readonly Reason[]
type Doubt = (typeof sourceDoubts)[number]

/** Why the source of an alert is doubtful; undefined: it is not. */
const sourceDoubt = (money: Money, wallet: WalletRules): Doubt | undefined => {
  if (money.currency !== wallet.currency) return 'wrong_currency'
  if (money.simSlot !== '' && wallet.simSlot !== '' && money.simSlot !== wallet.simSlot) return 'other_sim'
  if (money.otherApp) return 'other_app'
  return !money.trusted && money.amount > wallet.lowTrustLimit ? 'low_trust' : undefined
}

export const isSameMoney = (money: Pick<Money, 'amount' | 'currency'>, earlier: Earlier): boolean =>
  earlier.amount === money.amount && earlier.currency === money.currency

/** The earlier alert is unsigned, of another SIM or of another app, and this one is not. A booked alert has no reason: the
 *  member who booked it removed the doubt. */
const provesLess = (money: Money, wallet: WalletRules, earlier: Earlier): boolean =>
  isUnprovedReport(money, earlier) ||
  (earlier.reason === 'other_sim' && money.simSlot === wallet.simSlot) ||
  (earlier.reason === 'other_app' && !money.otherApp)

/** The earlier alert is unsigned and nobody has used it, whatever it waits for: its reason need not say that it is unsigned. Without
 *  a reference, a signed report does not bring back what a member dismissed. */
const isUnprovedReport = (money: Money, earlier: Earlier): boolean =>
  money.trusted &&
  !earlier.trusted &&
  (earlier.state === 'review' || (earlier.state === 'dismissed' && money.referenceKey !== null))

/** A signed alert supersedes an unsigned one of another amount that waits for an intent. */
const isUnprovedOther = (money: Money, earlier: Earlier): boolean =>
  money.trusted && !earlier.trusted && earlier.state === 'waiting' && !isSameMoney(money, earlier)

const owning: readonly AlertState[] = owningStates
const doubts: readonly Reason[] = sourceDoubts

/**
 * Whether an earlier alert with the same reference counts when this one is classified.
 * - An alert that owns the reference counts, unless it waits, is unsigned and of another amount, and this one is signed.
 * - An alert of another currency is other money and does not count.
 * - If this alert has no doubt about its source, an earlier alert counts unless it proves less.
 * - If this alert is doubtful, an earlier alert counts if it is not, or if the doubt is the same. If this alert is doubtful because
 *   it is unsigned, every alert counts.
 */
const isRelevant = (money: Money, wallet: WalletRules, doubt: Doubt | undefined, earlier: Earlier): boolean => {
  if (isUnprovedOther(money, earlier)) return false
  if (owning.includes(earlier.state)) return true
  if (earlier.currency !== money.currency) return false
  if (doubt === undefined) return !provesLess(money, wallet, earlier)
  return !doubts.includes(earlier.reason) || doubt === 'low_trust' || earlier.reason === doubt
}

/**
 * Whether this report of a message is better than the first one: it can be matched (its phone is on, it is a credit and does
 * not deny the payment, nor have unexpected words), and the first one was held, could not be read, or proves less.
 */
const isBetterReport = (money: Money, wallet: WalletRules, doubt: Doubt | undefined, earlier: Earlier): boolean => {
  if (!wallet.phoneOn || money.direction !== 'credit' || isDoubted(money)) return false
  if (earlier.state === 'held' || earlier.state === 'unread') return doubt === undefined || doubt === 'low_trust'
  return doubt === undefined && provesLess(money, wallet, earlier)
}

/**
 * The earlier alert that a new one is compared with: the owner of the reference, else one in review without a doubt about its
 * source, else a doubtful one, else a dismissed one.
 */
const decisiveAlert = <E extends Earlier>(earlier: readonly E[]): E | undefined => {
  const open = earlier.filter(({ state }) => state !== 'dismissed')
  return (
    open.find(({ state }) => owning.includes(state)) ??
    open.find(({ reason }) => !doubts.includes(reason)) ??
    open[0] ??
    earlier[0]
  )
}

export type Outcome =
  | { readonly kind: 'verified'; readonly at: Instant }
  | { readonly kind: 'wrong-amount'; readonly paid: Minor }
  | { readonly kind: 'late' }
  /** An unsigned alert with another amount: it does not end the intent. */
  | { readonly kind: 'unproved' }

/** What an alert that is not spent means for its intent. The caller has checked the wallet, and the reference or the unique
 *  amount. */
export const judge = (
  intent: { readonly payable: Minor; readonly expiresAt: Instant },
  alert: { readonly amount: Minor; readonly receivedAt: Instant; readonly trusted: boolean },
  now: Instant,
): Outcome => {
  if (now >= intent.expiresAt || now >= alert.receivedAt + matchable_ms) return { kind: 'late' }
  if (alert.amount === intent.payable) return { kind: 'verified', at: now }
  return alert.trusted ? { kind: 'wrong-amount', paid: alert.amount } : { kind: 'unproved' }
}
