/**
 * A request: what a member asked for because it is over the limit of their role. A manager or an owner confirms it within their own
 * limits, and it is done then, with all its checks. Pure.
 */
import type { LimitKind, RequestAct, RequestState } from '@sanad/contract/request-kinds'
import type { Instant } from '../../core/clock.ts'
import { day_ms } from '../../core/duration.ts'
import type { AccountId, AlertId, CheckoutId, IntentId, RequestId, UserId, WalletId } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'
import { type Allowance, type LimitedAct, limitsOver } from '../limits/role-limits.ts'
import { type MemberRole, mayDo } from '../people/permission.ts'

export type { RequestAct, RequestState }

/** How long it can be confirmed. */
export const requestLife_ms = day_ms

/** How many may wait, of an account and of one member: each is a notification to every manager. */
export const mostOpenRequests = 100
export const mostOpenOfMember = 20

/** How long a request is shown; the audit log stays. */
export const requestKept_ms = 90 * day_ms

export type LimitRequest = {
  readonly accountId: AccountId
  readonly id: RequestId
  readonly act: RequestAct
  readonly walletId: WalletId | null
  readonly alertId: AlertId | null
  readonly intentId: IntentId | null
  readonly checkoutId: CheckoutId | null
  readonly amount: Minor
  readonly short: Minor
  readonly currency: string
  readonly limits: readonly LimitKind[]
  /** When it was asked for, it was over the limits of managers too. */
  readonly needsOwner: boolean
  readonly askedBy: UserId
  readonly askedName: string
  readonly askedAt: Instant
  readonly expiresAt: Instant
  readonly state: RequestState
  readonly decidedName: string
  readonly decidedAt: Instant | null
  readonly reason: string
  readonly resultId: IntentId | null
}

/** From `expiresAt` on an open request has expired, whether that is stored or not. */
export const requestState = (stored: RequestState, expiresAt: Instant, now: Instant): RequestState =>
  stored === 'open' && now >= expiresAt ? 'expired' : stored

/** What the limits judge of a request. */
export const limitedActOf = ({
  act,
  amount,
  short,
  currency,
}: Pick<LimitRequest, 'act' | 'amount' | 'short' | 'currency'>): LimitedAct => {
  if (act === 'cancel_intent' || act === 'cancel_checkout') return { kind: 'cancel' }
  return { kind: act === 'take_sale' ? 'sale' : 'booking', amount, short, currency }
}

/**
 * Whether a member may confirm it, as far as is known without trying: it waits, somebody else asked for it, and it is within the
 * member's own limits.
 */
export const mayConfirm = (
  request: LimitRequest,
  member: { readonly userId: UserId; readonly role: MemberRole; readonly allowed: Allowance },
): boolean =>
  request.state === 'open' &&
  request.askedBy !== member.userId &&
  mayDo(member.role, 'requests.decide') &&
  limitsOver(member.allowed, limitedActOf(request)).length === 0
