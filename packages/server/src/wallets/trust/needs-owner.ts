/**
 * Whose messages count as money is the owner's decision. A change needs an owner if afterwards a message could prove a payment
 * that could not before: another sender, notifications of another app, or a guard that is loosened. A manager can ask for such a
 * change; an owner confirms it (accounts/approvals). Every path that changes one of these asks `needsOwner`. Pure.
 *
 * Not here: the phone and the SIM of a wallet (only owners connect phones), its name and number, and a template that reads an
 * accepted sender in another way.
 */
import type { OwnerReason } from '@sanad/contract/kinds'
import { type Minor, minor } from '../../core/money.ts'
import type { ProviderSettings } from '../providers/account-provider.ts'
import type { WalletSettings } from '../wallets/account-wallet.ts'

export type { OwnerReason }

/** What counts as proof of a payment, and what guards it. */
export type Trust = {
  /** The senders whose messages count. */
  readonly senders: readonly string[]
  /** The Android packages whose notifications count. */
  readonly apps: readonly string[]
  /** Unsigned credits up to this amount are matched. */
  readonly lowTrustLimit: Minor
  /** Credits above this amount wait for a member; null: none do. */
  readonly reviewAbove: Minor | null
  /** Credits whose balance does not follow wait for a member. */
  readonly reviewBrokenChains: boolean
  /** Credits that may be a spent payment wait for a member, also hours later. */
  readonly reviewLaterMessages: boolean
}

/** What of a change needs an owner; empty: nothing does. */
export const needsOwner = (before: Trust, after: Trust): OwnerReason[] => {
  const isNew = (known: readonly string[], names: readonly string[]) => names.some((name) => !known.includes(name))
  const reasons: OwnerReason[] = []
  if (isNew(before.senders, after.senders)) reasons.push('sender')
  if (isNew(before.apps, after.apps)) reasons.push('app')
  if (after.lowTrustLimit > before.lowTrustLimit) reasons.push('low_trust_limit')
  if (before.reviewAbove !== null && (after.reviewAbove === null || after.reviewAbove > before.reviewAbove))
    reasons.push('review_above')
  if (before.reviewBrokenChains && !after.reviewBrokenChains) reasons.push('review_broken_chains')
  if (before.reviewLaterMessages && !after.reviewLaterMessages) reasons.push('review_later_messages')
  return reasons
}

/** The limits of a wallet that was created without any. */
export const usualLimits = {
  lowTrustLimit: minor(0n),
  reviewAbove: null,
  reviewBrokenChains: true,
  reviewLaterMessages: true,
} as const

export type Limits = Pick<Trust, 'lowTrustLimit' | 'reviewAbove' | 'reviewBrokenChains' | 'reviewLaterMessages'>

const nothing: Trust = { senders: [], apps: [], ...usualLimits }

/** Only an open wallet has a sender whose messages count. */
const senderOf = ({ active, senderName }: WalletSettings): string[] => (active && senderName !== '' ? [senderName] : [])

/**
 * A wallet before and after a change. `providerSenders`: the senders that the provider after the change has. A wallet may have
 * each of them; its own, if it stays with its provider, it has already.
 */
export const walletNeedsOwner = (
  before: WalletSettings,
  after: WalletSettings,
  providerSenders: readonly string[],
): OwnerReason[] => {
  const own = before.providerId === after.providerId ? senderOf(before) : []
  return needsOwner(
    { ...nothing, ...limitsOf(before), senders: [...providerSenders, ...own] },
    { ...nothing, ...limitsOf(after), senders: senderOf(after) },
  )
}

/** `earlier`: the limits of closed entries of the same real wallet, which the new entry continues. */
export const newWalletNeedsOwner = (
  wallet: WalletSettings,
  providerSenders: readonly string[],
  earlier: Limits = usualLimits,
): OwnerReason[] =>
  needsOwner(
    { ...nothing, ...earlier, senders: providerSenders },
    { ...nothing, ...limitsOf(wallet), senders: senderOf(wallet) },
  )

const limitsOf = ({ lowTrustLimit, reviewAbove, reviewBrokenChains, reviewLaterMessages }: Limits): Limits => ({
  lowTrustLimit,
  reviewAbove,
  reviewBrokenChains,
  reviewLaterMessages,
})

/** `isInUse`: it has a sender or an open wallet. Until then none of its apps counts, and its first sender needs an owner. */
export const providerNeedsOwner = (
  before: Pick<ProviderSettings, 'packages'>,
  after: Pick<ProviderSettings, 'packages'>,
  isInUse: boolean,
): OwnerReason[] =>
  isInUse ? needsOwner({ ...nothing, apps: before.packages }, { ...nothing, apps: after.packages }) : []

/** A template that is published. `providerSenders`: the senders that its provider has. */
export const templateNeedsOwner = (senderNames: readonly string[], providerSenders: readonly string[]): OwnerReason[] =>
  needsOwner({ ...nothing, senders: providerSenders }, { ...nothing, senders: senderNames })
