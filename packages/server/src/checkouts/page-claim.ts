/** A reference that was refused to a buyer because another order has it, as the page shows it. Pure. */
import type { Instant } from '../core/clock.ts'

export type PageClaim = {
  readonly reference: string
  /** Its money has verified another order. */
  readonly paid: boolean
  /** Until then another order may have the reference; null: none has it. */
  readonly until: Instant | null
}

/** Whether another order has the reference, or its money; otherwise the buyer can send it again. */
export const isDisputed = ({ paid, until }: PageClaim, now: Instant): boolean => paid || (until !== null && until > now)
