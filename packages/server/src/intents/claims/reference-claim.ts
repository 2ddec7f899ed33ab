/**
 * A claim: a reference that was refused to a PENDING intent (the claimer) because another intent has it (the holder), or because
 * its money verified another intent. It changes nothing by itself: members see both orders, and may move the reference. Pure.
 */
import type { Instant } from '../../core/clock.ts'
import { day_ms } from '../../core/duration.ts'
import type { AccountId } from '../../core/ids.ts'

export type ReferenceClaim = {
  readonly accountId: AccountId
  readonly intentId: string
  readonly reference: string
  readonly referenceKey: string
  readonly by: string
  readonly claimedAt: Instant
}

/** The limit of claims on one reference of a real wallet, and of claims of one intent: its oldest claim gives way. */
export const mostClaims = 5

/** How long a claim is kept. */
export const claimLife_ms = 90 * day_ms
