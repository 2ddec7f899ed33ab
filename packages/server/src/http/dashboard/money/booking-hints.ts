/** The open pages of the checkout that a booking has changed. */
import type { BookedInCheckout } from '../../../checkouts/book-in-checkout.ts'
import type { Hint } from '../limited-act.ts'

export const checkoutHints = ({ checkoutId, cancelled }: BookedInCheckout): Hint[] => [
  ...(cancelled === undefined ? [] : [{ kind: 'intent' as const, id: cancelled }]),
  ...(checkoutId === undefined ? [] : [{ kind: 'checkout' as const, id: checkoutId }]),
]
