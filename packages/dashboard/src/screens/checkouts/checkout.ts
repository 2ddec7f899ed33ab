/** The API types of checkouts, and how their states are shown. */
import type { Answer } from '../../api/call.ts'
import { isZero } from '../../parts/format/amounts.ts'
import type { IntentState } from '../../parts/format/figures.tsx'

export type ListedCheckout = Answer<'listCheckouts'>['results'][number]
export type ShownCheckout = Answer<'showCheckout'>

/** A checkout waits and is paid like a payment request: both use the same words and icons. */
export const stateOf: Readonly<Record<ListedCheckout['status'], IntentState>> = {
  OPEN: 'PENDING',
  COMPLETE: 'VERIFIED',
  EXPIRED: 'EXPIRED',
  CANCELLED: 'CANCELLED',
}

/** The amount that arrived, if the last intent ended as wrong amount; otherwise null. */
export const arrivedOf = ({ intents }: ShownCheckout): string | null => {
  const last = intents.at(-1)
  return last?.status === 'WRONG_AMOUNT' ? last.paid_amount : null
}

/** What arrived, if it is not the amount of the checkout: a wrong amount, a part of it, or an amount that was accepted. */
export const otherAmount = (checkout: ListedCheckout): string | null => {
  const { status, arrived, arrived_amount: received, forgiven_amount: forgiven } = checkout
  if (arrived !== null) return arrived
  const isWhole = status === 'COMPLETE' && isZero(forgiven)
  return isWhole || isZero(received) ? null : received
}

/** An open checkout is shown as wrong amount if the buyer has sent another amount, so that the shop looks at it. */
export const shownState = (status: ListedCheckout['status'], arrived: string | null): IntentState =>
  status === 'OPEN' && arrived !== null ? 'WRONG_AMOUNT' : stateOf[status]
