/** The API types of checkouts, and how their states are shown. */
import type { Answer } from '../../api/call.ts'
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

/** What arrived when the last payment had another amount. */
export const arrivedOf = ({ intents }: ShownCheckout): string | null => {
  const last = intents.at(-1)
  return last?.status === 'WRONG_AMOUNT' ? last.paid_amount : null
}

/**
 * A checkout waits and is paid as a payment request is. One that is open, and whose buyer has sent another amount, does not just wait:
 * the shop should look at it.
 */
export const shownState = (status: ListedCheckout['status'], arrived: string | null): IntentState =>
  status === 'OPEN' && arrived !== null ? 'WRONG_AMOUNT' : stateOf[status]
