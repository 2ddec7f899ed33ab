/**
 * Decides what happens to the alerts of two entries that become one real wallet. Of two alerts with one reference, one is
 * kept: a spent one is preferred, then one that ended an intent as WRONG_AMOUNT, then the earlier one. If both are spent, one
 * payment was credited twice, and the outcome says so. Pure.
 */
import type { owningStates } from '../../alerts/alert.ts'
import type { Instant } from '../../core/clock.ts'
import type { AlertId } from '../../core/ids.ts'
import type { Minor } from '../../core/money.ts'

export type ClashingAlert = {
  readonly id: AlertId
  readonly state: (typeof owningStates)[number]
  readonly amount: Minor
  readonly currency: string
  readonly receivedAt: Instant
  /** `payment`: the code of the intent that the alert ended; `order`: the merchant's order of that intent. */
  readonly payment: string | null
  readonly order: string
}

export type Clash = { readonly reference: string; readonly alerts: readonly [ClashingAlert, ClashingAlert] }

export type Outcome = { readonly reference: string; readonly kept: ClashingAlert; readonly dropped: ClashingAlert } & (
  | { readonly kind: 'duplicate' }
  /** Another amount with the same reference: for a user to review. */
  | { readonly kind: 'review' }
  | { readonly kind: 'credited_twice' }
)

const preference = { matched: 0, booked: 0, wrong_amount: 1, waiting: 2 } as const

export const outcomeOf = ({ reference, alerts }: Clash): Outcome => {
  const [kept, dropped] = alerts.toSorted(
    (a, b) => preference[a.state] - preference[b.state] || (a.id < b.id ? -1 : 1),
  ) as [ClashingAlert, ClashingAlert]
  const both = { reference, kept, dropped }
  if (preference[dropped.state] === 0) return { ...both, kind: 'credited_twice' }
  const same = kept.amount === dropped.amount && kept.currency === dropped.currency
  return { ...both, kind: same ? 'duplicate' : 'review' }
}
