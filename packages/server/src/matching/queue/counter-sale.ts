/** Money that a member takes as a sale at the counter: reserved first, and a paid intent when it can no longer be undone. Pure. */
import type { AlertState, Reason } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import { second_ms } from '../../core/duration.ts'
import type { AccountId, AlertId } from '../../core/ids.ts'
import { LARGEST_AMOUNT, type Minor } from '../../core/money.ts'

/** How long a sale can be undone. Its intent and its event exist only afterwards. */
export const undo_ms = 10 * second_ms

/** The states of money that can be taken as a sale. Money that ended an order as WRONG_AMOUNT is accepted there instead. */
export type TakenFrom = 'waiting' | 'review'

export const takenFrom = (state: AlertState): TakenFrom | undefined =>
  state === 'waiting' || state === 'review' ? state : undefined

/** Whether an intent can have this amount. */
export const isSaleAmount = (amount: Minor): boolean => amount > 0n && amount <= LARGEST_AMOUNT

export type CounterSale = {
  readonly accountId: AccountId
  readonly alertId: AlertId
  /** The reason of the alert before. */
  readonly fromReason: Reason
  /** A spent alert that may be the same payment; the member said that it is another. */
  readonly samePayment: AlertId | null
  readonly by: string
  readonly takenAt: Instant
  readonly dueAt: Instant
  readonly externalOrderId: string
  readonly note: string
}
