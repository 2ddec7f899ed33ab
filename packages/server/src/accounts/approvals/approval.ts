/**
 * An approval: a change that a manager has asked for and that an owner must confirm, because it decides whose messages count as
 * money (wallets/trust/needs-owner.ts). It is done when an owner confirms it, if what it changes is still as it was. Pure.
 */
import type { ApprovalKind, ApprovalState, OwnerReason } from '@sanad/contract/kinds'
import type { Instant } from '../../core/clock.ts'
import { day_ms } from '../../core/duration.ts'
import type { AccountId, ApprovalId, UserId } from '../../core/ids.ts'

export type { ApprovalKind, ApprovalState }

/** How long an owner can confirm it. */
export const approvalLife_ms = 7 * day_ms

/** How many may be open in an account, and how many may be asked for in a day: each is a mail to every owner. */
export const mostOpenApprovals = 20
export const mostApprovalsADay = 50

/** How long an approval is shown; the audit log stays. */
export const approvalKept_ms = 90 * day_ms

type Values = Readonly<Record<string, unknown>>

export type Approval = {
  readonly accountId: AccountId
  readonly id: ApprovalId
  readonly kind: ApprovalKind
  /** The wallet, provider or template; empty: the change creates it. */
  readonly objectId: string
  readonly objectName: string
  readonly reasons: readonly OwnerReason[]
  /** The object when the change was asked for, and what it becomes; null: it is created. */
  readonly before: Values | null
  readonly after: Values
  readonly askedBy: UserId
  readonly askedName: string
  readonly askedAt: Instant
  readonly expiresAt: Instant
  readonly state: ApprovalState
  readonly decidedName: string
  readonly decidedAt: Instant | null
}

/** From `expiresAt` on an open approval has expired, whether that is stored or not. */
export const approvalState = (
  stored: Exclude<ApprovalState, 'expired'>,
  expiresAt: Instant,
  now: Instant,
): ApprovalState => (stored === 'open' && now >= expiresAt ? 'expired' : stored)
