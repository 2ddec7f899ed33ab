/**
 * What an alert means. Pure and small: every rule that decides about money is on this page, in the order in which it is
 * asked. Whoever calls holds the locks that make the context true until it has written the answer down.
 */
import { type AlertState, claimable_ms, type Reason } from '../alerts/alert.ts'
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
  readonly chain: 'fits' | 'break' | 'unknown'
}

export type WalletRules = {
  readonly currency: string
  readonly simSlot: string
  readonly deviceOn: boolean
  readonly reviewAbove: Minor | null
  readonly lowTrustLimit: Minor
  readonly reviewBrokenChains: boolean
}

/** Another alert of the same wallet and reference. */
export type Earlier<Id> = {
  readonly id: Id
  readonly amount: Minor
  readonly state: AlertState
  readonly reason: Reason
}

export type Verdict<Id> =
  | { readonly state: 'held' | 'debit'; readonly reason: Reason }
  | { readonly state: 'duplicate'; readonly reason: Reason; readonly of: Id }
  /** `replaces`: an earlier word of the same money that proved less. */
  | { readonly state: 'waiting' | 'review'; readonly reason: Reason; readonly replaces: Id | undefined }

const review = (reason: Reason) => ({ state: 'review', reason, replaces: undefined }) as const

/** Where an alert goes before any intent is asked. `waiting` may be matched; everything else never is by itself. */
export const sift = <Id>(
  money: Money,
  wallet: WalletRules,
  sameText: Id | undefined,
  sameReference: Earlier<Id> | undefined,
): Verdict<Id> => {
  if (sameText !== undefined) return { state: 'duplicate', reason: 'same_text', of: sameText }
  if (!wallet.deviceOn) return { state: 'held', reason: 'device_off' }
  if (money.direction === 'debit') return { state: 'debit', reason: '' }
  if (money.currency !== wallet.currency) return review('wrong_currency')
  if (money.simSlot !== '' && wallet.simSlot !== '' && money.simSlot !== wallet.simSlot) return review('other_sim')
  if (money.referenceKey === null) return review('no_reference')
  const stronger = sameReference?.reason === 'low_trust' && money.trusted
  // What was put aside is not matched by itself again; but who put a doubtful word aside has not seen this one.
  if (stronger && sameReference.state === 'dismissed') return review('dismissed_before')
  const replaces = stronger ? sameReference.id : undefined
  if (sameReference !== undefined && replaces === undefined) {
    if (sameReference.amount !== money.amount) return review('second_amount')
    return { state: 'duplicate', reason: 'same_reference', of: sameReference.id }
  }
  if (!money.trusted && money.amount > wallet.lowTrustLimit) return review('low_trust')
  if (wallet.reviewAbove !== null && money.amount > wallet.reviewAbove) return { ...review('above_limit'), replaces }
  if (wallet.reviewBrokenChains && money.chain === 'break') return { ...review('broken_chain'), replaces }
  return { state: 'waiting', reason: 'no_intent', replaces }
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
