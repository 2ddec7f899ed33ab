/**
 * What happens to the alerts of two entries that become one real wallet. Of two alerts with one reference one stays:
 * one that is spent before one that is not, one that ended an intent as WRONG_AMOUNT before one that waits, the earlier
 * before the later. If both are spent, one payment was credited twice, and the result says so. Pure.
 */
import type { standingStates } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import type { AlertId } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'

export type ClashingAlert = {
  readonly id: AlertId
  readonly state: (typeof standingStates)[number]
  readonly amount: Minor
  readonly currency: string
  readonly receivedAt: Instant
  /** The code and the merchant's order of the intent that it ended. */
  readonly payment: string | null
  readonly order: string
}

export type Clash = { readonly reference: string; readonly alerts: readonly [ClashingAlert, ClashingAlert] }

export type Outcome = { readonly reference: string; readonly stands: ClashingAlert; readonly yields: ClashingAlert } & (
  | { readonly kind: 'duplicate' }
  /** Another amount with the same reference: for a user to review. */
  | { readonly kind: 'review' }
  | { readonly kind: 'credited_twice' }
)

const weight = { matched: 0, booked: 0, wrong_amount: 1, waiting: 2 } as const

export const outcomeOf = ({ reference, alerts }: Clash): Outcome => {
  const [stands, yields] = alerts.toSorted((a, b) => weight[a.state] - weight[b.state] || (a.id < b.id ? -1 : 1)) as [
    ClashingAlert,
    ClashingAlert,
  ]
  const both = { reference, stands, yields }
  if (weight[yields.state] === 0) return { ...both, kind: 'credited_twice' }
  const same = stands.amount === yields.amount && stands.currency === yields.currency
  return { ...both, kind: same ? 'duplicate' : 'review' }
}
