/**
 * Whose messages count as money is the owner's decision. A change needs an owner if afterwards a message could prove a payment
 * that could not before: another sender, notifications of another app, or a guard that is loosened. A manager can ask for such a
 * change; an owner confirms it (accounts/approvals). Every path that changes one of these asks `needsOwner`. Pure.
 *
 * Not here: the phone and the SIM of a wallet by themselves (only owners connect phones), its name and number, and a template that reads an
 * accepted sender in another way.
 */
import type { OwnerReason } from '@sanad/contract/kinds'
import { type Minor, minor } from '../../core/money.ts'
import type { WalletSettings } from '../wallet.ts'
import { allPhones } from '../wallet-phones.ts'

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

/** The stricter of two in every limit. */
export const strictest = (one: Limits, other: Limits | undefined): Limits => {
  if (other === undefined) return one
  const amounts = [one.reviewAbove, other.reviewAbove].filter((amount) => amount !== null)
  return {
    lowTrustLimit: one.lowTrustLimit < other.lowTrustLimit ? one.lowTrustLimit : other.lowTrustLimit,
    reviewAbove: amounts.length === 0 ? null : amounts.reduce((low, amount) => (amount < low ? amount : low)),
    reviewBrokenChains: one.reviewBrokenChains || other.reviewBrokenChains,
    reviewLaterMessages: one.reviewLaterMessages || other.reviewLaterMessages,
  }
}

/** Whether messages count for a wallet after a change that did not before: another sender, provider, phone or SIM, or it opens. */
export const hearsMore = (before: WalletSettings, after: WalletSettings): boolean => {
  if (!after.active || after.senderName === '') return false
  if (!before.active || before.senderName !== after.senderName || before.providerId !== after.providerId) return true
  const known = allPhones(before)
  return allPhones(after).some(
    ({ phoneId, simSlot }) => !known.some((phone) => phone.phoneId === phoneId && phone.simSlot === simSlot),
  )
}

const nothing: Trust = { senders: [], apps: [], ...usualLimits }

/** Only an open wallet has a sender whose messages count. */
const senderOf = ({ active, senderName }: WalletSettings): string[] => (active && senderName !== '' ? [senderName] : [])

/** The apps whose notifications count for a wallet, of all apps of its provider. */
export const appsOf = ({ active }: Pick<WalletSettings, 'active'>, all: readonly string[]): readonly string[] =>
  active ? all : []

/** The apps of a provider (providers/provider-apps.ts). */
export type ProviderApps = {
  readonly all: readonly string[]
  /** Those that an owner, or the operator, lets count. */
  readonly confirmed: readonly string[]
  /** All, if the provider is the operator's. */
  readonly operators: readonly string[]
}

/** The senders that a provider has, and its apps. */
export type ProviderTrust = { readonly senders: readonly string[]; readonly apps: ProviderApps }

/**
 * A wallet before and after a change. `provider`: of the wallet after the change. A wallet may have each of its senders; its own,
 * if it stays with its provider, it has already. `earlierApps`: the apps that counted for the wallet. If it moves while it is open,
 * another app needs an owner even if one has confirmed it for the provider: not for this wallet. `ofSender`: the limits of the other
 * entries of its sender, if it hears more than before.
 */
export const walletNeedsOwner = (
  before: WalletSettings,
  after: WalletSettings,
  { senders, apps }: ProviderTrust,
  earlierApps: readonly string[],
  ofSender?: Limits,
): OwnerReason[] => {
  const stays = before.providerId === after.providerId
  const known = stays || !before.active ? apps.confirmed : [...earlierApps, ...apps.operators]
  return needsOwner(
    {
      ...strictest(limitsOf(before), ofSender),
      senders: [...senders, ...(stays ? senderOf(before) : [])],
      apps: known,
    },
    { ...limitsOf(after), senders: senderOf(after), apps: appsOf(after, apps.all) },
  )
}

/** `earlier`: the limits from which the new entry starts: of the closed entries of the same real wallet, which it continues, and of
 *  the entries of its sender. */
export const newWalletNeedsOwner = (
  wallet: WalletSettings,
  { senders, apps }: ProviderTrust,
  earlier: Limits = usualLimits,
): OwnerReason[] =>
  needsOwner(
    { ...earlier, senders, apps: apps.confirmed },
    { ...limitsOf(wallet), senders: senderOf(wallet), apps: appsOf(wallet, apps.all) },
  )

const limitsOf = ({ lowTrustLimit, reviewAbove, reviewBrokenChains, reviewLaterMessages }: Limits): Limits => ({
  lowTrustLimit,
  reviewAbove,
  reviewBrokenChains,
  reviewLaterMessages,
})

/** `isInUse`: it has a sender or an open wallet. Until then none of its apps counts, and what puts it into use needs an owner. */
export const providerNeedsOwner = (
  before: { readonly packages: readonly string[] },
  after: { readonly packages: readonly string[] },
  isInUse: boolean,
): OwnerReason[] =>
  isInUse ? needsOwner({ ...nothing, apps: before.packages }, { ...nothing, apps: after.packages }) : []

/** A template that is published. `provider`: its provider, which is in use as soon as the template gives it a sender. */
export const templateNeedsOwner = (senderNames: readonly string[], { senders, apps }: ProviderTrust): OwnerReason[] =>
  needsOwner(
    { ...nothing, senders, apps: apps.confirmed },
    { ...nothing, senders: senderNames, apps: senderNames.length === 0 ? [] : apps.all },
  )
