/** What arrived for an intent and what was asked for it, as the API tells it. Pure. */
import { add, subtract } from './amounts.ts'

export type Arrival = {
  /** Null: not paid. */
  readonly arrived_amount: string | null
  readonly forgiven_amount: string | null
  readonly excess_amount?: string | null
}

/** What arrived for a paid intent; for others what is asked. */
export const receivedAmount = (intent: { readonly arrived_amount: string | null; readonly payable_amount: string }) =>
  intent.arrived_amount ?? intent.payable_amount

/** What the order asked for; null: not paid. */
export const askedAmount = ({ arrived_amount: arrived, forgiven_amount, excess_amount }: Arrival): string | null =>
  arrived === null ? null : subtract(add(arrived, forgiven_amount ?? '0.00'), excess_amount ?? '0.00')

/** Of something that is not an order. */
export const noArrival: Arrival = { arrived_amount: null, forgiven_amount: null }
