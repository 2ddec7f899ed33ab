/** Tells open pages of the checkout that a booking has changed. */
import type { BookedInCheckout } from '../../../checkouts/book-in-checkout.ts'
import type { AccountId } from '../../../core/ids.ts'
import type { DashboardContext } from '../route.ts'

export const hintCheckout = (
  { sendHint }: Pick<DashboardContext, 'sendHint'>,
  accountId: AccountId,
  { checkoutId, cancelled }: BookedInCheckout,
): void => {
  if (cancelled !== undefined) sendHint(accountId, { kind: 'intent', id: cancelled })
  if (checkoutId !== undefined) sendHint(accountId, { kind: 'checkout', id: checkoutId })
}
