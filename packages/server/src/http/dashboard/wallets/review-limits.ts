/**
 * The limits above which a wallet's money waits for a member. Only members who may change wallets read them: whoever
 * knows a limit can stay below it. Other members get null, and see the limits in no audit entry and no alert. Pure.
 */
import { type MemberRole, mayDo } from '../../../accounts/people/permission.ts'
import { formatMinor } from '../../../core/money.ts'
import type { Limits } from '../../../wallets/trust/needs-owner.ts'

export const mayReadLimits = (role: MemberRole): boolean => mayDo(role, 'wallets.write')

/** The limits under the names of the API and of the audit log. */
export const reviewLimits = (wallet: Limits) => ({
  review_above: wallet.reviewAbove === null ? null : formatMinor(wallet.reviewAbove),
  low_trust_limit: formatMinor(wallet.lowTrustLimit),
  review_broken_chains: wallet.reviewBrokenChains,
  review_later_messages: wallet.reviewLaterMessages,
})

export const noLimits = {
  review_above: null,
  low_trust_limit: null,
  review_broken_chains: null,
  review_later_messages: null,
} as const

/** The values of an audit entry about a wallet, without its limits. */
export const withoutLimits = (values: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !(name in noLimits)))
